#include "trace/raw_text.h"

#include <QTemporaryFile>
#include <QtTest>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>

using threewalls::trace::RawText;

namespace {

/// JSON with ' for ".
std::string json(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

/// A file with this content, open for reading.
class Written {
 public:
  explicit Written(const std::string& text) {
    if (!m_file.open()) qFatal("no temporary file");
    m_file.write(text.data(), static_cast<qint64>(text.size()));
    m_file.flush();
    m_text = std::make_unique<RawText>(::open(m_file.fileName().toLocal8Bit().constData(), O_RDONLY), text.size());
  }
  const RawText* operator->() const { return m_text.get(); }
  void shrink(qint64 size) { m_file.resize(size); }

 private:
  QTemporaryFile m_file;
  std::unique_ptr<RawText> m_text;
};

}  // namespace

class RawTextTest : public QObject {
  Q_OBJECT

 private slots:
  void givesTheWholeObjectAtAPlace() {
    const std::string object = json("{'name': '},{ \\']\\\\', 'args': {'a': [1, {'b': '}'}]}}");
    const Written text("[" + object + json(",{'next':1}]"));
    QCOMPARE(text->jsonObjectAt(1).value(), object);
    QCOMPARE(text->jsonObjectAt(2 + object.size()).value(), json("{'next':1}"));
  }

  void readsObjectsLongerThanOneRead() {
    const std::string object = json("{'name': '") + std::string(300'000, 'x') + json("'}");
    const Written text("  " + object + ",");
    QCOMPARE(text->jsonObjectAt(2).value(), object);
  }

  void refusesWhatIsNoCompleteObject() {
    const Written text(json("[{'name': 'cut"));
    QVERIFY(!text->jsonObjectAt(0));
    QVERIFY(!text->jsonObjectAt(1));
    QVERIFY(!text->jsonObjectAt(5));
    QVERIFY(!text->jsonObjectAt(1'000'000));
  }

  void survivesAFileThatShrinks() {
    Written text(json("{'name': '") + std::string(100'000, 'x') + json("'}"));
    text.shrink(50'000);
    QVERIFY(!text->jsonObjectAt(0));
    QCOMPARE(text->read(49'000, 5000).value().size(), std::size_t{1000});
  }
};

QTEST_GUILESS_MAIN(RawTextTest)
#include "raw_text_test.moc"

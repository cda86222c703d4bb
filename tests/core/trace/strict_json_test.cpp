#include "trace/strict_json.h"

#include <nlohmann/json.hpp>

#include <QtTest>

using namespace threewalls;

class StrictJsonTest : public QObject {
  Q_OBJECT
 private slots:
  void hostileTextBecomesAStringThatAStrictParserReads_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("read");
    QTest::newRow("plain") << QByteArray("gemm<float>") << QByteArray("gemm<float>");
    QTest::newRow("quotes") << QByteArray("a\"b\\c\"},{") << QByteArray("a\"b\\c\"},{");
    QTest::newRow("controls") << QByteArray("a\nb\tc\x1b[31m\0d", 12) << QByteArray("a\nb\tc\x1b[31m\0d", 12);
    QTest::newRow("UTF-8") << QByteArray("Ἑλλάς 🚀") << QByteArray("Ἑλλάς 🚀");
    QTest::newRow("bad UTF-8") << QByteArray("a\xff\xc0z") << QByteArray("a\xEF\xBF\xBD\xEF\xBF\xBDz");
    QTest::newRow("empty") << QByteArray("") << QByteArray("");
  }
  void hostileTextBecomesAStringThatAStrictParserReads() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, read);
    std::string out;
    trace::appendJsonString(out, {text.constData(), static_cast<std::size_t>(text.size())});
    const auto parsed = nlohmann::json::parse(out, nullptr, false);
    QVERIFY2(parsed.is_string(), out.c_str());
    QCOMPARE(QByteArray::fromStdString(parsed.get<std::string>()), read);
  }

  void whatFilesHoldBecomesStrict_data() {
    QTest::addColumn<QByteArray>("raw");
    QTest::addColumn<QByteArray>("strict");
    QTest::newRow("number") << QByteArray("-1.50e+3") << QByteArray("-1.50e+3");
    QTest::newRow("NaN") << QByteArray("{\"a\": NaN, \"b\": [-Infinity, 1]}")
                         << QByteArray("{\"a\":\"NaN\",\"b\":[\"-Infinity\",1]}");
    QTest::newRow("no JSON numbers") << QByteArray("[007, +1, .5, 1., 0x10, 1e999]")
                                     << QByteArray("[\"007\",\"+1\",\".5\",\"1.\",\"0x10\",\"1e999\"]");
    QTest::newRow("words") << QByteArray("[true,false,null,None]") << QByteArray("[true,false,null,\"None\"]");
    QTest::newRow("raw newline") << QByteArray("{\"a\": \"x\ny\"}") << QByteArray("{\"a\":\"x\\u000ay\"}");
    QTest::newRow("bad escape") << QByteArray("[\"C:\\temp\\qux\"]") << QByteArray("[\"C:\\u0009emp\\\\qux\"]");
    QTest::newRow("one key twice") << QByteArray("{\"a\":1,\"\\u0061\":2,\"b\":3}") << QByteArray("{\"a\":1,\"b\":3}");
    QTest::newRow("trailing comma") << QByteArray("{\"a\":[1,2,],}") << QByteArray("{\"a\":[1,2]}");
    QTest::newRow("missing value") << QByteArray("{\"a\":,\"b\":}") << QByteArray("{\"a\":null,\"b\":null}");
    QTest::newRow("cut short") << QByteArray("{\"a\":{\"b\":[1,\"x") << QByteArray("{\"a\":{\"b\":[1,\"x\"]}}");
    QTest::newRow("bracket in a string") << QByteArray("{\"a\":\"]}\",\"b\":2}") << QByteArray("{\"a\":\"]}\",\"b\":2}");
    QTest::newRow("nothing") << QByteArray("") << QByteArray("null");
  }
  void whatFilesHoldBecomesStrict() {
    QFETCH(QByteArray, raw);
    QFETCH(QByteArray, strict);
    std::string out;
    trace::appendStrictJson(out, raw.toStdString());
    QCOMPARE(QByteArray::fromStdString(out), strict);
    QVERIFY(nlohmann::json::accept(out));
  }

  void deepNestingEndsAsText() {
    std::string out;
    trace::appendStrictJson(out, std::string(5000, '['));
    QVERIFY(nlohmann::json::accept(out));
    out.clear();
    std::string deep;
    for (int i = 0; i < 5000; ++i) deep += "{\"a\":";
    trace::appendStrictJson(out, deep);
    QVERIFY(nlohmann::json::accept(out));
  }

  void anyBytesGiveStrictJson() {
    std::uint32_t state = 7;
    const std::string alphabet = "{}[]\",:\\ \n\t0123456789.eE+-truefalsn\xff\xc3\xa9\x01";
    for (int round = 0; round < 3000; ++round) {
      std::string raw = round % 2 == 0 ? "{" : "";
      for (int i = 0; i < 40; ++i) {
        state = state * 1664525 + 1013904223;
        raw += alphabet[(state >> 16) % alphabet.size()];
      }
      std::string out;
      trace::appendStrictJson(out, raw);
      QVERIFY2(nlohmann::json::accept(out), raw.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(StrictJsonTest)
#include "strict_json_test.moc"

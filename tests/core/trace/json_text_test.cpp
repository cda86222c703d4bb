#include "trace/json_text.h"
#include "trace/element_scanner.h"
#include "trace/json_repair.h"

#include <QtTest>

#include <random>

using namespace threewalls::trace;

class JsonTextTest : public QObject {
  Q_OBJECT

 private slots:
  void parsesMicrosecondsExactly_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("origin");
    QTest::addColumn<qint64>("nanoseconds");
    QTest::addColumn<int>("state");
    const auto row = [](const char* text, qint64 origin, qint64 nanoseconds, NumberState state = NumberState::Fine) {
      QTest::newRow(text) << QString(text) << origin << nanoseconds << static_cast<int>(state);
    };
    row("0", 0, 0);
    row("12", 0, 12'000);
    row("12.3", 0, 12'300);
    row("12.34", 0, 12'340);
    row("12.345", 0, 12'345);
    row("12.3454", 0, 12'345);
    row("12.3455", 0, 12'346);
    row("12.345499999", 0, 12'345);
    row("-12.3455", 0, -12'346);
    row("1695835542514261.999", 0, 1'695'835'542'514'261'999);
    row("1695835542514261000.5", 1'695'835'542'514'260'000, 1'000'500);
    row("1e3", 0, 1'000'000);
    row("1.25E+2", 0, 125'000);
    row("125e-6", 0, 0);
    row("5e-4", 0, 1);
    row("0e99999999999", 0, 0);
    row("000000000000000000000000000012.5", 0, 12'500);
    row("3999999999999999.999", 0, 3'999'999'999'999'999'999);
    row("4000000000000000", 0, 0, NumberState::OutOfRange);
    row("1e16", 0, 0, NumberState::OutOfRange);
    row("-1e99999999999", 0, 0, NumberState::OutOfRange);
    row("99999999999999999999999999999999999999999999999999", 0, 0, NumberState::OutOfRange);
    for (const char* text : {"", "-", ".", "NaN", "Infinity", "-Infinity", "null", "1.2.3", "12x", "1e", "0x10", "1,5", " 1"}) {
      row(text, 0, 0, NumberState::NotANumber);
    }
  }

  void parsesMicrosecondsExactly() {
    QFETCH(QString, text);
    QFETCH(qint64, origin);
    QFETCH(qint64, nanoseconds);
    QFETCH(int, state);
    const ParsedTime time = parseMicroseconds(text.toStdString(), origin);
    QCOMPARE(static_cast<int>(time.state), state);
    QCOMPARE(static_cast<qint64>(time.nanoseconds), nanoseconds);
  }

  void unescapesStrings() {
    QCOMPARE(unescapeJson("plain"), std::string("plain"));
    QCOMPARE(unescapeJson("\\\"\\\\\\/\\b\\f\\n\\r\\t"), std::string("\"\\/\b\f\n\r\t"));
    QCOMPARE(unescapeJson("\\u00e9\\u20AC\\ud83d\\ude80"), std::string("é€🚀"));
    QCOMPARE(unescapeJson("\\ud83d!\\ude80"), std::string("\xEF\xBF\xBD!\xEF\xBF\xBD"));
    QCOMPARE(unescapeJson("\\ud83d\\u0041"), std::string("\xEF\xBF\xBD"
                                                         "A"));
    QCOMPARE(unescapeJson("\\x\\u12\\"), std::string("\\x\\u12\\"));
    QCOMPARE(unescapeJson("\\u0000").size(), std::size_t{1});
  }

  void repairsInPlaceAndOnlyWhatIsWrong() {
    std::string text = "{\"a\tb\": \"\xC3\xA9\xED\xA0\x80\x01\"}\n\x02\t";
    const std::size_t size = text.size();
    const TextRepairs repairs = repairText(text.data(), text.size());
    QCOMPARE(text, std::string("{\"a b\": \"\xC3\xA9??? \"}\n \t"));
    QCOMPARE(text.size(), size);
    QCOMPARE(repairs.controls, std::uint64_t{3});
    QCOMPARE(repairs.firstControl, std::optional<std::size_t>(3));
    QCOMPARE(repairs.badBytes, std::uint64_t{3});
    QCOMPARE(repairs.firstBadByte, std::optional<std::size_t>(11));
  }

  void makesAnyBytesValidUtf8() {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
      std::string text;
      for (int i = 0; i < 12; ++i)
        text += static_cast<char>(random() % 4 == 0 ? 0x80 + random() % 0x80 : random() % 2 == 0 ? 0xE0 + random() % 24 : 'a');
      std::string repaired = text;
      const TextRepairs repairs = repairText(repaired.data(), repaired.size());
      const QString decoded = QString::fromUtf8(repaired.data(), static_cast<qsizetype>(repaired.size()));
      QVERIFY(!decoded.contains(QChar::ReplacementCharacter));
      const QString plain = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
      QCOMPARE(repairs.badBytes > 0, plain.contains(QChar::ReplacementCharacter));
    }
  }

  void findsWhereElementsEnd() {
    QCOMPARE(elementEnd("{\"a\": \"}\\\"\"}, {"), std::optional<std::size_t>(12));
    QCOMPARE(elementEnd("  [1, {}] "), std::optional<std::size_t>(9));
    QCOMPARE(elementEnd("12, 13"), std::optional<std::size_t>(2));
    QCOMPARE(elementEnd("12 ]"), std::optional<std::size_t>(3));
    QVERIFY(!elementEnd("{\"a\": \"}"));
    const ElementScan open = scanElements("{}, {\"]\": [}");
    QCOMPARE(open.lastEnd, std::size_t{2});
    QVERIFY(!open.arrayEnd);
    QCOMPARE(scanElements("{},[] ], {}").arrayEnd, std::optional<std::size_t>(6));
  }

  void guessesLikelyCuts() {
    QCOMPARE(guessLastEnd("{} , {}\n,\t{ }"), std::optional<std::size_t>(7));
    QVERIFY(!guessLastEnd("{}, 12"));
    QVERIFY(!guessLastEnd(""));
    QCOMPARE(guessNextStart("x} , {}\n,\t{ }"), std::optional<std::size_t>(5));
  }
};

QTEST_GUILESS_MAIN(JsonTextTest)
#include "json_text_test.moc"

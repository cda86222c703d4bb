// Starts the built threewalls-cli: what `extract` writes, and that `analyze` says the same about it as about the whole trace.
#include "cli_process.h"

#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace threewalls::test;
using nlohmann::json;

namespace {

/// Figures that must not depend on which of the two files was asked.
json figures(const QStringList& arguments) {
  json object = cli(QStringList{"analyze", "--json"} + arguments).object();
  if (object.is_discarded()) return {};
  json out;
  for (const char* key : {"steps", "totals", "classes", "kernels"}) out[key] = object.at(key);
  for (json& step : out["steps"]) step.erase("marks");  // outliers are found among the steps of a file
  return out;
}

}  // namespace

class ExtractCliTest : public QObject {
  Q_OBJECT
  QTemporaryDir m_folder;
  QString path(const char* name) const { return m_folder.filePath(name); }

 private slots:
  void helpSaysWhatItDoes() {
    const Run help = cli({"extract", "--help"});
    QCOMPARE(help.code, 0);
    for (const char* option : {"--from", "--to", "--step", "--output", "--json"}) QVERIFY2(help.out.contains(option), option);
  }

  void aStepAnalysesToTheSameFigures() {
    const Run run = cli({"extract", sample("loop"), "--step", "66", "-o", path("step.json.gz"), "--json"});
    QCOMPARE(run.code, 0);
    const json object = run.object();
    QCOMPARE(missing(object, {"file", "bytes", "events", "gpu_events", "launches_outside", "from_ns", "to_ns", "same_ledger",
                              "source", "diagnostics"}),
             std::string());
    QVERIFY(object.at("same_ledger").get<bool>());
    QCOMPARE(object.at("bytes").get<qint64>(), QFile(path("step.json.gz")).size());
    const json whole = figures({sample("loop"), "--steps", "66:66"});
    QCOMPARE(whole.at("steps").size(), std::size_t{1});
    QVERIFY(figures({path("step.json.gz"), "--steps", "66:66"}) == whole);
    const QStringList range = {"--from", QString::number(object.at("from_ns").get<qint64>()), "--to",
                               QString::number(object.at("to_ns").get<qint64>())};
    QVERIFY(figures(QStringList{path("step.json.gz")} + range) == figures(QStringList{sample("loop")} + range));
  }

  void aRangeByTimeSinceTheFirstEventMeansTheSameEverywhere() {
    const Run run = cli({"extract", sample("grouped"), "--from", "40ms", "--to", "52.5ms", "-o", path("range.json"), "--json"});
    QCOMPARE(run.code, 0);
    const json object = run.object();
    QCOMPARE(object.at("to_ns").get<qint64>() - object.at("from_ns").get<qint64>(), qint64{12'500'000});
    const json whole = figures({sample("grouped"), "--from", "40ms", "--to", "52500us"});
    QCOMPARE(whole.at("steps").at(0).at("start_ns"), object.at("from_ns"));
    QCOMPARE(whole.at("steps").at(0).at("duration_ns").get<qint64>(), qint64{12'500'000});
    QVERIFY(figures({path("range.json"), "--from", QString::number(object.at("from_ns").get<qint64>()), "--to",
                     QString::number(object.at("to_ns").get<qint64>())}) == whole);
    QFile file(path("range.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(json::accept(file.readAll().toStdString()));
  }

  void peopleAreToldSizeCountsAndTheCheck() {
    const Run run = cli({"extract", sample("grouped"), "--step", "64", "-o", path("told.json")});
    QCOMPARE(run.code, 0);
    QVERIFY(run.err.isEmpty());
    for (const char* word : {"events", "on the GPU", "launch calls", "same to the ns", "--from"}) {
      QVERIFY2(run.out.contains(word), word);
    }
  }

  void wrongUsageExitsWithTwoAndWritesNothing_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const QString in = sample("grouped");
    QTest::newRow("no range") << QStringList{in, "-o", "@"} << QByteArray("--step N");
    QTest::newRow("step and range") << QStringList{in, "-o", "@", "--step", "61", "--from", "1ms"} << QByteArray("--step N");
    QTest::newRow("no output") << QStringList{in, "--step", "61"} << QByteArray("--output");
    QTest::newRow("no such step") << QStringList{in, "-o", "@", "--step", "7"} << QByteArray("61 to 70");
    QTest::newRow("no time") << QStringList{in, "-o", "@", "--from", "soon"} << QByteArray("12.5ms");
    QTest::newRow("end first") << QStringList{in, "-o", "@", "--from", "9ms", "--to", "2ms"} << QByteArray("empty");
    QTest::newRow("outside") << QStringList{in, "-o", "@", "--from", "5", "--to", "9"} << QByteArray("outside");
    QTest::newRow("source") << QStringList{in, "-o", in, "--step", "61"} << QByteArray("never replaces");
  }
  void wrongUsageExitsWithTwoAndWritesNothing() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const QTemporaryDir empty;
    for (QString& argument : arguments) argument = argument == "@" ? empty.filePath("x.json") : argument;
    const Run run = cli(QStringList{"extract"} + arguments);
    QCOMPARE(run.code, 2);
    QVERIFY(run.out.isEmpty());
    QVERIFY2(run.err.contains(says), run.err.constData());
    QVERIFY(QDir(empty.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    QVERIFY(cli({"analyze", sample("grouped"), "--from", "1ms", "--steps", "61:62"}).code == 2);
  }

  void whatCannotBeReadOrWrittenExitsWithThree() {
    QCOMPARE(cli({"extract", "/nowhere/x.json", "--step", "1", "-o", path("n.json")}).code, 3);
    const Run run = cli({"extract", sample("grouped"), "--step", "61", "-o", "/nowhere/x.json"});
    QCOMPARE(run.code, 3);
    QVERIFY(run.err.contains("folder must exist"));
  }
};

QTEST_GUILESS_MAIN(ExtractCliTest)
#include "extract_cli_test.moc"

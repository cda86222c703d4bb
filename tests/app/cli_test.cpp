// Starts the built threewalls-cli: exit codes, keys and figures of the command line contract.
#include "cli_process.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <QFile>
#include <QTemporaryDir>

#include <set>

using nlohmann::json;
using threewalls::test::repositoryFile;
using namespace threewalls::test;

namespace {

const Keys kLedgerKeys = {"duration_ns",
                          "host_duration_ns",
                          "compute_ns",
                          "graph_ns",
                          "communication_ns",
                          "hidden_communication_ns",
                          "memory_ns",
                          "idle_ns",
                          "host_bound_idle_ns",
                          "profiler_idle_ns",
                          "exposed_communication_ns"};

Keys with(Keys some, const Keys& more) {
  some.insert(more.begin(), more.end());
  return some;
}

std::int64_t ns(const json& object, const char* key) {
  return object.at(key).get<std::int64_t>();
}

/// Writes a plain Kineto trace of three steps with one kernel each, named as given.
QString writeTrace(const QTemporaryDir& folder, const QString& file, const QByteArray& kernel, int rank,
                   const QByteArray& tail = "]}") {
  QByteArray text =
      "{\"distributedInfo\": {\"rank\": " + QByteArray::number(rank) + ", \"world_size\": 2},\n\"traceEvents\": [\n";
  for (int i = 0; i < 3; ++i) {
    const QByteArray start = QByteArray::number(1000 * (i + 1));
    const QByteArray correlation = QByteArray::number(i + 1);
    text += (i == 0 ? "" : ",\n");
    text += R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#)" + QByteArray::number(i) + R"(","pid":1,"tid":1,"ts":)" +
            start + ".0,\"dur\":900},\n";
    text += R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":)" + start +
            R"(.5,"dur":2,"args":{"correlation":)" + correlation + "}},\n";
    text += R"({"ph":"X","cat":"kernel","name":")" + kernel + R"(","pid":0,"tid":7,"ts":)" + start +
            R"(.9,"dur":100,"args":{"device":0,"stream":7,"correlation":)" + correlation + "}}";
  }
  QFile out(folder.filePath(file));
  if (!out.open(QIODevice::WriteOnly)) return {};
  out.write(text + tail);
  return out.fileName();
}

QString writeText(const QTemporaryDir& folder, const QString& file, const QByteArray& text) {
  QFile out(folder.filePath(file));
  if (!out.open(QIODevice::WriteOnly)) return {};
  out.write(text);
  return out.fileName();
}

}  // namespace

class CliTest : public QObject {
  Q_OBJECT

 private slots:
  void versionAndHelpAreNoErrors() {
    const Run version = cli({"--version"});
    QCOMPARE(version.code, 0);
    QCOMPARE(version.out.trimmed(), QByteArray("threewalls-cli " THREEWALLS_VERSION));
    for (const QStringList& arguments : {QStringList{"--help"}, {"analyze", "--help"}, {"compare", "--help"}}) {
      const Run help = cli(arguments);
      QCOMPARE(help.code, 0);
      QVERIFY(help.out.size() > 200);
    }
    const QByteArray analyze = cli({"analyze", "--help"}).out;
    for (const char* option : {"--ranks", "--steps", "--whole", "--json"}) QVERIFY2(analyze.contains(option), option);
    QVERIFY(!cli({"compare", "--help"}).out.contains("--contract"));
  }

  void wrongUsageExitsWithTwoAndSaysWhyOnStandardError_data() {
    QTest::addColumn<QStringList>("arguments");
    const QString grouped = sample("grouped");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("no such command") << QStringList{"analyse"};
    QTest::newRow("no file") << QStringList{"analyze"};
    QTest::newRow("no such option") << QStringList{"analyze", grouped, "--fast"};
    QTest::newRow("steps not numbers") << QStringList{"analyze", grouped, "--steps", "a:b"};
    QTest::newRow("steps one number") << QStringList{"analyze", grouped, "--steps", "61"};
    QTest::newRow("steps turned round") << QStringList{"analyze", grouped, "--steps", "63:61"};
    QTest::newRow("steps and whole") << QStringList{"analyze", grouped, "--steps", "61:62", "--whole"};
    QTest::newRow("one side") << QStringList{"compare", grouped};
    QTest::newRow("three sides") << QStringList{"compare", grouped, grouped, grouped};
    QTest::newRow("negative regression") << QStringList{"compare", grouped, grouped, "--max-regression", "-1"};
    QTest::newRow("regression no number") << QStringList{"compare", grouped, grouped, "--max-regression", "x"};
  }
  void wrongUsageExitsWithTwoAndSaysWhyOnStandardError() {
    QFETCH(QStringList, arguments);
    const Run run = cli(arguments);
    QCOMPARE(run.code, 2);
    QVERIFY(run.out.isEmpty());
    QVERIFY(!run.err.isEmpty());
  }

  void whatCannotBeReadExitsWithThree() {
    const QTemporaryDir folder;
    const QString text = writeText(folder, "notes.txt", "Dear diary, this is no trace.\n");
    const QString grouped = sample("grouped");
    for (const QStringList& arguments : {QStringList{"analyze", "/nowhere/trace.json"},
                                         {"analyze", text},
                                         {"analyze", folder.path()},
                                         {"analyze", grouped, "/nowhere/trace.json"},
                                         {"analyze", "--ranks", "/nowhere"},
                                         {"analyze", "--ranks", folder.path()},
                                         {"compare", "/nowhere/a", grouped},
                                         {"compare", grouped, folder.path()},
                                         {"compare", text, grouped},
                                         {"log", "/nowhere/x.log"},
                                         {"log", text},
                                         {"log", folder.path()},
                                         {"log", grouped}}) {
      const Run run = cli(arguments + QStringList{"--json"});
      QVERIFY2(run.code == 3, qPrintable(arguments.join(' ') + " gave " + QString::number(run.code)));
      QVERIFY(run.out.isEmpty());
      QVERIFY(!run.err.isEmpty());
    }
  }

  void analyzePrintsTheKeysOfTheContract() {
    const Run run = cli({"analyze", sample("grouped"), "--json"});
    QCOMPARE(run.code, 0);
    const json object = run.object();
    QVERIFY(object.is_object());
    QCOMPARE(missing(object, {"traces", "steps", "totals", "lanes", "classes", "phases", "kernels", "wall", "diagnostics"}),
             std::string());
    QCOMPARE(missing(object["traces"][0], {"file", "format", "rank", "world_size", "devices", "event_count", "gpu_event_count",
                                           "span_ns", "content_hash"}),
             std::string());
    QCOMPARE(missing(object["steps"][0], with(kLedgerKeys, {"name", "rank", "device", "start_ns", "boundary", "marks"})),
             std::string());
    QCOMPARE(missing(object["totals"], with(kLedgerKeys, {"gpu_active_ns"})), std::string());
    QCOMPARE(missing(object["lanes"][0],
                     with(kLedgerKeys, {"rank", "process", "device", "gpu_active_ns", "hidden_communication_ratio"})),
             std::string());
    QVERIFY(object["lanes"][0]["hidden_communication_ratio"].is_null());  // no communication
    QCOMPARE(missing(object["classes"][0], {"class", "group", "count", "sum_ns", "union_ns"}), std::string());
    QCOMPARE(missing(object["kernels"][0], {"name", "class", "count", "sum_ns", "mean_ns", "max_ns"}), std::string());
    QCOMPARE(missing(object["wall"], {"dominant", "runner_up", "recoverable", "reasons"}), std::string());
    QCOMPARE(missing(object["wall"]["recoverable"], {"communication", "host_launch", "compute", "memory"}), std::string());
    QVERIFY(object["phases"].is_array());
    QCOMPARE(object["steps"].size(), std::size_t{10});
    std::int64_t sum = 0;
    for (const json& step : object["steps"]) {
      sum += ns(step, "duration_ns");
      QCOMPARE(ns(step, "duration_ns"),
               ns(step, "compute_ns") + ns(step, "exposed_communication_ns") + ns(step, "memory_ns") + ns(step, "idle_ns"));
    }
    QCOMPARE(ns(object["totals"], "duration_ns"), sum);
    QCOMPARE(object["steps"][9]["marks"], json::array({"open_end"}));
  }

  void chosenStepsAndTheWholeRecordingAreWhatTheySay() {
    const json chosen = cli({"analyze", sample("grouped"), "--steps", "62:64", "--json"}).object();
    QCOMPARE(chosen["steps"].size(), std::size_t{3});
    QCOMPARE(chosen["steps"][0]["name"], json("ProfilerStep#62"));
    QCOMPARE(chosen["steps"][2]["name"], json("ProfilerStep#64"));
    const json whole = cli({"analyze", sample("grouped"), "--whole", "--json"}).object();
    QCOMPARE(whole["steps"].size(), std::size_t{1});
    QCOMPARE(whole["steps"][0]["name"], json("all"));
    QCOMPARE(whole["steps"][0]["boundary"], json("whole"));
    const Run none = cli({"analyze", sample("grouped"), "--steps", "900:901", "--json"});
    QCOMPARE(none.code, 0);
    QVERIFY(none.object()["steps"].empty());
    QVERIFY(none.out.contains("no_step_selected"));
  }

  void severalFilesAreSeveralRanks() {
    const QTemporaryDir folder;
    const QString a = writeTrace(folder, "a.json", "nvjet_gemm", 0);
    const QString b = writeTrace(folder, "b.json", "nvjet_gemm", 1);
    const json object = cli({"analyze", a, b, "--json"}).object();
    QCOMPARE(object["traces"].size(), std::size_t{2});
    QCOMPARE(object["lanes"].size(), std::size_t{2});
    QCOMPARE(object["lanes"][1]["rank"], json(1));
    QCOMPARE(object["steps"].size(), std::size_t{6});
    QCOMPARE(object["kernels"].size(), std::size_t{1});
    QCOMPARE(object["kernels"][0]["count"], json(6));
    QCOMPARE(object["totals"]["compute_ns"], json(600'000));
    QVERIFY(object["diagnostics"].dump().find("rank_twice") == std::string::npos);
    QVERIFY(cli({"analyze", a, a, "--json"}).object()["diagnostics"].dump().find("rank_twice") != std::string::npos);
    QVERIFY(!writeText(folder, "readme.txt", "no trace").isEmpty());
    const json ranks = cli({"analyze", "--ranks", folder.path(), "--json"}).object();
    QCOMPARE(ranks["traces"].size(), std::size_t{2});
    QCOMPARE(ranks["totals"], object["totals"]);
    QVERIFY(ranks["diagnostics"].dump().find("file_skipped") != std::string::npos);
  }

  void aDamagedFileGivesWhatCanBeReadAndSaysSo() {
    const QTemporaryDir folder;
    const QString cut = writeTrace(folder, "cut.json", "nvjet_gemm", 0, ",\n{\"ph\":\"X\",\"cat\":\"ker");
    const Run run = cli({"analyze", cut, "--json"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.object()["kernels"][0]["count"], json(3));
    QVERIFY(!run.object()["diagnostics"].empty());
    QCOMPARE(missing(run.object()["diagnostics"][0], {"severity", "code", "message", "file", "byte_offset", "line", "count"}),
             std::string());
  }

  void hostileNamesStayValidJsonAndHarmlessOnATerminal() {
    const QTemporaryDir folder;
    const QString file = writeTrace(folder, "hostile.json", "a\\u001b[31m\xff\xc0 <b>\\\"\\\\ \\u0007%s%n", 0);
    const Run run = cli({"analyze", file, "--json"});
    QCOMPARE(run.code, 0);
    QVERIFY(run.object().is_object());
    QVERIFY(QString::fromUtf8(run.out).toUtf8() == run.out);  // valid UTF-8
    const Run table = cli({"analyze", file});
    QCOMPARE(table.code, 0);
    QVERIFY(!table.out.contains('\x1b') && !table.out.contains('\x07'));
    QCOMPARE(cli({"compare", file, file, "--json"}).code, 0);
  }

  void comparePrintsTheKeysOfTheContractAndClosesTheWaterfall() {
    const Run run = cli({"compare", sample("loop"), sample("grouped"), "--json"});
    QCOMPARE(run.code, 0);
    const json object = run.object();
    QCOMPARE(missing(object, {"step_time", "trace_step_time", "waterfall", "profile_agrees_with_log", "kernels",
                              "changed_variables", "single_variable", "comparison", "diagnostics"}),
             std::string());
    QCOMPARE(missing(object["step_time"], {"a_ns", "b_ns", "delta_ns", "ratio", "ci95_ratio", "source", "n_a", "n_b"}),
             std::string());
    QCOMPARE(missing(object["comparison"], {"claim", "may_claim_cause", "reasons"}), std::string());
    QCOMPARE(missing(object["kernels"][0], {"name", "class", "a_ns", "b_ns", "delta_ns", "a_count", "b_count"}), std::string());
    QCOMPARE(object["step_time"]["source"], json("trace"));
    QCOMPARE(object["step_time"]["n_a"], json(10));
    QCOMPARE(object["comparison"]["claim"], json("faster"));
    QCOMPARE(object["comparison"]["may_claim_cause"], json(false));
    QVERIFY(object["single_variable"].is_null());
    std::vector<std::string> components;
    std::int64_t sum = 0;
    for (const json& part : object["waterfall"]) {
      components.push_back(part["component"].get<std::string>());
      sum += ns(part, "delta_ns");
    }
    QVERIFY((components ==
             std::vector<std::string>{"compute", "exposed_communication", "memory", "idle_host", "idle_profiler", "idle_other"}));
    const json& mean = object["trace_step_time"];
    QCOMPARE(sum, ns(mean, "delta_ns"));
    QCOMPARE(ns(mean, "delta_ns"), ns(mean, "b_ns") - ns(mean, "a_ns"));
  }

  void theRegressionGateExitsWithOneOnlyWhenBIsSlower() {
    QCOMPARE(cli({"compare", sample("grouped"), sample("loop"), "--max-regression", "0.03"}).code, 1);
    QCOMPARE(cli({"compare", sample("loop"), sample("grouped"), "--max-regression", "0.03"}).code, 0);
    QCOMPARE(cli({"compare", sample("grouped"), sample("loop"), "--max-regression", "9"}).code, 0);  // it is 5 times as slow
    QCOMPARE(cli({"compare", sample("loop"), sample("loop"), "--max-regression", "0"}).code, 0);
    const Run run = cli({"compare", sample("grouped"), sample("loop"), "--max-regression", "0.03", "--json"});
    QCOMPARE(run.code, 1);
    QVERIFY(run.object().is_object());  // the message is on standard error
    QVERIFY(run.err.contains("slower"));
  }

  void tablesFitAHundredColumns() {
    for (const QStringList& arguments :
         {QStringList{"analyze", sample("loop")}, {"compare", sample("loop"), sample("grouped")}}) {
      const Run run = cli(arguments);
      QCOMPARE(run.code, 0);
      for (const QByteArray& line : run.out.split('\n')) {
        if (line.contains("resources/sample/")) continue;  // a path is printed as it is
        QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
      }
    }
  }
};

QTEST_GUILESS_MAIN(CliTest)
#include "cli_test.moc"

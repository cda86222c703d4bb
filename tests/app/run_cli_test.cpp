// threewalls-cli log, and compare with logs and run folders, by the command line contract.
#include "cli_process.h"

#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <fstream>

using nlohmann::json;
using namespace threewalls::test;

namespace {

QString oracle(const std::string& name) {
  return QString::fromStdString(repositoryFile("tests/data/logs/" + name));
}
QString sampleLog(const std::string& name) {
  return QString::fromStdString(repositoryFile("resources/sample/" + name + ".log"));
}

/// A folder that holds copies of `files` under names that say nothing.
QString runFolder(const QTemporaryDir& root, const QString& name, const QStringList& files) {
  QDir(root.path()).mkdir(name);
  int count = 0;
  for (const QString& file : files) QFile::copy(file, root.filePath(name + QString("/file%1").arg(++count)));
  return root.filePath(name);
}

}  // namespace

class RunCliTest : public QObject {
  Q_OBJECT

 private slots:
  void logPrintsTheKeysOfTheContract() {
    const Run run = cli({"log", oracle("mcore_qwen3_30b_a3b_8gpu_mem.log"), "--json"});
    QCOMPARE(run.code, 0);
    const json object = run.object();
    QCOMPARE(missing(object,
                     {"iterations", "memory", "steady", "skipped_total", "nan_total", "loss_finite", "arguments", "diagnostics"}),
             std::string());
    QCOMPARE(missing(object["iterations"][0], {"iteration", "line", "attempt", "elapsed_ns", "tflops_per_gpu", "lm_loss",
                                               "grad_norm", "skipped", "nan", "marks", "other"}),
             std::string());
    QCOMPARE(
        missing(object["memory"][0], {"rank", "allocated_bytes", "max_allocated_bytes", "reserved_bytes", "max_reserved_bytes"}),
        std::string());
    QCOMPARE(missing(object["steady"], {"from", "to", "step_time_ns", "tflops_per_gpu"}), std::string());
    QCOMPARE(missing(object["steady"]["step_time_ns"], {"median", "mean", "ci95"}), std::string());
    QCOMPARE(object["loss_finite"], json(true));
  }

  void logPrintsWhatEveryOracleExpects() {
    std::ifstream in(repositoryFile("tests/data/logs/expected.json"));
    const json files = json::parse(in).at("files");
    const auto equal = [](const json& wanted, const json& read) { return wanted.is_null() ? read.is_null() : wanted == read; };
    int compared = 0;
    for (const auto& [name, file] : files.items()) {
      const json& expected = file.at("expected");
      if (file.contains("nemo2") || !expected.contains("iterations")) continue;
      const json object = cli({"log", oracle(name), "--json"}).object();
      QCOMPARE(object["iterations"].size(), expected["iterations"].size());
      for (std::size_t i = 0; i < expected["iterations"].size(); ++i) {
        const json& wanted = expected["iterations"][i];
        const json& read = object["iterations"][i];
        for (const char* key : {"iteration", "line", "train_iters", "timestamp"}) QVERIFY(equal(wanted[key], read[key]));
        compared += 4;
        for (const auto& [field, value] : wanted["fields"].items()) {
          json found;
          if (field == "elapsed time per iteration (ms)") {
            found = read["elapsed_ns"].get<double>() / 1e6;
            QVERIFY(std::abs(found.get<double>() - value.get<double>()) < 1e-6);
            ++compared;
            continue;
          }
          if (field == "throughput per GPU (TFLOP/s/GPU)")
            found = read["tflops_per_gpu"];
          else if (field == "grad norm")
            found = read["grad_norm"];
          else if (field == "number of skipped iterations")
            found = read["skipped"];
          else if (field == "number of nan iterations")
            found = read["nan"];
          else if (field == "lm loss")
            found = read["lm_loss"];
          else
            found = read["other"].value(field, json());
          // cli.md: the loss is null where a skipped iteration printed 0.
          const bool zeroOfSkipped = field == "lm loss" && value == 0.0 && wanted["fields"]["number of skipped iterations"] != 0;
          QVERIFY2(equal(zeroOfSkipped ? json() : value, found), (name + ": " + field).c_str());
          ++compared;
        }
      }
    }
    QVERIFY(compared > 5'000);
  }

  void nemoIterationsCountFromZeroAndInSeconds() {
    const json object = cli({"log", oracle("variant_nemo2_progress.log"), "--json"}).object();
    QCOMPARE(object["iterations"][0]["iteration"], json(0));
    QCOMPARE(object["iterations"][0]["elapsed_ns"], json(57'260'000'000));
    QCOMPARE(object["iterations"][0]["lm_loss"], json(13.2));
    QCOMPARE(object["iterations"][1]["tflops_per_gpu"], json(42.02));
    QCOMPARE(object["iterations"][1]["other"]["max_memory_allocated"], json(61'117'529'342));
  }

  void steadyTakesTheDeclaredWindow() {
    const QString file = oracle("mcore_qwen3_30b_a3b_8gpu_mem.log");
    const json steady = cli({"log", file, "--steady", "31:40", "--json"}).object()["steady"];
    QCOMPARE(steady["from"], json(31));
    QCOMPARE(steady["to"], json(40));
    QCOMPARE(steady["kind"], json("declared"));
    for (const char* wrong : {"40:31", "x", "1:2:3", ""}) {
      const Run run = cli({"log", file, "--steady", wrong});
      if (*wrong != '\0') QCOMPARE(run.code, 2);
    }
    QVERIFY(cli({"log", file, "--steady", "900:950", "--json"}).object()["steady"].is_null());
  }

  void argumentDumpsAreInTheAnswer() {
    const json object = cli({"log", sampleLog("loop"), "--json"}).object();
    QCOMPARE(object["arguments"]["moe_grouped_gemm"], json("False"));
    QCOMPARE(object["arguments"].size(), std::size_t{35});
  }

  void hostileTextReachesNoTerminal() {
    const QTemporaryDir root;
    std::ofstream(root.filePath("x").toStdString(), std::ios::binary)
        << "iteration 1/2 | \xff\xfe<b>: \xc2\x9b" "31m | lm loss: nan |\n";
    const Run table = cli({"log", root.filePath("x")});
    QCOMPARE(table.code, 0);
    QVERIFY(!table.out.contains("\xc2\x9b"));
    QVERIFY(cli({"log", root.filePath("x"), "--json"}).object().is_object());
  }

  void compareOfRunFoldersTakesTimesFromLogsAndTheWaterfallFromTraces() {
    const QTemporaryDir root;
    const QString a = runFolder(root, "a", {sampleLog("loop"), sample("loop")});
    const QString b = runFolder(root, "b", {sample("grouped"), sampleLog("grouped"), oracle("expected.json")});
    const Run run = cli({"compare", a, b, "--json"});
    QCOMPARE(run.code, 0);
    const json object = run.object();
    QCOMPARE(object["step_time"]["source"], json("log"));
    QCOMPARE(object["step_time"]["n_a"], json(10));
    QCOMPARE(object["step_time"]["b_ns"], json(23'300'000));
    QCOMPARE(object["comparison"]["claim"], json("faster"));
    QCOMPARE(object["comparison"]["may_claim_cause"], json(true));
    QCOMPARE(object["single_variable"], json(true));
    QCOMPARE(object["changed_variables"].size(), std::size_t{1});
    QCOMPARE(object["changed_variables"][0]["field"], json("moe_grouped_gemm"));
    QCOMPARE(object["waterfall"].size(), std::size_t{6});
    // 127.4 ms traced against 115.55 ms logged (samples/README.md)
    QCOMPARE(object["profile_agrees_with_log"]["a"]["agrees"], json(false));
    QCOMPARE(object["profile_agrees_with_log"]["a"]["log_ns"], json(115'550'000));
    QVERIFY(run.out.contains("file_skipped"));  // expected.json is neither
    QVERIFY(cli({"compare", a, b}).out.contains("Profile against log"));
  }

  void compareOfLogsAloneHasNoWaterfall() {
    const Run run = cli({"compare", sampleLog("loop"), sampleLog("grouped"), "--json", "--max-regression", "0.03"});
    QCOMPARE(run.code, 0);
    const json object = run.object();
    QVERIFY(object["waterfall"].empty());
    QVERIFY(object["trace_step_time"].is_null());
    QVERIFY(object["profile_agrees_with_log"].is_null());
    QCOMPARE(object["step_time"]["source"], json("log"));
    QCOMPARE(cli({"compare", sampleLog("grouped"), sampleLog("loop"), "--max-regression", "0.03"}).code, 1);
  }

  void aFolderOfSeveralRunsIsRefused() {
    const QTemporaryDir root;
    const QString both = runFolder(root, "both", {sampleLog("loop"), sampleLog("grouped")});
    const Run run = cli({"compare", both, sampleLog("grouped")});
    QCOMPARE(run.code, 3);
    QVERIFY(run.err.contains("several logs"));
  }
};

QTEST_GUILESS_MAIN(RunCliTest)
#include "run_cli_test.moc"

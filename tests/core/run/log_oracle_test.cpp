#include "run/steady_window.h"
#include "run/training_log.h"
#include "support/test_files.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace threewalls;
using nlohmann::json;
using run::line_mark::kAveraged;
using run::line_mark::kNan;
using run::line_mark::kSkipped;
using run::line_mark::kTruncated;
using run::line_mark::kWarmup;

namespace {

/// Compares what was read with expected.json, value by value, and counts.
class Checker {
 public:
  void equal(const std::string& place, double expected, const std::optional<double>& read) {
    ++compared;
    if (!read || *read != expected) differ(place, read ? std::to_string(*read) : "nothing");
  }
  void equal(const std::string& place, const std::string& expected, const std::string& read) {
    ++compared;
    if (expected != read) differ(place, read);
  }
  /// A printed value: a number, or "inf" and "nan" as strings.
  void value(const std::string& place, const json& expected, const run::LogField* field) {
    if (field == nullptr) {
      ++compared;
      differ(place, "no such field");
    } else if (expected.is_number()) {
      equal(place, expected.get<double>(), field->value);
    } else {
      equal(place, expected.get<std::string>(), field->text);
    }
  }
  void fields(const std::string& place, const json& expected, const std::vector<run::LogField>& read) {
    for (const auto& [name, wanted] : expected.items()) {
      const auto found = std::find_if(read.begin(), read.end(), [&, key = name](const auto& field) { return field.name == key; });
      value(place + ", " + name, wanted, found == read.end() ? nullptr : &*found);
    }
    equal(place + ", number of fields", static_cast<double>(expected.size()), static_cast<double>(read.size()));
  }

  int compared = 0;
  std::vector<std::string> differences;

 private:
  void differ(const std::string& place, const std::string& read) { differences.push_back(place + ": read " + read); }
};

const json& expectedFiles() {
  static const json files = [] {
    std::ifstream in(test::repositoryFile("tests/data/logs/expected.json"));
    return json::parse(in).at("files");
  }();
  return files;
}

run::TrainingLog readOracle(const std::string& name) {
  auto log = run::readTrainingLog({test::repositoryFile("tests/data/logs/" + name)});
  if (!log) qFatal("%s", log.error().text().c_str());
  return std::move(*log);
}

template <class Row>
bool sameSize(Checker& checker, const std::string& what, const json& expected, const std::vector<Row>& read) {
  checker.equal("number of " + what, static_cast<double>(expected.size()), static_cast<double>(read.size()));
  return expected.size() == read.size();
}

void checkIterations(Checker& checker, const json& expected, const run::TrainingLog& log, bool nemo) {
  if (!sameSize(checker, "iterations", expected, log.iterations)) return;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const json& wanted = expected[i];
    const run::IterationLine& line = log.iterations[i];
    const std::string place = "iteration line " + std::to_string(i);
    checker.equal(place + ", line", wanted.at("line").get<double>(), static_cast<double>(line.line));
    if (nemo) {  // the fields stand beside the line number; the iteration is 0-based and equals the global step here
      json fields = wanted;
      fields.erase("line");
      checker.fields(place, fields, line.fields);
      checker.equal(place + ", iteration", wanted.at("global_step").get<double>(), static_cast<double>(line.iteration));
      continue;
    }
    checker.equal(place + ", iteration", wanted.at("iteration").get<double>(), static_cast<double>(line.iteration));
    checker.equal(place + ", of", wanted.at("train_iters").get<double>(), static_cast<double>(line.trainIterations));
    const json& timestamp = wanted.at("timestamp");
    checker.equal(place + ", timestamp", timestamp.is_null() ? std::string() : timestamp.get<std::string>(), line.timestamp);
    checker.equal(place + ", cut", wanted.value("truncated", false) ? 1.0 : 0.0, (line.marks & kTruncated) != 0 ? 1.0 : 0.0);
    checker.fields(place, wanted.at("fields"), line.fields);
  }
}

void checkRest(Checker& checker, const json& expected, const run::TrainingLog& log) {
  if (expected.contains("memory") && sameSize(checker, "memory lines", expected["memory"], log.memory)) {
    for (std::size_t i = 0; i < log.memory.size(); ++i) {
      const json& wanted = expected["memory"][i];
      const run::MemoryLine& line = log.memory[i];
      const std::string place = "memory line " + std::to_string(i);
      checker.equal(place + ", line", wanted.at("line").get<double>(), static_cast<double>(line.line));
      checker.equal(place + ", rank", wanted.at("rank").get<double>(), line.rank);
      checker.equal(place + ", after", wanted.at("after_iterations").get<double>(), static_cast<double>(line.afterIterations));
      checker.equal(place + ", unit", wanted.at("unit").get<std::string>(), line.unit);
      checker.fields(place, wanted.at("values"), line.fields);
    }
  }
  if (expected.contains("theoretical") && sameSize(checker, "theoretical lines", expected["theoretical"], log.theoretical)) {
    for (std::size_t i = 0; i < log.theoretical.size(); ++i) {
      const json& wanted = expected["theoretical"][i];
      checker.equal("theoretical line", wanted.at("line").get<double>(), static_cast<double>(log.theoretical[i].line));
      for (const auto& [name, value] : wanted.at("values_mb").items()) {
        const auto found = log.theoretical[i].mebibytes.find(name);
        checker.equal("theoretical " + name, value.get<double>(),
                      found == log.theoretical[i].mebibytes.end() ? std::nullopt : std::optional(found->second));
      }
    }
  }
  if (expected.contains("step_time") && sameSize(checker, "step time lines", expected["step_time"], log.stepTimes)) {
    for (std::size_t i = 0; i < log.stepTimes.size(); ++i) {
      const json& wanted = expected["step_time"][i];
      checker.equal("step time line", wanted.at("line").get<double>(), static_cast<double>(log.stepTimes[i].line));
      checker.equal("step time", wanted.at("step_time_s").get<double>(), log.stepTimes[i].seconds);
      checker.equal("step time TFLOP/s", wanted.at("tflops_per_gpu").get<double>(), log.stepTimes[i].tflopsPerGpu);
    }
  }
  if (expected.contains("validation") && sameSize(checker, "validation lines", expected["validation"], log.validations)) {
    for (std::size_t i = 0; i < log.validations.size(); ++i) {
      const json& wanted = expected["validation"][i];
      const run::ValidationLine& line = log.validations[i];
      checker.equal("validation line", wanted.at("line").get<double>(), static_cast<double>(line.line));
      checker.equal("validation iteration", wanted.at("iteration").get<double>(), static_cast<double>(line.iteration));
      checker.equal("validation label", wanted.at("label").get<std::string>(), line.label);
      checker.equal("validation loss", wanted.at("loss").get<double>(), line.loss);
      checker.equal("validation ppl", wanted.at("ppl").get<double>(), line.perplexity);
    }
  }
  if (expected.contains("rows") && sameSize(checker, "progress rows", expected["rows"], log.progress)) {
    for (std::size_t i = 0; i < log.progress.size(); ++i) {
      const auto wanted = expected["rows"][i].get<std::vector<std::string>>();
      if (!sameSize(checker, "cells", expected["rows"][i], log.progress[i])) continue;
      for (std::size_t cell = 0; cell < wanted.size(); ++cell)
        checker.equal("progress cell", wanted[cell], log.progress[i][cell]);
    }
  }
}

}  // namespace

class LogOracleTest : public QObject {
  Q_OBJECT
 private slots:
  void everyFieldOfEveryOracleIsReadAsPrinted() {
    int total = 0;
    std::size_t different = 0;
    for (const auto& [name, file] : expectedFiles().items()) {
      const run::TrainingLog log = readOracle(name);
      const json& expected = file.at("expected");
      Checker checker;
      if (expected.contains("iterations")) checkIterations(checker, expected["iterations"], log, file.value("nemo2", false));
      checkRest(checker, expected, log);
      qInfo("%s: %d values compared, %zu differ", name.c_str(), checker.compared, checker.differences.size());
      for (std::size_t i = 0; i < std::min<std::size_t>(checker.differences.size(), 20); ++i) {
        qWarning("%s: %s", name.c_str(), checker.differences[i].c_str());
      }
      total += checker.compared;
      different += checker.differences.size();
    }
    qInfo("%d values compared in all", total);
    QVERIFY(total > 8'000);
    QCOMPARE(different, std::size_t{0});
  }

  void skippedAndNanIterationsCountOnce_data() {
    // From the scenario texts of expected.json.
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("skipped");
    QTest::addColumn<int>("nan");
    QTest::addColumn<bool>("finite");
    QTest::newRow("deepseek") << "mcore_deepseek_v3_mtp_nan_skip.log" << 2 << 1 << false;
    QTest::newRow("mixtral: the line of iteration 2 counts 1 again")
        << "mcore_mixtral_8x7b_fp16_loss_scale.log" << 5 << 1 << false;
    QTest::newRow("old mixtral") << "variant_old_no_timestamp.log" << 5 << 1 << false;
    QTest::newRow("llama") << "mcore_llama3_8b_interval10_timers.log" << 1 << 0 << true;
    QTest::newRow("bridge") << "bridge_deepseek_v3_mtp_interval5.log" << 1 << 0 << true;
    QTest::newRow("bridge without") << "bridge_qwen3_30b_a3b_16gpu.log" << 0 << 0 << true;
    QTest::newRow("srun") << "variant_srun_label_prefix.log" << 2 << 1 << false;
  }
  void skippedAndNanIterationsCountOnce() {
    QFETCH(QString, file);
    const run::TrainingLog log = readOracle(file.toStdString());
    QTEST(int(log.skippedTotal), "skipped");
    QTEST(int(log.nanTotal), "nan");
    QVERIFY(log.lossFinite.has_value());
    QTEST(*log.lossFinite, "finite");
  }

  void quirk21SecondLineOfMegatronIsAveragedOnlyAtInterval1() {
    for (const char* name : {"mcore_qwen3_30b_a3b_8gpu_mem.log", "mcore_deepseek_v3_mtp_nan_skip.log",
                             "mcore_mixtral_8x7b_fp16_loss_scale.log", "variant_old_no_timestamp.log"}) {
      const run::TrainingLog log = readOracle(name);
      for (const run::IterationLine& line : log.iterations) {
        QCOMPARE((line.marks & kAveraged) != 0, line.iteration == 2);
      }
    }
    for (const char* name : {"mcore_llama3_8b_interval10_timers.log", "bridge_qwen3_30b_a3b_16gpu.log",
                             "bridge_deepseek_v3_mtp_interval5.log", "variant_nemo2_progress.log"}) {
      for (const run::IterationLine& line : readOracle(name).iterations) QVERIFY((line.marks & kAveraged) == 0);
    }
    QCOMPARE(readOracle("mcore_llama3_8b_interval10_timers.log").logInterval, std::int64_t{10});
    QCOMPARE(readOracle("bridge_deepseek_v3_mtp_interval5.log").logInterval, std::int64_t{5});
  }

  void quirk22LossesOfSkippedAndNanIterationsAreNull() {
    const run::TrainingLog log = readOracle("mcore_deepseek_v3_mtp_nan_skip.log");
    for (const run::IterationLine& line : log.iterations) {
      const std::int64_t i = line.iteration;
      QCOMPARE((line.marks & kSkipped) != 0, i == 17 || i == 33);
      QCOMPARE((line.marks & kNan) != 0, i == 17 || i == 41);
      QCOMPARE(line.loss.has_value(), i != 17 && i != 33 && i != 41);
      QCOMPARE(line.usable(), i > 3 && i != 17 && i != 33 && i != 41);
    }
    QCOMPARE(log.iterations[16].field("lm loss")->value, std::optional(0.0));  // as printed
    QCOMPARE(log.diagnostics.count("loss_missing"), std::uint64_t{1});
  }

  void quirk23And24AreNoted() {
    const run::TrainingLog log = readOracle("bridge_deepseek_v3_mtp_interval5.log");
    QCOMPARE(log.diagnostics.count("auxiliary_loss_of_skipped"), std::uint64_t{1});
    QCOMPARE(log.diagnostics.count("load_balancing_loss_unused"), std::uint64_t{1});
    QCOMPARE(readOracle("bridge_qwen3_30b_a3b_16gpu.log").diagnostics.count("load_balancing_loss_unused"), std::uint64_t{0});
  }

  void quirk25BridgeStepsAreNotCountedTwice() {
    const run::TrainingLog log = readOracle("bridge_qwen3_30b_a3b_16gpu.log");
    QCOMPARE(log.iterations.size(), std::size_t{60});
    for (const run::IterationLine& line : log.iterations) {
      QVERIFY(line.stepTime.has_value());
      QVERIFY(std::abs(log.stepTimes[*line.stepTime].seconds * 1000 - *line.milliseconds) <= 5.1);
    }
    const auto window = run::steadyWindow(log);
    QVERIFY(window && window->tflops);
    QCOMPARE(window->stepTime.count, std::size_t{10});
    QCOMPARE(window->tflops->count, std::size_t{10});  // rank 0's line has them, the last rank's does not
  }

  void memoryIsConvertedByItsUnit() {
    const run::TrainingLog mcore = readOracle("mcore_qwen3_30b_a3b_8gpu_mem.log");
    QCOMPARE(mcore.memory[0].maxReservedBytes, std::optional<std::uint64_t>(113050ull << 20));
    const run::TrainingLog bridge = readOracle("bridge_qwen3_30b_a3b_16gpu.log");
    QCOMPARE(bridge.memory[1].maxAllocatedBytes, std::optional<std::uint64_t>(52'485'000'000ull));
  }

  void steadyWindowsAreTheLastTenIterations_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    QTest::addColumn<int>("lines");
    QTest::newRow("interval 1") << "mcore_qwen3_30b_a3b_8gpu_mem.log" << 51 << 60 << 10;
    QTest::newRow("interval 5: two means of five") << "bridge_deepseek_v3_mtp_interval5.log" << 91 << 100 << 2;
    QTest::newRow("interval 10: one mean of ten") << "mcore_llama3_8b_interval10_timers.log" << 111 << 120 << 1;
    QTest::newRow("0-based") << "variant_nemo2_progress.log" << 50 << 59 << 10;
    QTest::newRow("short: all after the warm-up") << "variant_crlf_ansi_truncated_oom.log" << 4 << 35 << 32;
  }
  void steadyWindowsAreTheLastTenIterations() {
    QFETCH(QString, file);
    const auto window = run::steadyWindow(readOracle(file.toStdString()));
    QVERIFY(window.has_value());
    QTEST(int(window->from), "from");
    QTEST(int(window->to), "to");
    QTEST(int(window->stepTime.count), "lines");
  }

  void medianAndMeanOfTheWindowAreThoseOfThePrintedValues() {
    std::vector<double> printed;
    for (const json& row : expectedFiles()["mcore_qwen3_30b_a3b_8gpu_mem.log"]["expected"]["iterations"]) {
      if (row["iteration"] > 50) printed.push_back(row["fields"]["elapsed time per iteration (ms)"].get<double>());
    }
    QCOMPARE(printed.size(), std::size_t{10});
    double sum = 0;
    for (const double value : printed) sum += value;
    std::sort(printed.begin(), printed.end());
    const auto window = run::steadyWindow(readOracle("mcore_qwen3_30b_a3b_8gpu_mem.log"));
    QVERIFY(std::abs(window->stepTime.median - (printed[4] + printed[5]) / 2 * 1e6) < 1);
    QVERIFY(std::abs(window->stepTime.mean - sum / 10 * 1e6) < 1);
    const auto ci = *window->stepTime.medianCi95;
    QVERIFY(ci[0] >= printed.front() * 1e6 && ci[1] <= printed.back() * 1e6 && ci[0] < ci[1]);
  }

  void warmupIsMarkedAtLeastForThreeIterations() {
    for (const auto& [name, file] : expectedFiles().items()) {
      for (const run::IterationLine& line : readOracle(name).iterations) {
        if (line.firstIteration <= (line.nemo ? 2 : 3)) QVERIFY((line.marks & kWarmup) != 0);
        if (line.iteration > 20) QVERIFY((line.marks & kWarmup) == 0);
      }
    }
  }
};

QTEST_GUILESS_MAIN(LogOracleTest)
#include "log_oracle_test.moc"

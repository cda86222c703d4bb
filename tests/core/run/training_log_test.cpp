#include "run/training_log.h"
#include "run/log_marks.h"
#include "run/steady_window.h"
#include "support/test_files.h"

#include <QtTest>

#include <QTemporaryDir>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

using namespace threewalls;
namespace mark = run::line_mark;

namespace {

/// An iteration line as Megatron-LM prints it.
std::string iteration(int number, double milliseconds, const std::string& loss = "5.0E+00", int skipped = 0) {
  std::ostringstream out;
  out << " [2026-03-15 09:28:07.251158] iteration " << number << "/ 500 | consumed samples: " << number * 256
      << " | elapsed time per iteration (ms): " << milliseconds << " | ";
  if (!loss.empty()) out << "lm loss: " << loss << " | ";
  out << "grad norm: 1.0 | number of skipped iterations: " << skipped << " | number of nan iterations: 0 |";
  return out.str();
}

}  // namespace

class TrainingLogTest : public QObject {
  Q_OBJECT
 private slots:
  void anotherAttemptSupersedesWhatItRunsAgain() {
    std::string text;
    for (int i = 1; i <= 50; ++i) text += iteration(i, 100) + "\n";
    text += "Traceback (most recent call last):\n[after megatron is initialized] datetime: 2026\n";
    for (int i = 41; i <= 80; ++i) text += iteration(i, 200) + "\n";
    const run::TrainingLog log = read(text);
    QCOMPARE(log.iterations.size(), std::size_t{90});
    for (std::size_t i = 0; i < 90; ++i) {
      QCOMPARE(log.iterations[i].attempt, i < 50 ? 1 : 2);
      QCOMPARE((log.iterations[i].marks & mark::kSuperseded) != 0, i >= 40 && i < 50);
    }
    for (int i = 50; i < 53; ++i) QVERIFY(log.iterations[std::size_t(i)].marks & mark::kWarmup);  // of the second attempt
    QCOMPARE(run::steadyWindow(log)->stepTime.median, 200e6);
  }

  void goingBackWithoutAStartUpLineIsAnAttemptToo() {
    const run::TrainingLog log = read(iteration(9, 1) + "\n" + iteration(10, 1) + "\n" + iteration(6, 1) + "\n");
    QCOMPARE(log.iterations[2].attempt, 2);
    QCOMPARE(log.iterations[1].marks & mark::kSuperseded, 0);  // 10 was not run again
  }

  void linesOfOtherRanksAreDuplicatesNotRestarts() {
    std::string text;
    for (int i = 1; i <= 30; ++i) {
      text += "6: " + iteration(i, 100, "5.0", i == 20) + "\n7: " + iteration(i, 100, "5.0", i == 20) + "\n";
    }
    const run::TrainingLog log = read(text);
    QCOMPARE(log.iterations.back().attempt, 1);
    QCOMPARE(log.iterations.back().rankLabel, std::optional<int>(7));
    QVERIFY(log.iterations.back().marks & mark::kDuplicate);
    QCOMPARE(log.skippedTotal, std::int64_t{1});
  }

  void prefixesOfLaunchersAreRead_data() {
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<int>("rank");
    QTest::newRow("none") << "" << -1;
    QTest::newRow("srun -l") << "  5: " << 5;
    QTest::newRow("mpirun --tag-output") << "[1,12]<stdout>:" << 12;
    QTest::newRow("torchrun") << "[default3]:" << 3;
    QTest::newRow("rank") << "[rank7]: " << 7;
    QTest::newRow("a logger's") << "INFO:megatron:" << -1;
  }
  void prefixesOfLaunchersAreRead() {
    QFETCH(QString, prefix);
    const std::string p = prefix.toStdString();
    const run::TrainingLog log =
        read(p + iteration(7, 12.5) + "\n" + p + "  ------------------------ arguments ------------------------\n" + p +
             "  num_layers ............ 4\n" + p + "  some_list ..... ['a', 'b c']\n");
    QCOMPARE(log.iterations.size(), std::size_t{1});
    QTEST(log.iterations[0].rankLabel.value_or(-1), "rank");
    QCOMPARE(log.iterations[0].timestamp, std::string("2026-03-15 09:28:07.251158"));
    QCOMPARE(log.iterations[0].milliseconds, std::optional(12.5));
    if (p != "INFO:megatron:") {
      QCOMPARE(log.arguments.size(), std::size_t{2});
      QCOMPARE(log.arguments.at("some_list"), std::string("['a', 'b c']"));
    }
  }

  void recordsGluedIntoOneLineAreTakenApart() {
    const run::TrainingLog log =
        read(iteration(7, 12.5) + iteration(8, 13.5) + "[Rank 3] (after 8 iterations) memory (MB) | " +
             "allocated: 1.00 | max allocated: 2.00 | reserved: 3.00 | max reserved: 4.00" + iteration(9, 14) + "\n");
    QCOMPARE(log.iterations.size(), std::size_t{3});
    for (const run::IterationLine& line : log.iterations) {
      QCOMPARE(line.marks & mark::kTruncated, 0);
      QCOMPARE(line.fields.size(), std::size_t{6});
    }
    QCOMPARE(log.iterations[1].milliseconds, std::optional(13.5));
    QCOMPARE(log.memory.size(), std::size_t{1});
    QCOMPARE(log.memory[0].rank, 3);
    QCOMPARE(log.memory[0].maxAllocatedBytes, std::optional<std::uint64_t>(2u << 20));
  }

  void carriageReturnsOfProgressBarsEndALineOnly() {
    const run::TrainingLog log =
        read("saving:  10%|#         | 1/10\rsaving: 100%|##########| 10/10\r" + iteration(7, 12.5) + "\r\n\x1b[32m" +
             iteration(8, 13) + "\x1b[0m\x1b[K\r\n\x1b]0;title\a" + iteration(9, 14) + "\n");
    QCOMPARE(log.iterations.size(), std::size_t{3});
    QCOMPARE(log.iterations[0].line, std::uint64_t{1});
    QCOMPARE(log.iterations[1].line, std::uint64_t{2});
    QCOMPARE(log.iterations[2].line, std::uint64_t{3});
    QCOMPARE(log.iterations[2].milliseconds, std::optional(14.0));
  }

  void aCutLastLineLosesWhatIsNextToTheCut() {
    const std::string whole = iteration(8, 13.25);
    const auto cut = whole.find("13.25") + 3;  // "13."
    const run::TrainingLog log = read(iteration(7, 12.5) + "\n" + whole.substr(0, cut));
    QCOMPARE(log.iterations.size(), std::size_t{2});
    QVERIFY(log.iterations[1].marks & mark::kTruncated);
    QVERIFY(!log.iterations[1].milliseconds.has_value());
    QCOMPARE(log.diagnostics.count("truncated_line"), std::uint64_t{1});
  }

  void progressBarsOfNemoAreReadOncePerIteration() {
    std::string text;
    for (int i = 1; i <= 3; ++i) {
      const std::string bar = "Epoch 0:   1%|#         | " + std::to_string(i) + "/1000 [02:10<2:58:20, 10.83s/it, v_num=, " +
                              "reduced_train_loss=1" + std::to_string(i) + ".50, global_step=" + std::to_string(i - 1) +
                              ".000, train_step_timing in s=10.60]\r";
      text += bar + bar;
    }
    const run::TrainingLog log = read(text + "\n");
    QCOMPARE(log.iterations.size(), std::size_t{6});
    QCOMPARE(log.iterations[0].milliseconds, std::optional(10'600.0));
    QCOMPARE(log.iterations[4].loss, std::optional(13.5));
    QCOMPARE(log.iterations[4].iteration, std::int64_t{3});
    QCOMPARE(log.iterations[4].line, std::uint64_t{1});
    for (std::size_t i = 0; i < 6; ++i) QCOMPARE((log.iterations[i].marks & mark::kDuplicate) != 0, i % 2 == 1);
  }

  void pairsKeepBothNumbers() {
    const run::TrainingLog log = read(
        "iteration 5/ 10 | elapsed time per iteration (ms): 13100.0/13240.9 | throughput per GPU (TFLOP/s/GPU): 500.1/490.2 | "
        "hip mem usage/free/total/usage_ratio: 117.97GB/133.99GB/251.96GB/46.82% | lm loss: 2.0E+00 |\n");
    QCOMPARE(log.iterations[0].milliseconds, std::optional(13100.0));
    QCOMPARE(log.iterations[0].fields[0].second, std::optional(13240.9));
    QCOMPARE(log.iterations[0].tflopsPerGpu, std::optional(500.1));
    QCOMPARE(log.iterations[0].fields[2].text, std::string("117.97GB/133.99GB/251.96GB/46.82%"));
    QVERIFY(!log.iterations[0].fields[2].value.has_value());
  }

  void aResumedRunWithIntervalTenAveragesBeyondItsIntervalOnlyFromAMultiple() {
    std::string fromMultiple = iteration(50, 9000) + "\n";
    std::string between = iteration(53, 9000) + "\n";
    for (int i = 60; i <= 120; i += 10) {
      fromMultiple += iteration(i, i == 60 ? 920 : 100) + "\n";
      between += iteration(i, i == 60 ? 1225 : 100) + "\n";
    }
    QVERIFY(read(fromMultiple).iterations[1].marks & mark::kAveraged);  // holds 50, although 51-60 is its interval
    QCOMPARE(read(between).iterations[1].marks & mark::kAveraged, 0);   // 53 is within 51-60
    QCOMPARE(read(between).logInterval, std::int64_t{10});
  }

  void aTrainerThatResetsItsTimersIsNotMarkedAveraged() {
    const auto shared = test::sharedFile("samples/study/loop.log");
    if (!shared) QSKIP("the developers' recordings are not here");
    auto log = run::readTrainingLog({*shared});
    QVERIFY(log.has_value());
    for (const run::IterationLine& line : log->iterations) QCOMPARE(line.marks & mark::kAveraged, 0);
    QCOMPARE(log->arguments.size(), std::size_t{35});
    QCOMPARE(log->arguments.at("moe_grouped_gemm"), std::string("False"));
  }

  void driftOfTheLargeLoopRunIsFlaggedAndTheGroupedOneIsSteady() {
    const auto loop = test::sharedFile("samples/moe_loop.log");
    const auto grouped = test::sharedFile("samples/moe_grouped.log");
    if (!loop || !grouped) QSKIP("the developers' recordings are not here");
    const auto drifting = run::steadyWindow(*run::readTrainingLog({*loop}));
    const auto steady = run::steadyWindow(*run::readTrainingLog({*grouped}));
    QVERIFY(drifting->drifts());
    QVERIFY(drifting->drift > 0.05 && drifting->drift < 0.09);  // 411 to 442 ms (samples/README.md)
    QVERIFY(!steady->drifts());
    QVERIFY(std::abs(steady->stepTime.median - 69.65e6) < 0.2e6);
  }

  void thirdPartyLogsAreRead() {
    const auto srun = test::sharedFile("traces/megatron/srun_rank_prefix_iterations.log");
    const auto fp16 = test::sharedFile("traces/megatron/gpt3_fp16_startup_and_iterations.log");
    if (!srun || !fp16) QSKIP("the third-party logs are not here");
    const auto prefixed = run::readTrainingLog({*srun});
    QCOMPARE(prefixed->iterations.size(), std::size_t{3});
    QCOMPARE(prefixed->iterations[0].rankLabel, std::optional<int>(1));
    QCOMPARE(prefixed->iterations[0].trainIterations, std::int64_t{73'242'187});
    const auto startup = run::readTrainingLog({*fp16});
    QCOMPARE(startup->iterations.size(), std::size_t{3});
    QCOMPARE(startup->skippedTotal, std::int64_t{3});
    QCOMPARE(startup->arguments.at("adam_beta2"), std::string("0.95"));
    QVERIFY(!startup->lossFinite.has_value());
  }

  void aDeclaredWindowTakesWhatItNamesButNeverSkippedIterations() {
    std::string text;
    for (int i = 1; i <= 60; ++i) text += iteration(i, 100 + i, "5.0", i == 25) + "\n";
    const auto window = run::steadyWindow(read(text), std::pair<std::int64_t, std::int64_t>{21, 30});
    QCOMPARE(window->stepTime.count, std::size_t{9});
    QCOMPARE(window->from, std::int64_t{21});
    QCOMPARE(window->stepTime.median, 126e6);  // 121 .. 130 without 125
  }

  void warmupEndsWhereTheTimesSettle() {
    std::vector<double> series = {3000, 400, 380, 300, 250, 200, 150};
    for (int i = 0; i < 50; ++i) series.push_back(100 + i % 3);
    series[30] = 900;                                     // one slow iteration changes nothing
    QCOMPARE(run::warmupLength(series), std::size_t{5});  // from here on the median of five values is the settled one
    QCOMPARE(run::warmupLength(std::vector<double>(40, 10.0)), std::size_t{0});
  }

  void hugeLinesAndBinaryGarbageDoNoHarm() {
    std::string text(std::size_t{5} << 20, 'x');
    text += "\n" + iteration(7, 12.5) + "\n" + std::string("\0\1\2\xFF\xFE\x1b[", 7) + "\n" + iteration(8, 1) + "\n";
    const run::TrainingLog log = read(text);
    QCOMPARE(log.iterations.size(), std::size_t{2});
    QCOMPARE(log.iterations[1].line, std::uint64_t{4});
    QCOMPARE(log.diagnostics.count("line_too_long"), std::uint64_t{1});
  }

  void numbersBeyondAllRangesDoNoHarm() {
    const run::TrainingLog log = read(
        "iteration 99999999999999999999/5 | elapsed time per iteration (ms): 1 |\n"
        "iteration 9223372036854775807/5 | elapsed time per iteration (ms): 1 |\n"
        "iteration 999999999999999/9223372036854775807 | elapsed time per iteration (ms): 1e999 | lm loss: -nan | "
        "number of skipped iterations: 1e300 | number of nan iterations: -5 |\n"
        "iteration 3/5 | elapsed time per iteration (ms): -4 | lm loss: 1e-999 |\n");
    QCOMPARE(log.iterations.size(), std::size_t{2});
    for (const run::IterationLine& line : log.iterations) QVERIFY(!line.milliseconds.has_value());
    QVERIFY(!log.iterations[0].loss.has_value());
    QVERIFY(!run::steadyWindow(log).has_value());
  }

  void damagedOraclesAreReadWithoutHarm() {
    std::ifstream in(test::repositoryFile("tests/data/logs/bridge_deepseek_v3_mtp_interval5.log"), std::ios::binary);
    std::stringstream whole;
    whole << in.rdbuf();
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
      std::string text = whole.str();
      for (int i = 0; i < 200; ++i) text[random() % text.size()] = static_cast<char>(random() % 256);
      text.resize(random() % text.size());
      const run::TrainingLog log = read(text);
      (void)run::steadyWindow(log);
      QVERIFY(log.iterations.size() <= 40);
    }
  }

  void whatIsNoLogIsRefusedWithItsKind() {
    QVERIFY(!run::readTrainingLog({"/nonexistent/x.log"}).has_value());
    QVERIFY(!run::readTrainingLog({m_dir.path().toStdString()}).has_value());
    for (const std::string& text :
         {std::string("\x1F\x8B\x08 trace"), std::string("{\"traceEvents\": []}"), std::string("SQLite format 3")}) {
      const auto log = run::readTrainingLog({write(text)});
      QVERIFY(!log.has_value());
      QCOMPARE(log.error().code, base::ErrorCode::UnknownFormat);
    }
    const run::TrainingLog prose = read("Dear diary,\niteration 5/7 of my novel is done.\n");
    QVERIFY(prose.empty());
    QCOMPARE(prose.diagnostics.count("no_known_line"), std::uint64_t{1});
    QVERIFY(read("").empty());
  }

 private:
  std::string write(const std::string& text) {
    const std::string path = m_dir.filePath("log").toStdString();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  run::TrainingLog read(const std::string& text) {
    auto log = run::readTrainingLog({write(text)});
    if (!log) return {};
    return std::move(*log);
  }
  QTemporaryDir m_dir;
};

QTEST_GUILESS_MAIN(TrainingLogTest)
#include "training_log_test.moc"

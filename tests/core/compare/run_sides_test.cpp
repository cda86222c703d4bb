#include "compare/compare.h"
#include "core/analysis/trace_maker.h"

#include <QtTest>

#include <QTemporaryDir>

#include <cmath>
#include <fstream>
#include <sstream>

using namespace threewalls;
using compare::Claim;
using compare::RunSide;
using test::TraceMaker;

namespace {

/// Iteration times of a run of 60: a warm-up of 3, then `base` with a small ripple, ending at iteration `last`.
std::vector<double> times(double base, int last = 60) {
  std::vector<double> out = {base * 20, base * 2, base * 1.5};
  for (int i = 4; i <= last; ++i) out.push_back(base * (1 + 0.002 * ((i * 5) % 7 - 3)));
  return out;
}

struct LogSetup {
  std::vector<std::pair<std::string, std::string>> arguments;
  int batch = 8;
  int interval = 1;
};

/// One step of a kernel over its whole length, per duration in ms; the GPU waits for the host in `idleShare` of each.
std::shared_ptr<const analysis::Analysis> traceOf(const std::vector<double>& milliseconds, double idleShare = 0) {
  TraceMaker maker;
  maker.info().devices.push_back({0, "NVIDIA H200", 0, 0});
  maker.info().worldSize = 1;
  std::int64_t now = 0;
  int number = 1;
  for (const double ms : milliseconds) {
    const auto duration = static_cast<std::int64_t>(ms * 1e6);
    const auto busy = static_cast<std::int64_t>(ms * 1e6 * (1 - idleShare));
    const std::int64_t half = busy / 2;
    // The second kernel is launched long after the first one ended: the gap is host-bound.
    maker.marker(number++, now, now + 1).kernel("nvjet_gemm", now, half, now);
    maker.kernel("nvjet_gemm", now + duration - (busy - half), busy - half, now + duration - (busy - half) - 1);
    now += duration;
  }
  maker.marker(number, now, now + 1);
  return analysis::analyze(maker.make());
}

}  // namespace

class RunSidesTest : public QObject {
  Q_OBJECT
 private slots:
  void stepTimesOfTwoLogsAreThoseOfTheirSteadyWindows() {
    const auto out = compare::compare(log(times(100)), log(times(50)));
    QCOMPARE(out.stepTime.source, compare::TimeSource::Log);
    QCOMPARE(out.stepTime.countA, std::size_t{10});
    QVERIFY(std::abs(*out.stepTime.ratio - 0.5) < 1e-9);
    QVERIFY((*out.stepTime.ratioCi95)[0] < 0.5 && (*out.stepTime.ratioCi95)[1] > 0.5);
    QCOMPARE(out.claim, Claim::Faster);
    QVERIFY(!out.a && !out.agreementA);
    QCOMPARE(out.waterfall.residue().count(), std::int64_t{0});
    const auto back = compare::compare(log(times(50)), log(times(100)));
    QCOMPARE(back.claim, Claim::Slower);
  }

  void logsArePreferredToTracesAndTheTracesStillGiveTheWaterfall() {
    const auto out = compare::compare(with(log(times(100)), traceOf({102, 102, 102, 102, 102, 102})),
                                      with(log(times(50)), traceOf({51, 51, 51, 51, 51, 51})));
    QCOMPARE(out.stepTime.source, compare::TimeSource::Log);
    QCOMPARE(out.waterfall.meanA.count(), std::int64_t{102'000'000});
    QVERIFY(out.agreementA->agrees() && out.agreementB->agrees());
  }

  void withALogOnOneSideOnlyTimesAreFromTheTraces() {
    const auto out = compare::compare(with(log(times(100)), traceOf(std::vector<double>(8, 102))),
                                      RunSide{traceOf(std::vector<double>(8, 51)), nullptr, {}});
    QCOMPARE(out.stepTime.source, compare::TimeSource::Trace);
    QCOMPARE(out.stepTime.medianA.count(), std::int64_t{102'000'000});
    QVERIFY(out.agreementA && !out.agreementB);
    QVERIFY(says(out, "only A has a log"));
  }

  void aLogAgainstATraceIsTooFewSteps() {
    const auto out = compare::compare(log(times(100)), RunSide{traceOf(std::vector<double>(8, 51)), nullptr, {}});
    QCOMPARE(out.claim, Claim::TooFewSteps);
    QVERIFY(!out.stepTime.ratio);
  }

  void theSameLogTwiceShowsNoDifference() {
    const RunSide side = log(times(100));
    const auto out = compare::compare(side, side);
    QCOMPARE(out.claim, Claim::NoDifference);
    QCOMPARE(*out.stepTime.ratio, 1.0);
    QVERIFY(!out.mayClaimCause);
  }

  void profileAgreesWithinFivePercent_data() {
    QTest::addColumn<double>("traced");
    QTest::addColumn<bool>("agrees");
    QTest::newRow("4.8 % longer") << 104.8 << true;
    QTest::newRow("5.2 % longer") << 105.2 << false;
    QTest::newRow("4.8 % shorter") << 95.2 << true;
    QTest::newRow("5.2 % shorter") << 94.8 << false;
  }
  void profileAgreesWithinFivePercent() {
    QFETCH(double, traced);
    QFETCH(bool, agrees);
    const RunSide a = with(log(times(100)), traceOf(std::vector<double>(8, traced)));
    const auto out = compare::compare(a, a);
    QCOMPARE(out.agreementA->log.count(), std::int64_t{100'000'000});
    QCOMPARE(out.agreementA->agrees(), agrees);
    QCOMPARE(says(out, "does not agree with its log"), !agrees);
    QCOMPARE(out.diagnostics.count("profile_disagrees_with_log") > 0, !agrees);
  }

  void aHostBoundProfileIsNamedAsTheLikelyReason() {
    const auto a = with(log(times(100)), traceOf(std::vector<double>(8, 120), 0.3));
    QVERIFY(says(compare::compare(a, a), "waits for launches by the host"));
    const auto b = with(log(times(100)), traceOf(std::vector<double>(8, 120), 0.0));
    QVERIFY(!says(compare::compare(b, b), "waits for launches by the host"));
  }

  void aDriftingLogIsNamed() {
    std::vector<double> drifting = times(100);
    for (std::size_t i = 50; i < 60; ++i) drifting[i] += static_cast<double>(i - 50);
    const auto out = compare::compare(log(times(100)), log(drifting));
    QVERIFY(says(out, "B was not steady"));
    QVERIFY(!says(out, "A was not steady"));
    QCOMPARE(out.diagnostics.count("steady_drift"), std::uint64_t{1});
  }

  void linesOfLongLogIntervalsAreTooFewForAClaim() {
    LogSetup ten;
    ten.interval = 10;
    const auto out = compare::compare(log(times(100, 120), ten), log(times(50, 120), ten));
    QCOMPARE(out.claim, Claim::TooFewSteps);
    QVERIFY(!out.stepTime.ratioCi95);
    QVERIFY(says(out, "in at least 5 lines"));
  }

  void argumentsThatDifferAreTheChangedVariables() {
    LogSetup loop{{{"moe_grouped_gemm", "False"}, {"num_layers", "2"}, {"save", "/a"}, {"wandb_exp_name", "x"}}};
    LogSetup grouped{{{"moe_grouped_gemm", "True"}, {"num_layers", "2"}, {"save", "/b"}, {"wandb_exp_name", "y"}}};
    auto out = compare::compare(log(times(100), loop), log(times(50), grouped));
    QCOMPARE(out.changed->size(), std::size_t{1});
    QCOMPARE(out.changed->front().field, std::string("moe_grouped_gemm"));
    QCOMPARE(out.singleVariable, std::optional(true));
    QVERIFY(out.mayClaimCause);

    grouped.arguments.emplace_back("recompute_granularity", "full");  // unknown on one side is a difference
    out = compare::compare(log(times(100), loop), log(times(50), grouped));
    QCOMPARE(out.changed->size(), std::size_t{2});
    QVERIFY(!out.changed->back().a.has_value());
    QCOMPARE(out.singleVariable, std::optional(false));
    QVERIFY(!out.mayClaimCause);

    out = compare::compare(log(times(100), loop), log(times(50)));
    QVERIFY(!out.changed && !out.singleVariable);
  }

  void theLayoutMovesAsOneVariable() {
    const LogSetup a{{{"tensor_model_parallel_size", "1"}, {"data_parallel_size", "8"}, {"pipeline_model_parallel_size", "1"}}};
    const LogSetup b{{{"tensor_model_parallel_size", "2"}, {"data_parallel_size", "2"}, {"pipeline_model_parallel_size", "2"}}};
    const auto out = compare::compare(log(times(100), a), log(times(50), b));
    QCOMPARE(out.changed->size(), std::size_t{3});
    QCOMPARE(out.singleVariable, std::optional(true));
  }

  void differentTasksAreNotComparable() {
    const auto models = compare::compare(log(times(100), {{{"num_experts", "64"}}}), log(times(50), {{{"num_experts", "8"}}}));
    QCOMPARE(models.claim, Claim::NotComparable);
    QVERIFY(says(models, "num_experts is 64 in A and 8 in B"));
    LogSetup batch;
    batch.batch = 16;
    QCOMPARE(compare::compare(log(times(100)), log(times(50), batch)).claim, Claim::NotComparable);
  }

 private:
  /// Writes a log with one line per `interval` iterations and reads it.
  RunSide log(const std::vector<double>& milliseconds, const LogSetup& setup = {}) {
    std::ostringstream out;
    if (!setup.arguments.empty()) {
      out << "------------------------ arguments ------------------------\n";
      for (const auto& [name, value] : setup.arguments) out << "  " << name << " ................ " << value << '\n';
      out << "-------------------- end of arguments ---------------------\n";
    }
    for (std::size_t i = 0; i < milliseconds.size(); ++i) {
      const auto iteration = static_cast<int>(i) + 1;
      if (iteration % setup.interval != 0) continue;
      out << " iteration " << iteration << "/ 500 | elapsed time per iteration (ms): " << milliseconds[i]
          << " | global batch size: " << setup.batch << " | lm loss: 5.0E+00 | number of skipped iterations: 0 |\n";
    }
    const std::string path = m_dir.filePath(QString("%1.log").arg(++m_logs)).toStdString();
    std::ofstream(path) << out.str();
    auto read = run::readTrainingLog({path});
    return RunSide{nullptr, std::make_shared<const run::TrainingLog>(std::move(*read)), {}};
  }
  static RunSide with(RunSide side, std::shared_ptr<const analysis::Analysis> analysis) {
    side.analysis = std::move(analysis);
    return side;
  }
  static bool says(const compare::Comparison& comparison, std::string_view text) {
    for (const std::string& reason : comparison.reasons) {
      if (reason.find(text) != std::string::npos) return true;
    }
    return false;
  }
  QTemporaryDir m_dir;
  int m_logs = 0;
};

QTEST_GUILESS_MAIN(RunSidesTest)
#include "run_sides_test.moc"

#include "analysis/analysis.h"
#include "core/analysis/trace_maker.h"
#include "support/synthetic_trace.h"

#include <QtTest>

using namespace threewalls;
using analysis::WallKind;
using base::Nanoseconds;
using test::TraceMaker;

namespace {

constexpr const char* kGemm = "nvjet_sm90_tst_192x192";
constexpr const char* kFill = "void at::native::fill_kernel";
constexpr const char* kNccl = "ncclDevKernel_AllReduce_Sum_f32";

double share(const analysis::Wall& wall, WallKind kind) {
  return wall.recoverable[static_cast<std::size_t>(kind)];
}

bool says(const analysis::Wall& wall, WallKind kind, std::string_view words) {
  return std::any_of(wall.reasons.begin(), wall.reasons.end(), [&](const analysis::WallReason& reason) {
    return reason.wall == kind && reason.text.find(words) != std::string::npos;
  });
}

/// One step of 1000 ns: GEMM, fill kernels, exposed communication, then a gap for the host.
std::shared_ptr<const analysis::Analysis> mixed(int gemm, int fill, int communication) {
  TraceMaker maker;
  maker.marker(1, 0, 10);
  maker.kernel(kGemm, 0, gemm, 0).kernel(kFill, gemm, fill, 1).kernel(kNccl, gemm + fill, communication, 2);
  maker.kernel(kGemm, 999, 1, 990);
  return analysis::analyze(maker.make());
}

}  // namespace

class AnalysisTest : public QObject {
  Q_OBJECT

 private slots:
  void kernelRowsCountEventsThatStartInSteps() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200);
    maker.kernel(kGemm, 10, 40, 5).kernel(kGemm, 60, 20, 55).kernel(kFill, 110, 30, 105).kernel(kGemm, 5, 2);
    const auto analysis = analysis::analyze(maker.make());
    QCOMPARE(analysis->kernels.size(), std::size_t{2});
    const analysis::KernelRow& gemm = analysis->kernels[0];
    QCOMPARE(std::string(analysis->trace->names()[gemm.name]), std::string(kGemm));
    QCOMPARE(gemm.count, std::uint64_t{2});
    QCOMPARE(gemm.sum.count(), 60);
    QCOMPARE(gemm.mean().count(), 30);
    QCOMPARE(gemm.max.count(), 40);
    QCOMPARE(analysis->kernels[1].sum.count(), 30);
  }

  void classRowsHaveSumsAndUnionsPerDevice() {
    TraceMaker maker;
    // Two streams of device 0 overlap for 50 ns; device 1 runs at the same time and is added, not united.
    maker.kernel(kGemm, 0, 100, 0, 7, 0).kernel("sm80_xmma_gemm_x", 50, 100, 1, 8, 0).kernel(kGemm, 0, 100, 2, 7, 1);
    const auto analysis = analysis::analyze(maker.make());
    QCOMPARE(analysis->classRows.size(), std::size_t{1});
    QCOMPARE(analysis->classes.table()[analysis->classRows[0].classId].id, std::string("gemm.dense"));
    QCOMPARE(analysis->classRows[0].count, std::uint64_t{3});
    QCOMPARE(analysis->classRows[0].sum.count(), 300);
    QCOMPARE(analysis->classRows[0].unionTime.count(), 250);
    QCOMPARE(analysis->totals.compute.count(), 250);
  }

  void theComputeWallIsWhatRunsOutsideGemmAndAttention() {
    const auto analysis = mixed(300, 400, 0);
    QCOMPARE(share(analysis->wall, WallKind::Compute), 0.4);
    QVERIFY(analysis->wall.dominant == WallKind::Compute);
    QVERIFY(analysis->wall.runnerUp == WallKind::HostLaunch);
    QVERIFY(says(analysis->wall, WallKind::Compute, "40.0 % of step 1"));
    QVERIFY(says(analysis->wall, WallKind::Compute, "at::native::fill_kernel (400 ns)"));
    QVERIFY(says(analysis->wall, WallKind::Compute, "does not say their FLOPs"));
    QVERIFY(says(analysis->wall, WallKind::Memory, "not visible in a trace alone"));
    QCOMPARE(analysis->wall.reasons[0].wall, WallKind::Compute);
    QCOMPARE(analysis->wall.reasons[0].amount.count(), 400);
    QVERIFY((analysis->wall.reasons[0].intervals == std::vector<base::Interval>{{Nanoseconds(300), Nanoseconds(700)}}));
  }

  void computeUnderGemmIsNotRecoverable() {
    TraceMaker maker;
    maker.kernel(kGemm, 0, 800, 0).kernel(kFill, 700, 300, 0, 8);
    QCOMPARE(share(analysis::analyze(maker.make())->wall, WallKind::Compute), 0.2);
  }

  void theHostWallIsTheHostBoundIdle() {
    const auto analysis = mixed(200, 10, 0);
    QCOMPARE(share(analysis->wall, WallKind::HostLaunch), 0.789);
    QVERIFY(analysis->wall.dominant == WallKind::HostLaunch);
    QVERIFY(says(analysis->wall, WallKind::HostLaunch, "in 1 gap"));
    QVERIFY(says(analysis->wall, WallKind::Communication, "No communication kernel"));
  }

  void theCommunicationWallIsTheExposedPart() {
    const auto analysis = mixed(300, 50, 600);
    QCOMPARE(share(analysis->wall, WallKind::Communication), 0.6);
    QVERIFY(analysis->wall.dominant == WallKind::Communication);
  }

  void underTenPercentThereIsNoWall() {
    TraceMaker maker;
    maker.kernel(kGemm, 0, 950, 0).kernel(kFill, 950, 50, 0);
    const auto wall = analysis::analyze(maker.make())->wall;
    QVERIFY(!wall.dominant && !wall.runnerUp);
    QVERIFY(wall.verdict.starts_with("No wall above 10 %"));
  }

  void twoWallsWithinTwoPointsAreBothNamedAndNoneIsClaimed() {
    const auto wall = mixed(100, 430, 449)->wall;  // 43 % compute, 44.9 % communication
    QVERIFY(!wall.dominant);
    QVERIFY(wall.verdict.find("compute (up to 43.0 %)") != std::string::npos);
    QVERIFY(wall.verdict.find("communication (up to 44.9 %)") != std::string::npos);
    QVERIFY(mixed(100, 420, 449)->wall.dominant == WallKind::Communication);  // 2.9 points apart
  }

  void theWallIsThatOfTheMedianStepOfTheSlowestDevice() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200).marker(3, 200, 300);
    // Device 0: steps of 100, 120 and 50 ns. Device 1: 130, 110 and 100 ns.
    for (const auto& [launch, start, device] : {std::tuple{1, 0, 0}, {101, 100, 0}, {201, 220, 0}, {1, 0, 1}, {101, 130, 1}}) {
      maker.kernel(kFill, start, 50, launch, 7, device);
    }
    maker.kernel(kFill, 240, 100, 201, 7, 1);
    const auto analysis = analysis::analyze(maker.make());
    QCOMPARE(*analysis->wall.lane, std::size_t{1});
    QCOMPARE(*analysis->wall.step, std::size_t{1});
    QVERIFY(analysis->wall.verdict.find("step 2") != std::string::npos);
    QCOMPARE(share(analysis->wall, WallKind::Compute), 50.0 / 110.0);
  }

  void intervalsOfAReasonAreTheSixteenLongest() {
    TraceMaker maker;
    for (int i = 0; i < 40; ++i) maker.kernel(kFill, i * 100, 10 + i, 0);
    const auto wall = analysis::analyze(maker.make())->wall;
    const auto& intervals = wall.reasons.at(0).intervals;
    QCOMPARE(intervals.size(), analysis::kReasonIntervals);
    QCOMPARE(intervals.front().length().count(), 49);
    QCOMPARE(intervals.back().length().count(), 34);
  }

  void manyUnclassifiedKernelsAreAWarning() {
    for (const auto& [unknown, expected] : {std::pair{6, 1}, std::pair{5, 0}}) {
      TraceMaker maker;
      maker.kernel(kGemm, 0, 100 - unknown, 0);
      for (int i = 0; i < unknown; ++i) maker.kernel("what is this", 200 + i, 1, 0);
      const auto analysis = analysis::analyze(maker.make());
      QCOMPARE(analysis->diagnostics.count("unclassified_kernels"), std::uint64_t(expected == 1 ? unknown : 0));
      QCOMPARE(analysis->totals.compute.count(), 100);  // they count as compute all the same
    }
  }

  void aLargeSyntheticTraceKeepsItsInvariants() {
    const auto analysis = analysis::analyze(test::syntheticTrace(100'000));
    QCOMPARE(analysis->lanes.size(), std::size_t{8});
    std::uint64_t counted = 0;
    for (const analysis::KernelRow& row : analysis->kernels) counted += row.count;
    std::uint64_t outside = 0;
    for (const analysis::DeviceLane& lane : analysis->lanes) {
      outside += lane.eventsOutsideSteps;
      for (const analysis::Step& step : lane.steps) {
        const analysis::Ledger& l = step.ledger;
        QCOMPARE(l.duration, step.interval.length());
        QCOMPARE(l.duration, l.compute + l.exposed + l.memory + l.idle);
      }
    }
    QCOMPARE(counted + outside, analysis->trace->gpuEventCount());
  }
};

QTEST_GUILESS_MAIN(AnalysisTest)
#include "analysis_test.moc"

#include "compare/phases.h"
#include "compare/step_pairs.h"
#include "core/analysis/trace_maker.h"
#include "support/test_files.h"
#include "trace/open.h"

#include <QtTest>

#include <map>

using namespace threewalls;
using compare::Phase;
using test::TraceMaker;

namespace {

constexpr const char* kGemm = "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_TNT";
constexpr const char* kFill = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)";

std::shared_ptr<const analysis::Analysis> analysed(TraceMaker& maker) {
  return analysis::analyze(maker.make());
}

std::vector<Phase> phasesOf(const analysis::Analysis& analysis, std::size_t step, const char* classId) {
  const analysis::DeviceLane& lane = *compare::mainLane(analysis);
  return compare::phases(analysis, lane, lane.steps.at(step), classId);
}

}  // namespace

class PhasesTest : public QObject {
  Q_OBJECT

 private slots:
  void workOfAnotherClassEndsAPhaseAndACopyDoesNot() {
    TraceMaker maker;
    maker.marker(1, 0, 1000);
    maker.kernel(kGemm, 100, 10, 50);
    maker.gpu(trace::EventKind::MemoryCopy, "Memcpy DtoD (Device -> Device)", 120, 10, 51);
    maker.kernel(kGemm, 140, 30, 52);
    maker.kernel(kFill, 200, 10, 53);
    maker.kernel(kGemm, 300, 10, 54);
    maker.marker(2, 1000, 2000);
    maker.kernel(kGemm, 1100, 10, 1050);
    const auto analysis = analysed(maker);
    const auto gemms = phasesOf(*analysis, 0, "gemm.dense");
    QCOMPARE(gemms.size(), std::size_t{2});
    QCOMPARE(gemms[0].interval, (base::Interval{base::Nanoseconds(100), base::Nanoseconds(170)}));
    QCOMPARE(gemms[0].events, std::uint64_t{2});
    QCOMPARE(gemms[1].interval.start.count(), 300);
    QCOMPARE(phasesOf(*analysis, 1, "gemm.dense").size(), std::size_t{1});
    QVERIFY(phasesOf(*analysis, 0, "attn.fwd").empty());

    QVERIFY(!compare::phaseAt(gemms, base::Nanoseconds(99)));
    QCOMPARE(*compare::phaseAt(gemms, base::Nanoseconds(100)), std::size_t{0});
    QCOMPARE(*compare::phaseAt(gemms, base::Nanoseconds(299)), std::size_t{0});
    QCOMPARE(*compare::phaseAt(gemms, base::Nanoseconds(300)), std::size_t{1});
  }

  void onlyTheStreamThatSpendsMostInTheClassCounts() {
    TraceMaker maker;
    maker.marker(1, 0, 1000);
    maker.kernel(kGemm, 100, 10, 50, 7);
    maker.kernel(kFill, 120, 10, 51, 7);
    maker.kernel(kGemm, 140, 10, 52, 7);
    maker.kernel(kGemm, 110, 500, 53, 20);
    const auto phases = phasesOf(*analysed(maker), 0, "gemm.dense");
    QCOMPARE(phases.size(), std::size_t{1});
    QCOMPARE(phases[0].interval.start.count(), 110);
  }

  /// On a recording: the phases of every class hold exactly the class's events of that stream, and no two touch without another
  /// class between.
  void phasesOfARecordingPartitionTheEventsOfTheirClass() {
    const auto opened = trace::openTrace(test::repositoryFile("resources/sample/loop.pt.trace.json.gz"));
    QVERIFY(opened);
    const auto analysis = analysis::analyze(*opened);
    const analysis::DeviceLane& lane = *compare::mainLane(*analysis);
    const analysis::Step& step = lane.steps.at(1);
    struct Seen {
      base::Interval interval;
      std::string classId;
      bool memory;
    };
    std::map<trace::LaneId, std::vector<Seen>> streams;
    for (const trace::LaneId id : lane.streams) {
      for (const trace::SubLane& row : analysis->trace->lane(id).subLanes) {
        for (std::uint32_t i = 0; i < row.size(); ++i) {
          if (!trace::isGpuEvent(row.kind(i)) || row.start(i) < step.interval.start || row.start(i) >= step.interval.end)
            continue;
          const analysis::KernelClass& kernelClass = analysis->classes.classOf(row.name(i));
          streams[id].push_back({{row.start(i), row.end(i)}, kernelClass.id, kernelClass.isMemory});
        }
      }
    }
    int classes = 0;
    for (const analysis::KernelClass& kernelClass : analysis->classes.table().classes()) {
      std::map<trace::LaneId, base::Nanoseconds> times;
      for (const auto& [id, events] : streams) {
        for (const Seen& event : events) {
          if (event.classId == kernelClass.id) times[id] += event.interval.length();
        }
      }
      const auto phases = compare::phases(*analysis, lane, step, kernelClass.id);
      if (times.empty()) {
        QVERIFY(phases.empty());
        continue;
      }
      ++classes;
      const auto most = std::max_element(times.begin(), times.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
      std::vector<Seen> events = streams[most];
      std::sort(events.begin(), events.end(), [](auto& a, auto& b) { return a.interval.start < b.interval.start; });
      std::uint64_t held = 0;
      for (std::size_t p = 0; p < phases.size(); ++p) {
        std::uint64_t inside = 0, strangers = 0, between = 0;
        for (const Seen& event : events) {
          const bool within = event.interval.start >= phases[p].interval.start && event.interval.start < phases[p].interval.end;
          if (within && event.classId == kernelClass.id) ++inside;
          if (within && event.classId != kernelClass.id && !event.memory) ++strangers;
          if (p > 0 && event.classId != kernelClass.id && !event.memory && event.interval.start >= phases[p - 1].interval.end &&
              event.interval.start < phases[p].interval.start) {
            ++between;
          }
        }
        QCOMPARE(phases[p].events, inside);
        QCOMPARE(strangers, std::uint64_t{0});
        if (p > 0) QVERIFY(between > 0);
        held += inside;
      }
      const auto all =
          std::count_if(events.begin(), events.end(), [&](const Seen& event) { return event.classId == kernelClass.id; });
      QCOMPARE(held, static_cast<std::uint64_t>(all));
    }
    QVERIFY(classes >= 6);
  }
};

QTEST_GUILESS_MAIN(PhasesTest)
#include "phases_test.moc"

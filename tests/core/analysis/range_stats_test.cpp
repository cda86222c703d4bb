#include "analysis/range_stats.h"
#include "analysis/same_name.h"
#include "support/synthetic_trace.h"
#include "trace_maker.h"

#include <QtTest>

#include <map>

using namespace threewalls;
using base::Interval;
using base::Nanoseconds;
using test::TraceMaker;

namespace {

/// What the trace says of a range, event by event.
struct Scan {
  std::uint64_t count = 0;
  std::map<std::string, std::pair<std::int64_t, std::uint64_t>> names;  ///< clipped ns, events
};

Scan scan(const trace::Trace& trace, Interval range) {
  Scan out;
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.key.kind != trace::LaneKind::GpuStream) continue;
    for (const trace::SubLane& row : lane.subLanes) {
      for (std::uint32_t i = 0; i < row.size(); ++i) {
        const auto from = std::max(row.start(i).count(), range.start.count());
        const auto to = std::min(row.end(i).count(), range.end.count());
        if (from >= to) continue;
        ++out.count;
        auto& [sum, count] = out.names[std::string(trace.names()[row.name(i)])];
        sum += to - from;
        ++count;
      }
    }
  }
  return out;
}

/// Parts of a ledger of one device, nanosecond by nanosecond; the host plays no part.
analysis::Ledger naiveLedger(const analysis::Analysis& analysis, int device, Interval range) {
  const trace::Trace& trace = *analysis.trace;
  const auto length = static_cast<std::size_t>(range.length().count());
  std::vector<bool> compute(length), communication(length), memory(length);
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.key.kind != trace::LaneKind::GpuStream || lane.key.device != device) continue;
    for (const trace::SubLane& row : lane.subLanes) {
      for (std::uint32_t i = 0; i < row.size(); ++i) {
        const bool copy = row.kind(i) != trace::EventKind::Kernel;
        const bool nccl = trace.names()[row.name(i)].starts_with("nccl");
        auto& into = copy ? memory : nccl ? communication : compute;
        for (auto t = std::max(row.start(i), range.start); t < std::min(row.end(i), range.end); t += Nanoseconds(1)) {
          into[static_cast<std::size_t>((t - range.start).count())] = true;
        }
      }
    }
  }
  analysis::Ledger out;
  out.duration = range.length();
  for (std::size_t t = 0; t < length; ++t) {
    const Nanoseconds one(1);
    if (communication[t]) out.communication += one;
    if (compute[t]) {
      out.compute += one;
    } else if (communication[t]) {
      out.exposed += one;
    } else if (memory[t]) {
      out.memory += one;
    } else {
      out.idle += one;
    }
  }
  return out;
}

/// Two GPUs whose kernels, collectives and copies overlap in many ways within 20 µs.
std::shared_ptr<const analysis::Analysis> twoGpus() {
  TraceMaker maker;
  std::uint32_t random = 7;
  const auto below = [&random](std::uint32_t limit) {
    random = random * 1664525U + 1013904223U;
    return static_cast<std::int64_t>((random >> 8) % limit);
  };
  for (int device = 0; device < 2; ++device) {
    for (int i = 0; i < 40; ++i) {
      maker.kernel("gemm", below(20'000), 1 + below(400), {}, 7, device);
      maker.kernel("ncclDevKernel_AllReduce_Sum", below(20'000), 1 + below(700), {}, 20, device);
      maker.gpu(trace::EventKind::MemoryCopy, "Memcpy DtoD (Device -> Device)", below(20'000), 1 + below(300), {}, 21, device);
    }
  }
  return analysis::analyze(maker.make());
}

}  // namespace

class RangeStatsTest : public QObject {
  Q_OBJECT

 private slots:
  void theRangeOfAStepHasTheLedgerThatAnalyzeGivesIt() {
    const auto analysis = analysis::analyze(test::syntheticTrace(40'000));
    QVERIFY(analysis->lanes.size() > 1 && analysis->lanes.front().steps.size() > 1);
    for (std::size_t s = 0; s < analysis->lanes.front().steps.size(); ++s) {
      const Interval range = analysis->lanes.front().steps[s].interval;
      analysis::Ledger sum;
      for (const analysis::DeviceLane& lane : analysis->lanes) sum += lane.occupancy.ledger(range);
      const analysis::RangeStats stats = analysis::rangeStats(*analysis, range);
      QCOMPARE(stats.gpus, analysis->lanes.size());
      QCOMPARE(stats.ledger.compute, sum.compute / static_cast<std::int64_t>(stats.gpus));
      QCOMPARE(stats.ledger.exposed, sum.exposed / static_cast<std::int64_t>(stats.gpus));
    }
    // One GPU: the very ledger of `analyze`, every part of it.
    TraceMaker maker;
    for (int i = 0; i < 3; ++i) {
      maker.marker(i, i * 1000, i * 1000 + 1000);
      maker.kernel("gemm", i * 1000 + 100, 300, i * 1000 + 50).kernel("ncclDevKernel_AllReduce_Sum", i * 1000 + 350, 200, {}, 20);
      maker.gpu(trace::EventKind::MemorySet, "Memset (Device)", i * 1000 + 600, 50);
    }
    const auto single = analysis::analyze(maker.make());
    QCOMPARE(single->lanes.at(0).steps.size(), std::size_t{3});
    for (const analysis::Step& step : single->lanes[0].steps) {
      QVERIFY(analysis::rangeStats(*single, step.interval).ledger == step.ledger);
    }
  }

  void theWholeRecordingHasTheKernelTableThatAnalyzePrints() {
    TraceMaker maker;
    for (int i = 0; i < 50; ++i) maker.kernel(i % 3 == 0 ? "gemm" : "softmax", i * 100, 20 + i).kernel("copyKernel", i * 90, 5, {}, 9);
    analysis::AnalysisOptions options;
    options.whole = true;
    const auto analysis = analysis::analyze(maker.make(), analysis::ClassTable::builtIn(), options);
    const auto times = analysis::timesByName(*analysis->trace, analysis->lanes.at(0).occupancy.span());
    QVERIFY(times);
    QCOMPARE(times->size(), analysis->kernels.size());
    for (std::size_t i = 0; i < times->size(); ++i) {
      QCOMPARE((*times)[i].name, analysis->kernels[i].name);
      QCOMPARE((*times)[i].sum, analysis->kernels[i].sum);
      QCOMPARE((*times)[i].count, analysis->kernels[i].count);
    }
    QVERIFY(analysis::rangeStats(*analysis, analysis->lanes[0].occupancy.span()).ledger == analysis->totals);
  }

  void anyRangeEqualsAScanOfEveryNanosecond() {
    const auto analysis = twoGpus();
    QCOMPARE(analysis->lanes.size(), std::size_t{2});
    for (const auto& [from, to] : {std::pair{0, 21'000}, {1, 2}, {777, 12'345}, {5'000, 5'400}, {-500, 300}, {30'000, 31'000}}) {
      const Interval range{Nanoseconds(from), Nanoseconds(to)};
      const analysis::RangeStats stats = analysis::rangeStats(*analysis, range);
      analysis::Ledger expected = naiveLedger(*analysis, 0, range);
      expected += naiveLedger(*analysis, 1, range);
      QCOMPARE(stats.ledger.duration.count(), expected.duration.count() / 2);
      QCOMPARE(stats.ledger.compute.count(), expected.compute.count() / 2);
      QCOMPARE(stats.ledger.communication.count(), expected.communication.count() / 2);
      QCOMPARE(stats.ledger.exposed.count(), expected.exposed.count() / 2);
      QCOMPARE(stats.ledger.memory.count(), expected.memory.count() / 2);
      QCOMPARE(stats.ledger.idle.count(), expected.idle.count() / 2);

      const Scan scanned = scan(*analysis->trace, range);
      QCOMPARE(stats.count, scanned.count);
      const auto times = analysis::timesByName(*analysis->trace, range);
      QVERIFY(times);
      QCOMPARE(times->size(), scanned.names.size());
      Nanoseconds before = Nanoseconds::max();
      for (const analysis::NameTime& entry : *times) {
        const auto& [sum, count] = scanned.names.at(std::string(analysis->trace->names()[entry.name]));
        QCOMPARE(entry.sum.count(), sum);
        QCOMPARE(entry.count, count);
        QVERIFY(entry.sum <= before);
        before = entry.sum;
      }
    }
  }

  void aRequestToStopEndsBothScans() {
    const auto trace = test::syntheticTrace(200'000);
    std::stop_source stop;
    stop.request_stop();
    const base::Progress progress(stop.get_token(), {});
    const auto times = analysis::timesByName(*trace, trace->span(), progress);
    QVERIFY(!times && times.error().code == base::ErrorCode::Cancelled);
    const auto same = analysis::sameName(*trace, {static_cast<trace::LaneId>(0), 0, 0}, progress);
    QVERIFY(!same && same.error().code == base::ErrorCode::Cancelled);
  }

  void sameNamesAreCountedAndRankedByLength() {
    TraceMaker maker;
    maker.kernel("k", 0, 10).kernel("other", 20, 99).kernel("k", 200, 30).kernel("k", 300, 20, {}, 8).kernel("k", 400, 5);
    const auto trace = maker.make();
    const auto same = analysis::sameName(*trace, {static_cast<trace::LaneId>(0), 0, 0});
    QVERIFY(same);
    QVERIFY(*same == (analysis::SameName{4, Nanoseconds(10), Nanoseconds(5), Nanoseconds(30), 3}));
  }
};

QTEST_APPLESS_MAIN(RangeStatsTest)
#include "range_stats_test.moc"

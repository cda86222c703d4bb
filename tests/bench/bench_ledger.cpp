// What the ledger costs: making the interval sets of a trace once, and then the ledger of any range, as a drag on the timeline
// asks for it. For scale: the busy time of the same range by a walk over every GPU event of the device.
#include "analysis/analysis.h"
#include "analysis/gpu_events.h"
#include "support/synthetic_trace.h"

#include <benchmark/benchmark.h>

#include <map>

namespace {

using namespace threewalls;

std::shared_ptr<const analysis::Analysis> analysed(std::int64_t events) {
  static std::map<std::int64_t, std::shared_ptr<const analysis::Analysis>> made;
  auto& entry = made[events];
  if (!entry) entry = analysis::analyze(test::syntheticTrace(static_cast<std::uint64_t>(events)));
  return entry;
}

/// A range in the middle of the device's recording, as long as a tenth of it.
base::Interval middleTenth(const analysis::DeviceOccupancy& occupancy) {
  const base::Nanoseconds length = occupancy.span().length();
  return {occupancy.span().start + length * 45 / 100, occupancy.span().start + length * 55 / 100};
}

void analyzeTrace(benchmark::State& state) {
  const auto all = analysed(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(analysis::analyze(all->trace));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(all->trace->gpuEventCount()));
}

void buildOccupancy(benchmark::State& state) {
  const auto all = analysed(state.range(0));
  const analysis::DeviceLane& lane = all->lanes.front();
  for (auto _ : state) benchmark::DoNotOptimize(analysis::DeviceOccupancy(*all->trace, lane.streams, all->classes));
  std::int64_t events = 0;
  analysis::forEachGpuEvent(*all->trace, lane.streams, [&](const analysis::GpuEvent&) { ++events; });
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * events);
}

void rangeLedger(benchmark::State& state) {
  const auto all = analysed(state.range(0));
  const analysis::DeviceOccupancy& occupancy = all->lanes.front().occupancy;
  const base::Interval range = middleTenth(occupancy);
  for (auto _ : state) benchmark::DoNotOptimize(occupancy.ledger(range));
}

void rangeByWalkingEvents(benchmark::State& state) {
  const auto all = analysed(state.range(0));
  const analysis::DeviceLane& lane = all->lanes.front();
  const base::Interval range = middleTenth(lane.occupancy);
  for (auto _ : state) {
    std::vector<base::Interval> busy;
    analysis::forEachGpuEvent(*all->trace, lane.streams, [&](const analysis::GpuEvent& event) {
      if (event.interval.end > range.start && event.interval.start < range.end) busy.push_back(event.interval);
    });
    benchmark::DoNotOptimize(analysis::IntervalSet(std::move(busy)).totalWithin(range));
  }
}

}  // namespace

BENCHMARK(analyzeTrace)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(buildOccupancy)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(rangeLedger)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kNanosecond);
BENCHMARK(rangeByWalkingEvents)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kNanosecond);
BENCHMARK_MAIN();

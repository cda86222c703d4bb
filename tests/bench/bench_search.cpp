// Time for all hits of a search over a synthetic trace, from the names to the list of hits. `limit` is a plain pass over the same
// id columns that counts one id: what no search that looks at every event can beat. `times_limit` is the ratio of the two, both
// measured in this run.

#include "analysis/search_hits.h"
#include "support/synthetic_trace.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <map>

using namespace threewalls;

namespace {

std::shared_ptr<const trace::Trace> traceOf(std::int64_t events) {
  static std::map<std::int64_t, std::shared_ptr<const trace::Trace>> made;
  auto& trace = made[events];
  if (trace == nullptr) trace = test::syntheticTrace(static_cast<std::uint64_t>(events));
  return trace;
}

std::uint64_t countOne(const trace::Trace& trace, trace::NameId wanted) {
  std::uint64_t count = 0;
  for (const trace::Lane& lane : trace.lanes()) {
    for (const trace::SubLane& sub : lane.subLanes) {
      for (const trace::NameId id : sub.names()) count += id == wanted ? 1 : 0;
    }
  }
  return count;
}

double limitSeconds(const trace::Trace& trace) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(countOne(trace, trace::NameId(3)));
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

void limit(benchmark::State& state) {
  const auto trace = traceOf(state.range(0));
  for (auto step : state) benchmark::DoNotOptimize(countOne(*trace, trace::NameId(3)));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace->eventCount()));
}

void allHits(benchmark::State& state, const char* pattern, analysis::QueryKind kind) {
  const auto trace = traceOf(state.range(0));
  std::size_t hits = 0;
  double seconds = 0;
  for (auto step : state) {
    const auto begin = std::chrono::steady_clock::now();
    const auto found = analysis::search(trace, {pattern, kind});
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    hits = found->size();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace->eventCount()));
  state.counters["hits"] = static_cast<double>(hits);
  state.counters["times_limit"] = seconds / static_cast<double>(state.iterations()) / limitSeconds(*trace);
}

/// What the window asks of the hits for one frame and one page of its list, in the worst case: every second event is a hit.
void askHits(benchmark::State& state) {
  const auto trace = traceOf(state.range(0));
  const auto hits = analysis::search(trace, {"e", analysis::QueryKind::Text});
  for (auto step : state) {
    benchmark::DoNotOptimize(hits->density(trace->span(), 1200));
    auto event = std::optional(hits->at(hits->size() / 2));
    for (int i = 0; i < 64 && event; ++i) event = hits->after(*event);
    benchmark::DoNotOptimize(event);
  }
  state.counters["hits"] = static_cast<double>(hits->size());
}

}  // namespace

BENCHMARK(limit)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allHits, one_name, "dispatch", analysis::QueryKind::Text)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allHits, most_events, "e", analysis::QueryKind::Text)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allHits, expression, "^nccl.*|gemm", analysis::QueryKind::Expression)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(askHits)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();

// Time to build the pyramid of one row, to answer a range question on it, and to build a whole synthetic trace of 64 lanes from
// raw events (which includes making them). `bytes_per_event` is of the pyramid, or of the whole trace.

#include "support/synthetic_trace.h"
#include "trace/pyramid.h"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

using namespace threewalls;

namespace {

std::vector<std::int64_t> durations(std::int64_t count) {
  std::mt19937_64 random(7);
  std::vector<std::int64_t> out(static_cast<std::size_t>(count));
  for (auto& duration : out) duration = static_cast<std::int64_t>(random() % 100'000);
  return out;
}

void buildPyramid(benchmark::State& state) {
  const auto values = durations(state.range(0));
  const auto duration = [&](std::uint32_t i) { return values[i]; };
  std::size_t bytes = 0;
  for (auto step : state) {
    const trace::Pyramid pyramid(static_cast<std::uint32_t>(values.size()), duration);
    bytes = pyramid.bytes();
    benchmark::DoNotOptimize(bytes);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bytes_per_event"] = static_cast<double>(bytes) / static_cast<double>(values.size());
}

void askPyramid(benchmark::State& state) {
  const auto values = durations(state.range(0));
  const auto duration = [&](std::uint32_t i) { return values[i]; };
  const trace::Pyramid pyramid(static_cast<std::uint32_t>(values.size()), duration);
  std::mt19937_64 random(8);
  for (auto step : state) {
    const auto a = static_cast<std::uint32_t>(random() % values.size());
    const auto b = static_cast<std::uint32_t>(random() % values.size());
    benchmark::DoNotOptimize(pyramid.summary(std::min(a, b), std::max(a, b), duration));
  }
}

void buildTrace(benchmark::State& state) {
  double perEvent = 0;
  for (auto step : state) {
    const auto trace = test::syntheticTrace(static_cast<std::uint64_t>(state.range(0)));
    perEvent = static_cast<double>(trace->bytes()) / static_cast<double>(trace->eventCount());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bytes_per_event"] = perEvent;
}

}  // namespace

BENCHMARK(buildPyramid)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(askPyramid)->Arg(1'000'000)->Arg(10'000'000);
BENCHMARK(buildTrace)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();

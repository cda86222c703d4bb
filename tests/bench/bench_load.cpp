// Loads a plain trace file and sets that against the bare limit, measured in turn in the same run: reading the same file from the
// page cache and walking it with simdjson on demand, looking at name, cat, ph, ts, dur, pid, tid, args.stream and
// args.correlation of every event. Above 1 the load is faster than the walk.
//
//   bench_load FILE.json [FILE.json ...] [--benchmark_...]
//
// Counters: of_walk (best wall time of read and walk over best wall time of the load), of_walk_only (the same without reading
// the file), cpu_of_walk (as of_walk by processor time, for busy machines; of all threads together), events, bytes_per_event.

#include "trace/open.h"

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>

using namespace threewalls;
namespace ondemand = simdjson::ondemand;

namespace {

double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Sums {
  std::uint64_t characters = 0;
  double times = 0;
  std::int64_t numbers = 0;
};

void readText(ondemand::value value, Sums& sums) {
  std::string_view text;
  if (!value.get_string().get(text)) sums.characters += text.size();
}

void readNumber(ondemand::value value, Sums& sums) {
  std::int64_t number = 0;
  if (!value.get_int64().get(number)) sums.numbers += number;
}

void readTime(ondemand::value value, Sums& sums) {
  double time = 0;
  if (!value.get_double().get(time)) sums.times += time;
}

void readArguments(ondemand::value value, Sums& sums) {
  ondemand::object arguments;
  if (value.get_object().get(arguments)) return;
  for (auto field : arguments) {
    const auto key = field.key().value_unsafe();
    if (key == "stream" || key == "correlation") readNumber(field.value().value_unsafe(), sums);
  }
}

/// The bare limit: every field that is asked for and nothing else.
Sums walk(const simdjson::padded_string& text) {
  Sums sums;
  ondemand::parser parser;
  ondemand::document document;
  if (parser.iterate(text).get(document)) std::abort();
  ondemand::array events;
  if (document["traceEvents"].get_array().get(events)) std::abort();
  for (auto element : events) {
    ondemand::object event;
    if (element.get_object().get(event)) std::abort();
    for (auto field : event) {
      const auto key = field.key().value_unsafe();
      ondemand::value value = field.value().value_unsafe();
      if (key == "name" || key == "cat" || key == "ph") {
        readText(value, sums);
      } else if (key == "ts" || key == "dur") {
        readTime(value, sums);
      } else if (key == "pid" || key == "tid") {
        readNumber(value, sums);
      } else if (key == "args") {
        readArguments(value, sums);
      }
    }
  }
  return sums;
}

void load(benchmark::State& state, const std::string& path, unsigned threads) {
  double walkWall = std::numeric_limits<double>::max();
  double walkOnly = walkWall;
  double walkCpu = walkWall;
  double loadWall = walkWall;
  double loadCpu = walkWall;
  std::shared_ptr<const trace::Trace> trace;
  for (auto step : state) {
    trace.reset();
    {
      const double wall = wallSeconds();
      const double cpu = processorSeconds();
      const simdjson::padded_string text = simdjson::padded_string::load(path);
      const double read = wallSeconds();
      benchmark::DoNotOptimize(walk(text));
      walkWall = std::min(walkWall, wallSeconds() - wall);
      walkOnly = std::min(walkOnly, wallSeconds() - read);
      walkCpu = std::min(walkCpu, processorSeconds() - cpu);
    }
    const double wall = wallSeconds();
    const double cpu = processorSeconds();
    const auto opened = trace::openTrace(path, {}, threads);
    const double took = wallSeconds() - wall;
    if (!opened) {
      state.SkipWithError(opened.error().text().c_str());
      return;
    }
    loadWall = std::min(loadWall, took);
    loadCpu = std::min(loadCpu, processorSeconds() - cpu);
    state.SetIterationTime(took);
    trace = *opened;
  }
  const auto events = static_cast<double>(trace->eventCount());
  const auto bytes = static_cast<double>(trace->info().textBytes);
  state.counters["of_walk"] = walkWall / loadWall;
  state.counters["of_walk_only"] = walkOnly / loadWall;
  state.counters["cpu_of_walk"] = walkCpu / loadCpu;
  state.counters["MB_per_s"] = bytes / loadWall / 1e6;
  state.counters["walk_MB_per_s"] = bytes / walkWall / 1e6;
  state.counters["events"] = events;
  state.counters["bytes_per_event"] = static_cast<double>(trace->bytes()) / events;
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  for (int i = 1; i < count; ++i) {
    for (const unsigned threads : {1U, 2U}) {
      const std::string path = arguments[i];
      const std::string name = "load/" + path.substr(path.rfind('/') + 1) + "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(name.c_str(), [path, threads](benchmark::State& state) { load(state, path, threads); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(7);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

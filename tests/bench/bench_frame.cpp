// Frames of the timeline widget, painted offscreen into a 1920 × 1080 image: what a user waits for while panning and zooming.
// Counters are in milliseconds: 50th and 95th percentile and the worst of all frames, by the clock and, since a busy machine
// makes that say little, by the processor time of the one thread that paints. Targets (timeline_ui.md section 5) at 10 M events:
// pan p95 ≤ 8, zoom p95 ≤ 16, worst whole-trace frame ≤ 33.
#include "analysis/analysis.h"
#include "common/document.h"
#include "common/selection.h"
#include "common/theme.h"
#include "support/synthetic_trace.h"
#include "timeline/timeline_view.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace threewalls;

namespace {

/// One whole frame, in ms.
struct FrameTime {
  double clock;
  double processor;
};

double processorMilliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// A view of a synthetic run with every lane unfolded, made once per size.
struct Scene {
  explicit Scene(std::uint64_t events) : view(document, selection, state) {
    const auto analysis = analysis::analyze(test::syntheticTrace(events));
    view.setTheme(*common::Theme::load("dark"));
    view.resize(1920, 1080);
    common::Run run;
    run.name = "synthetic";
    run.analysis = analysis;
    document.setRuns(run, std::nullopt, nullptr, "bench");
    for (std::size_t i = 0; i < analysis->trace->lanes().size(); ++i) {
      state.setFolded({common::Side::A, static_cast<trace::LaneId>(i)}, false);
    }
    frame();
  }

  FrameTime frame() {
    const auto begin = std::chrono::steady_clock::now();
    const double processor = processorMilliseconds();
    view.render(&image, {}, {}, QWidget::DrawChildren);
    return {std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count(),
            processorMilliseconds() - processor};
  }

  static Scene& of(std::uint64_t events) {
    static std::map<std::uint64_t, std::unique_ptr<Scene>> scenes;
    auto& scene = scenes[events];
    if (!scene) {
      scenes.clear();  // one at a time: ten million events take a third of a gigabyte
      scenes[events] = std::make_unique<Scene>(events);
    }
    return *scenes[events];
  }

  common::Document document;
  common::Selection selection;
  timeline::ViewState state;
  timeline::TimelineView view;
  QImage image{1920, 1080, QImage::Format_RGB32};
};

void report(benchmark::State& state, const std::vector<FrameTime>& frames) {
  const auto count = [&](const std::string& name, double FrameTime::*part) {
    std::vector<double> times;
    for (const FrameTime& frame : frames) times.push_back(frame.*part);
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) { return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))]; };
    state.counters[name + "p50_ms"] = at(0.5);
    state.counters[name + "p95_ms"] = at(0.95);
    state.counters[name + "worst_ms"] = times.back();
  };
  if (frames.empty()) return;
  count("", &FrameTime::clock);
  count("cpu_", &FrameTime::processor);
}

/// Pans by 8 pixels a frame at 1/64 of the trace, to and fro.
void pan(benchmark::State& state) {
  Scene& scene = Scene::of(static_cast<std::uint64_t>(state.range(0)));
  const timeline::TimeRange bounds = scene.state.bounds();
  scene.state.fit({bounds.middle(), bounds.middle() + bounds.length() / 64});
  scene.frame();
  std::vector<FrameTime> frames;
  for (auto _ : state) {
    const double direction = frames.size() / 100 % 2 == 0 ? 1 : -1;
    scene.state.panBy(direction * 8 * scene.view.axis().nsPerPixel());
    frames.push_back(scene.frame());
  }
  report(state, frames);
}

/// Zooms from the whole trace to 1/4096 of it and back, 10 % a frame, about a place in the middle.
void zoom(benchmark::State& state) {
  Scene& scene = Scene::of(static_cast<std::uint64_t>(state.range(0)));
  scene.state.fitAll();
  scene.frame();
  const double whole = scene.state.bounds().length();
  const double anchor = scene.state.bounds().start + whole * 0.37;
  double factor = 1 / 1.1;
  std::vector<FrameTime> frames;
  for (auto _ : state) {
    if (scene.state.range().length() < whole / 4096) factor = 1.1;
    if (scene.state.range().length() > whole) factor = 1 / 1.1;
    scene.state.zoomAt(anchor, factor);
    frames.push_back(scene.frame());
  }
  report(state, frames);
}

/// Redraws the whole trace from nothing.
void wholeTrace(benchmark::State& state) {
  Scene& scene = Scene::of(static_cast<std::uint64_t>(state.range(0)));
  std::vector<FrameTime> frames;
  for (auto _ : state) {
    // A slightly different range each time: no painted row can be kept.
    scene.state.fit(scene.state.bounds(), 0.01 + 0.0001 * static_cast<double>(frames.size() % 50));
    frames.push_back(scene.frame());
  }
  report(state, frames);
}

BENCHMARK(pan)->Arg(1'000'000)->Arg(10'000'000)->Iterations(400)->Unit(benchmark::kMillisecond);
BENCHMARK(zoom)->Arg(1'000'000)->Arg(10'000'000)->Iterations(400)->Unit(benchmark::kMillisecond);
BENCHMARK(wholeTrace)->Arg(1'000'000)->Arg(10'000'000)->Iterations(60)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

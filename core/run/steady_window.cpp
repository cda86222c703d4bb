#include "run/steady_window.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace threewalls::run {
namespace {

using LineList = std::vector<const IterationLine*>;

std::int64_t span(const IterationLine& line) {
  return line.iteration - line.firstIteration + 1;
}

/// Usable lines, and how many iterations the log has seen (each once).
LineList usableLines(const TrainingLog& log, std::int64_t& seen) {
  LineList usable;
  seen = 0;
  for (const IterationLine& line : log.iterations) {
    if ((line.marks & (line_mark::kSuperseded | line_mark::kDuplicate)) == 0) seen += span(line);
    if (line.usable()) usable.push_back(&line);
  }
  return usable;
}

/// The shortest tail of `usable` that stands for kDefaultWindow iterations.
LineList tail(const LineList& usable) {
  std::int64_t covered = 0;
  std::size_t begin = usable.size();
  while (begin > 0 && covered < kDefaultWindow) covered += span(*usable[--begin]);
  return {usable.begin() + static_cast<std::ptrdiff_t>(begin), usable.end()};
}

LineList declaredLines(const TrainingLog& log, std::int64_t from, std::int64_t to) {
  LineList lines;
  for (const IterationLine& line : log.iterations) {
    // Who declares a window may want it to begin in what looks like warm-up; the other marks are never step times.
    const bool counts = (line.marks & ~line_mark::kWarmup) == 0 && line.milliseconds;
    if (counts && line.firstIteration >= from && line.iteration <= to) lines.push_back(&line);
  }
  return lines;
}

std::optional<Estimate> throughput(const TrainingLog& log, const LineList& lines) {
  std::vector<double> values;
  for (const IterationLine* line : lines) {
    if (line->tflopsPerGpu) {
      values.push_back(*line->tflopsPerGpu);
    } else if (line->stepTime) {
      values.push_back(log.stepTimes[*line->stepTime].tflopsPerGpu);
    }
  }
  if (values.empty()) return std::nullopt;
  return estimate(values);
}

std::string percent(double ratio) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%+.1f %%", ratio * 100);
  return text.data();
}

}  // namespace

std::string_view toText(WindowKind kind) {
  switch (kind) {
    case WindowKind::Declared: return "declared";
    case WindowKind::Default: return "default";
    case WindowKind::Screening: return "screening";
  }
  return "default";
}

Estimate estimate(const std::vector<double>& series) {
  Estimate out;
  out.count = series.size();
  out.median = base::median(series);
  out.mean = base::mean(series);
  if (series.size() >= kLeastForInterval) out.medianCi95 = base::medianCi95(series);
  return out;
}

std::optional<SteadyWindow> steadyWindow(const TrainingLog& log, std::optional<std::pair<std::int64_t, std::int64_t>> declared) {
  SteadyWindow window;
  LineList lines;
  if (declared) {
    window.kind = WindowKind::Declared;
    lines = declaredLines(log, declared->first, declared->second);
  } else {
    std::int64_t seen = 0;
    const LineList usable = usableLines(log, seen);
    window.kind = seen >= kLeastRun ? WindowKind::Default : WindowKind::Screening;
    if (window.kind == WindowKind::Default) lines = tail(usable);
    if (window.kind == WindowKind::Screening && usable.size() >= kLeastScreening) lines = usable;
  }
  if (lines.empty()) return std::nullopt;
  window.from = declared ? declared->first : lines.front()->firstIteration;
  window.to = declared ? declared->second : lines.back()->iteration;
  std::vector<double> positions;
  for (const IterationLine* line : lines) {
    window.nanoseconds.push_back(*line->milliseconds * 1e6);
    positions.push_back(static_cast<double>(line->iteration));
    window.iterations += span(*line);
  }
  window.stepTime = estimate(window.nanoseconds);
  window.tflops = throughput(log, lines);
  window.drift = base::relativeDrift(positions, window.nanoseconds);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (window.nanoseconds[i] > kSlowFactor * window.stepTime.median) window.slow.push_back(lines[i]->iteration);
  }
  return window;
}

std::vector<base::Diagnostic> windowNotes(const TrainingLog& log, const std::optional<SteadyWindow>& window) {
  std::vector<base::Diagnostic> notes;
  const std::string file = log.files.empty() ? std::string() : log.files.back();
  const auto note = [&](base::Severity severity, std::string code, std::string message) {
    notes.push_back({severity, std::move(code), std::move(message), file, {}, {}});
  };
  if (!window) {
    if (!log.iterations.empty()) {
      note(base::Severity::Warning, "no_steady_window", "Too few iterations after the warm-up for a steady window.");
    }
    return notes;
  }
  const std::string range = "iterations " + std::to_string(window->from) + " to " + std::to_string(window->to);
  if (window->drifts()) {
    note(base::Severity::Warning, "steady_drift",
         "The step time changes by " + percent(window->drift) + " across " + range + ": the run was not steady.");
  }
  if (!window->slow.empty()) {
    note(base::Severity::Info, "slow_iterations",
         std::to_string(window->slow.size()) + " of " + range + " took over 1.5 times the median; they count.");
  }
  if (window->kind == WindowKind::Screening) {
    note(base::Severity::Info, "screening_window",
         "The run is shorter than 50 iterations: the window is all that follows its "
         "warm-up, good for screening only.");
  }
  if (window->stepTime.count < kLeastForInterval) {
    note(base::Severity::Info, "few_lines_window",
         "The window holds " + std::to_string(window->stepTime.count) + " printed lines, means of " +
             std::to_string(window->iterations) + " iterations: too few for an interval. Declare a longer one.");
  }
  return notes;
}

}  // namespace threewalls::run

#include "analysis/steps.h"

#include "analysis/gpu_events.h"
#include "base/statistics.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace threewalls::analysis {
namespace {

using base::Interval;
using base::Nanoseconds;

constexpr std::string_view kMarkerPrefix = "ProfilerStep#";

std::optional<std::int64_t> stepNumber(std::string_view name) {
  if (!name.starts_with(kMarkerPrefix)) return std::nullopt;
  name.remove_prefix(kMarkerPrefix.size());
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number < 0) return std::nullopt;
  return number;
}

/// Markers in lanes for which `wanted(lane)` holds; `kinds` says which events can be one.
template <class Wanted, class Kinds>
std::vector<StepMarker> markers(const trace::Trace& trace, const Wanted& wanted, const Kinds& kinds) {
  std::vector<std::optional<std::int64_t>> numbers;
  for (std::size_t i = 0; i < trace.names().size(); ++i) numbers.push_back(stepNumber(trace.names()[trace::NameId(i)]));
  std::vector<StepMarker> found;
  for (const trace::Lane& lane : trace.lanes()) {
    if (!wanted(lane)) continue;
    for (const trace::SubLane& subLane : lane.subLanes) {
      for (std::uint32_t i = 0; i < subLane.size(); ++i) {
        const auto& number = numbers[trace::index(subLane.name(i))];
        if (!number || !kinds(subLane.kind(i))) continue;
        found.push_back({std::string(trace.names()[subLane.name(i)]), number, {subLane.start(i), subLane.end(i)}});
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const StepMarker& x, const StepMarker& y) { return x.interval < y.interval; });
  std::set<std::int64_t> seen;
  std::erase_if(found, [&](const StepMarker& marker) { return !seen.insert(*marker.number).second; });
  return found;
}

/// Index of the last marker that starts at or before `time`; none when all start later.
std::optional<std::size_t> markerAt(const std::vector<StepMarker>& markers, Nanoseconds time) {
  const auto after = std::partition_point(markers.begin(), markers.end(),
                                          [time](const StepMarker& marker) { return marker.interval.start <= time; });
  if (after == markers.begin()) return std::nullopt;
  return static_cast<std::size_t>(after - markers.begin()) - 1;
}

Step stepFrom(const StepMarker& marker, Nanoseconds start, StepBoundary boundary) {
  Step step;
  step.name = marker.name;
  step.number = marker.number;
  step.interval = {start, start};
  step.boundary = boundary;
  return step;
}

/// Ends every step at the next one's start and leaves the last one to `end`.
void closeSteps(std::vector<Step>& steps, Nanoseconds end) {
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) steps[i].interval.end = steps[i + 1].interval.start;
  steps.back().interval.end = std::max(end, steps.back().interval.start);
  steps.back().marks |= step_mark::kOpenEnd;
}

std::vector<Step> stepsByLaunch(const std::vector<StepMarker>& markers, const std::vector<GpuEvent>& events) {
  std::vector<std::optional<Interval>> reach(markers.size());  // first start and last end of the events of each marker
  for (const GpuEvent& event : events) {
    const auto at = event.launch == kNoLaunchTime ? std::nullopt : markerAt(markers, event.launch);
    if (!at) continue;
    auto& stretch = reach[*at];
    if (!stretch) stretch = event.interval;
    stretch = {std::min(stretch->start, event.interval.start), std::max(stretch->end, event.interval.end)};
  }
  std::vector<Step> steps;
  Nanoseconds end{0};
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (!reach[i]) continue;
    // Work of a later step can start early on a side stream: starts never decrease.
    const Nanoseconds start = steps.empty() ? reach[i]->start : std::max(reach[i]->start, steps.back().interval.start);
    steps.push_back(stepFrom(markers[i], start, StepBoundary::GpuLaunch));
    steps.back().hostDuration = markers[i].interval.length();
    end = reach[i]->end;
  }
  if (steps.empty()) return steps;
  // Events without a launch call go by time; they can still run past the last event that has one.
  std::vector<Interval> unlaunched;
  for (const GpuEvent& event : events) {
    if (event.launch == kNoLaunchTime && event.interval.start >= steps.back().interval.start)
      unlaunched.push_back(event.interval);
  }
  std::sort(unlaunched.begin(), unlaunched.end());
  for (const Interval& interval : unlaunched) {
    if (interval.start < end) end = std::max(end, interval.end);
  }
  closeSteps(steps, end);
  return steps;
}

std::vector<Step> stepsByMarkerStart(const std::vector<StepMarker>& markers, const std::vector<StepMarker>& hostMarkers,
                                     const std::vector<GpuEvent>& events, StepBoundary boundary) {
  std::vector<Step> steps;
  for (const StepMarker& marker : markers) {
    steps.push_back(stepFrom(marker, marker.interval.start, boundary));
    const auto host = std::find_if(hostMarkers.begin(), hostMarkers.end(),
                                   [&](const StepMarker& other) { return other.number == marker.number; });
    if (host != hostMarkers.end()) steps.back().hostDuration = host->interval.length();
  }
  std::optional<Nanoseconds> end;
  for (const GpuEvent& event : events) {
    if (event.interval.start >= steps.back().interval.start) end = std::max(end.value_or(event.interval.end), event.interval.end);
  }
  closeSteps(steps, end.value_or(markers.back().interval.end));
  return steps;
}

}  // namespace

std::string_view toText(StepBoundary boundary) {
  switch (boundary) {
    case StepBoundary::GpuLaunch: return "gpu_launch";
    case StepBoundary::GpuMarker: return "gpu_marker";
    case StepBoundary::CpuMarker: return "cpu_marker";
    case StepBoundary::Whole: return "whole";
  }
  return "whole";
}

std::string spokenName(const Step& step) {
  if (step.number) return "step " + std::to_string(*step.number);
  if (step.name == "range") return "the range";
  return step.boundary == StepBoundary::Whole ? "the whole recording" : step.name;
}

std::vector<StepMarker> hostStepMarkers(const trace::Trace& trace, std::string_view process) {
  // Writers of 2021 had no annotation category: markers were operators.
  const auto kinds = [](trace::EventKind kind) {
    return kind == trace::EventKind::Annotation || kind == trace::EventKind::Operator;
  };
  const auto host = [](const trace::Lane& lane) { return lane.key.kind == trace::LaneKind::HostThread; };
  std::vector<StepMarker> own;
  if (!process.empty()) {
    own = markers(
        trace, [&](const trace::Lane& lane) { return host(lane) && lane.key.process == process; }, kinds);
  }
  return own.empty() ? markers(trace, host, kinds) : own;
}

std::vector<StepMarker> gpuStepMarkers(const trace::Trace& trace, int device) {
  return markers(
      trace,
      [&](const trace::Lane& lane) { return lane.key.kind == trace::LaneKind::GpuAnnotation && lane.key.device == device; },
      [](trace::EventKind kind) { return kind == trace::EventKind::GpuAnnotation; });
}

std::vector<Step> findSteps(const trace::Trace& trace, const std::vector<trace::LaneId>& streams, std::string_view process,
                            int device, Interval span) {
  const std::vector<StepMarker> host = hostStepMarkers(trace, process);
  std::vector<GpuEvent> events;
  forEachGpuEvent(trace, streams, [&](const GpuEvent& event) { events.push_back(event); });
  if (events.empty()) return {};

  std::vector<Step> steps = stepsByLaunch(host, events);
  if (steps.empty()) {
    const std::vector<StepMarker> gpu = gpuStepMarkers(trace, device);
    if (!gpu.empty()) {
      steps = stepsByMarkerStart(gpu, host, events, StepBoundary::GpuMarker);
    } else if (!host.empty()) {
      steps = stepsByMarkerStart(host, host, events, StepBoundary::CpuMarker);
    } else {
      steps.push_back(wholeStep(span));
    }
  }
  markOutliers(steps);
  return steps;
}

Step wholeStep(Interval span) {
  Step step;
  step.name = "all";
  step.interval = span;
  return step;
}

Step rangeStep(Interval range) {
  Step step = wholeStep(range);
  step.name = "range";
  return step;
}

void markOutliers(std::vector<Step>& steps) {
  std::vector<double> durations;
  for (const Step& step : steps) durations.push_back(static_cast<double>(step.interval.length().count()));
  const double limit = kOutlierFactor * base::median(durations);
  for (Step& step : steps) {
    if (static_cast<double>(step.interval.length().count()) > limit) step.marks |= step_mark::kOutlier;
  }
}

}  // namespace threewalls::analysis

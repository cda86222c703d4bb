#include "analysis/analysis.h"

#include "analysis/gpu_events.h"
#include "base/format.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace threewalls::analysis {
namespace {

using base::Interval;
using base::Nanoseconds;

/// How much of the kernel time of a trace is of kernels that no rule names.
struct Census {
  Nanoseconds kernelTime{0};
  Nanoseconds unclassifiedTime{0};
  std::uint64_t unclassified = 0;
};

std::vector<DeviceLane> deviceLanes(const trace::Trace& trace) {
  std::map<std::pair<std::string, int>, std::vector<trace::LaneId>> streams;
  for (std::size_t i = 0; i < trace.lanes().size(); ++i) {
    const trace::Lane& lane = trace.lanes()[i];
    if (lane.key.kind == trace::LaneKind::GpuStream) streams[{lane.key.process, lane.key.device}].push_back(trace::LaneId(i));
  }
  std::vector<DeviceLane> lanes;
  for (auto& [key, ids] : streams) {
    DeviceLane lane;
    lane.rank = trace.info().rank;
    std::tie(lane.process, lane.device) = key;
    lane.streams = std::move(ids);
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

void countEvents(Census& census, const trace::Trace& trace, const Classification& classes, DeviceLane& lane) {
  const Interval inSteps =
      lane.steps.empty() ? Interval{} : Interval{lane.steps.front().interval.start, lane.steps.back().interval.end};
  forEachGpuEvent(trace, lane.streams, [&](const GpuEvent& event) {
    const Nanoseconds length = event.interval.length();
    if (event.kind == trace::EventKind::Kernel) {
      census.kernelTime += length;
      if (classes.of(event.name) == classes.table().unclassified()) {
        ++census.unclassified;
        census.unclassifiedTime += length;
      }
    }
    if (event.interval.start < inSteps.start || event.interval.start >= inSteps.end) ++lane.eventsOutsideSteps;
  });
}

double share(Nanoseconds part, Nanoseconds whole) {
  return whole.count() == 0 ? 0.0 : static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

void report(base::Diagnostics& diagnostics, const trace::Trace& trace, const Census& census, const std::vector<DeviceLane>& lanes,
            const AnalysisOptions& options) {
  const auto note = [&](base::Severity severity, const char* code, std::string message, std::uint64_t count) {
    if (count == 0) return;
    base::Diagnostic entry;
    entry.severity = severity;
    entry.code = code;
    entry.message = std::move(message);
    entry.file = trace.info().file;
    entry.count = count;
    diagnostics.note(std::move(entry));
  };
  using base::Severity;
  note(Severity::Warning, "no_gpu_events", "The trace holds no GPU work: there is nothing to account for.",
       lanes.empty() ? 1 : 0);
  std::uint64_t outside = 0;
  for (const DeviceLane& lane : lanes) outside += lane.eventsOutsideSteps;
  note(Severity::Info, "events_outside_steps", "GPU events before the first or after the last step are in no step.", outside);
  std::uint64_t unbounded = 0;
  for (const DeviceLane& lane : lanes) {
    unbounded += static_cast<std::uint64_t>(std::count_if(lane.steps.begin(), lane.steps.end(),
                                                          [](const Step& step) { return step.boundary == StepBoundary::Whole; }));
  }
  note(Severity::Info, "no_step_markers", "The trace has no step markers: the whole recording counts as one step named \"all\".",
       options.whole || options.range ? 0 : unbounded);
  const auto& said = trace.info().metadata;
  if (const auto of = said.find("threewalls_extract_of"); of != said.end() && !options.range) {
    const auto text = [&said](const char* key) {
      const auto at = said.find(key);
      return at == said.end() ? std::string("?") : at->second;
    };
    note(Severity::Info, "range_extract",
         "The file is an extract of " + of->second + ", from " + text("threewalls_extract_from_ns") + " to " +
             text("threewalls_extract_to_ns") + " ns: of steps that reach beyond that it holds only a part.",
         1);
  }
  const bool chosen = std::any_of(lanes.begin(), lanes.end(), [](const DeviceLane& lane) { return !lane.steps.empty(); });
  note(Severity::Warning, "no_step_selected", "No step of the trace has a number in the range that was asked for.",
       options.steps && !chosen && !lanes.empty() ? 1 : 0);
  if (share(census.unclassifiedTime, census.kernelTime) > kUnclassifiedWarning) {
    note(Severity::Warning, "unclassified_kernels",
         base::formatPercent(share(census.unclassifiedTime, census.kernelTime)) +
             " of the kernel time is of kernels that no rule names; they count as compute.",
         census.unclassified);
  }
}

std::vector<Interval> stepIntervals(const std::vector<Step>& steps) {
  std::vector<Interval> ranges;
  for (const Step& step : steps) ranges.push_back(step.interval);
  return ranges;
}

/// The lane whose median steady step lasts longest, and that step of it.
void findSlowest(Wall& wall, const std::vector<DeviceLane>& lanes) {
  Nanoseconds slowest{-1};
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    std::vector<const Step*> steps = lanes[i].steadySteps();
    if (steps.empty()) continue;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
    std::nth_element(steps.begin(), middle, steps.end(), [](const Step* x, const Step* y) {
      return std::tuple(x->interval.length(), x->interval.start) < std::tuple(y->interval.length(), y->interval.start);
    });
    if ((*middle)->interval.length() <= slowest) continue;
    slowest = (*middle)->interval.length();
    wall.lane = i;
    wall.step = static_cast<std::size_t>(*middle - lanes[i].steps.data());
  }
}

}  // namespace

std::string DeviceLane::name() const {
  std::string out = rank ? "rank " + std::to_string(*rank) + ", " : "";
  if (!process.empty()) out += "process " + process + ", ";
  return out + "GPU " + std::to_string(device);
}

std::vector<const Step*> DeviceLane::steadySteps() const {
  std::vector<const Step*> out;
  for (const Step& step : steps) {
    if (step.steady()) out.push_back(&step);
  }
  if (out.empty()) {
    for (const Step& step : steps) out.push_back(&step);
  }
  return out;
}

std::shared_ptr<const Analysis> analyze(std::shared_ptr<const trace::Trace> trace, std::shared_ptr<const ClassTable> table,
                                        const AnalysisOptions& options) {
  auto out = std::make_shared<Analysis>();
  out->trace = trace;
  out->classes = Classification(*trace, std::move(table));
  out->lanes = deviceLanes(*trace);
  out->diagnostics = trace->diagnostics();
  std::erase_if(out->lanes, [&](const DeviceLane& lane) {
    bool any = false;
    forEachGpuEvent(*trace, lane.streams, [&](const GpuEvent&) { any = true; });
    return !any;
  });

  Census census;
  for (DeviceLane& lane : out->lanes) {
    lane.occupancy = DeviceOccupancy(*trace, lane.streams, out->classes);
    lane.steps = options.range   ? std::vector<Step>{rangeStep(*options.range)}
                 : options.whole ? std::vector<Step>{wholeStep(lane.occupancy.span())}
                                 : findSteps(*trace, lane.streams, lane.process, lane.device, lane.occupancy.span());
    countEvents(census, *trace, out->classes, lane);
    if (options.steps && !options.whole && !options.range) {
      std::erase_if(lane.steps, [&](const Step& step) {
        return !step.number || *step.number < options.steps->first || *step.number > options.steps->second;
      });
    }
    for (Step& step : lane.steps) {
      step.ledger = lane.occupancy.ledger(step.interval);
      lane.totals += step.ledger;
    }
    out->totals += lane.totals;
    const std::vector<Interval> ranges = stepIntervals(lane.steps);
    mergeRows(out->kernels, kernelRows(*trace, out->classes, lane.streams, ranges));
    mergeRows(out->classRows, classRows(*trace, out->classes, lane.streams, ranges));
  }
  report(out->diagnostics, *trace, census, out->lanes, options);

  findSlowest(out->wall, out->lanes);
  if (!out->wall.lane) {
    out->wall.verdict = out->lanes.empty() ? "No GPU work was recorded, so no wall can be named."
                                           : "No step was selected, so no wall can be named.";
    return out;
  }
  const DeviceLane& lane = out->lanes[*out->wall.lane];
  Wall wall = findWall(*trace, out->classes, lane.streams, lane.occupancy, lane.steps[*out->wall.step]);
  wall.lane = out->wall.lane;
  wall.step = out->wall.step;
  out->wall = std::move(wall);
  return out;
}

}  // namespace threewalls::analysis

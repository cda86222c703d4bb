#include "compare/phases.h"

#include <algorithm>

namespace threewalls::compare {
namespace {

struct StreamPhases {
  std::vector<Phase> phases;
  base::Nanoseconds time{0};
};

StreamPhases phasesOn(const analysis::Analysis& analysis, trace::LaneId stream, base::Interval step, std::string_view classId) {
  struct Seen {
    base::Interval interval;
    bool ofClass;
  };
  std::vector<Seen> events;
  const analysis::Classification& classes = analysis.classes;
  for (const trace::SubLane& subLane : analysis.trace->lane(stream).subLanes) {
    for (std::uint32_t i = subLane.firstStartingAt(step.start); i < subLane.size() && subLane.start(i) < step.end; ++i) {
      if (!trace::isGpuEvent(subLane.kind(i))) continue;
      const analysis::KernelClass& kernelClass = classes.classOf(subLane.name(i));
      const bool ofClass = kernelClass.id == classId;
      if (ofClass || !kernelClass.isMemory) events.push_back({{subLane.start(i), subLane.end(i)}, ofClass});
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Seen& a, const Seen& b) { return a.interval.start < b.interval.start; });
  StreamPhases out;
  bool open = false;
  for (const Seen& event : events) {
    if (event.ofClass) {
      if (!open) out.phases.push_back({event.interval, 0});
      Phase& phase = out.phases.back();
      phase.interval.end = std::max(phase.interval.end, event.interval.end);
      ++phase.events;
      out.time += event.interval.length();
    }
    open = event.ofClass;
  }
  return out;
}

}  // namespace

std::vector<Phase> phases(const analysis::Analysis& analysis, const analysis::DeviceLane& lane, const analysis::Step& step,
                          std::string_view classId) {
  StreamPhases most;
  for (const trace::LaneId stream : lane.streams) {
    StreamPhases found = phasesOn(analysis, stream, step.interval, classId);
    if (found.phases.empty()) continue;
    if (most.phases.empty() || found.time > most.time) most = std::move(found);
  }
  return std::move(most.phases);
}

std::optional<std::size_t> phaseAt(const std::vector<Phase>& phases, base::Nanoseconds time) {
  const auto after = std::upper_bound(phases.begin(), phases.end(), time,
                                      [](base::Nanoseconds value, const Phase& phase) { return value < phase.interval.start; });
  if (after == phases.begin()) return std::nullopt;
  return static_cast<std::size_t>(after - phases.begin()) - 1;
}

}  // namespace threewalls::compare

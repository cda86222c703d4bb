#pragma once

#include "base/units.h"
#include "trace/trace.h"

#include <limits>
#include <vector>

namespace threewalls::analysis {

/// Stands for "the launch call was not recorded"; earlier than every real time.
constexpr base::Nanoseconds kNoLaunchTime{std::numeric_limits<std::int64_t>::min()};

/// What analysis needs of one GPU event.
struct GpuEvent {
  base::Interval interval;
  base::Nanoseconds launch = kNoLaunchTime;  ///< start of its launch call
  trace::NameId name{0};
  trace::EventKind kind = trace::EventKind::Kernel;
  std::uint8_t flags = 0;
};

/// Calls `visit(GpuEvent)` for every GPU event of the lanes `streams`, sub-lane by sub-lane, each by start.
template <class Visit>
void forEachGpuEvent(const trace::Trace& trace, const std::vector<trace::LaneId>& streams, const Visit& visit) {
  const std::vector<trace::EventRef>& launches = trace.launches();
  for (const trace::LaneId id : streams) {
    for (const trace::SubLane& subLane : trace.lane(id).subLanes) {
      for (std::uint32_t i = 0; i < subLane.size(); ++i) {
        if (!trace::isGpuEvent(subLane.kind(i))) continue;
        const std::uint32_t call = subLane.launch(i);
        const base::Nanoseconds launch = call < launches.size() ? trace.interval(launches[call]).start : kNoLaunchTime;
        visit(GpuEvent{{subLane.start(i), subLane.end(i)}, launch, subLane.name(i), subLane.kind(i), subLane.flags(i)});
      }
    }
  }
}

}  // namespace threewalls::analysis

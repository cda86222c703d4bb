#include "analysis/idle_gap.h"

#include "analysis/interval_set.h"

namespace threewalls::analysis {
namespace {

/// The longest GPU event of the streams that starts at a time.
std::optional<trace::EventRef> startingAt(const trace::Trace& trace, const std::vector<trace::LaneId>& streams,
                                          base::Nanoseconds time) {
  std::optional<trace::EventRef> best;
  for (const trace::LaneId lane : streams) {
    const auto& subLanes = trace.lane(lane).subLanes;
    for (std::size_t s = 0; s < subLanes.size(); ++s) {
      for (std::uint32_t i = subLanes[s].firstStartingAt(time); i < subLanes[s].size() && subLanes[s].start(i) == time; ++i) {
        if (!trace::isGpuEvent(subLanes[s].kind(i)) || subLanes[s].duration(i).count() == 0) continue;
        const trace::EventRef event{lane, static_cast<std::uint32_t>(s), i};
        if (!best || trace.interval(event).length() > trace.interval(*best).length()) best = event;
      }
    }
  }
  return best;
}

}  // namespace

std::optional<IdleGap> longestIdleGap(const trace::Trace& trace, const DeviceLane& lane, base::Interval range) {
  const auto gaps = longest(lane.occupancy.idle().clipped(range), 1);
  if (gaps.empty()) return std::nullopt;
  IdleGap out{gaps.front(), startingAt(trace, lane.streams, gaps.front().end), {}};
  if (out.endedBy) out.launch = trace.launchOf(*out.endedBy);
  return out;
}

}  // namespace threewalls::analysis

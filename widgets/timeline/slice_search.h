#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace threewalls::timeline {

/// Indices of the events that overlap `range` and last at least `minimum`, in time order; none when there are more than `cap`.
/// Costs the logarithm of the lane for each one found.
std::optional<std::vector<std::uint32_t>> longEvents(const trace::SubLane& lane, base::Interval range, base::Nanoseconds minimum,
                                                     std::size_t cap);

/// The event with the longest part inside `range`; none when nothing lies there.
std::optional<std::uint32_t> longestWithin(const trace::SubLane& lane, base::Interval range);

/// The event that contains `time`, else the one whose nearest edge is closest to it; none in an empty lane.
std::optional<std::uint32_t> nearest(const trace::SubLane& lane, base::Nanoseconds time);

/// The event after (1) or before (-1) `event` that has its name, in all sub-lanes of its lane, by start.
std::optional<trace::EventRef> neighbourOfSameName(const trace::Trace& trace, const trace::EventRef& event, int direction);

}  // namespace threewalls::timeline

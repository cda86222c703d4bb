#pragma once

#include "trace/sub_lane.h"

#include <cstdint>
#include <span>
#include <vector>

namespace threewalls::trace {

/// The order of a lane: start ascending, longer first (a parent before its children), then place in the file.
bool laneOrder(const RawEvent& a, const RawEvent& b);

/// Row of each event so that events of one row never overlap: the lowest row that is free at its start. `events` stand in
/// laneOrder. O(n log rows), whatever the overlaps.
std::vector<std::uint32_t> rowsOf(std::span<const RawEvent> events);

/// How many events each row holds.
std::vector<std::uint32_t> rowSizes(std::span<const std::uint32_t> rows);

}  // namespace threewalls::trace

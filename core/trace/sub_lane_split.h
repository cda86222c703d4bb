#pragma once

#include "trace/stop_check.h"
#include "trace/sub_lane.h"

#include <cstdint>
#include <span>
#include <vector>

namespace threewalls::trace {

/// The order of a lane: start ascending, longer first (a parent before its children), then place in the file.
struct LaneOrder {
  bool operator()(const RawEvent& a, const RawEvent& b) const {
    if (a.start != b.start) return a.start < b.start;
    if (a.duration != b.duration) return a.duration > b.duration;
    return a.byteOffset < b.byteOffset;
  }
};

/// Row of each event so that events of one row never overlap: the lowest row that is free at its start. `events` stand in
/// LaneOrder. O(n log rows), whatever the overlaps.
std::vector<std::uint32_t> rowsOf(std::span<const RawEvent> events, const StopCheck& check);

/// How many events each row holds.
std::vector<std::uint32_t> rowSizes(std::span<const std::uint32_t> rows);

}  // namespace threewalls::trace

#pragma once

#include "analysis/analysis.h"

#include <optional>

namespace threewalls::analysis {

/// A stretch in which no GPU event of a device ran: between two GPU events, or cut off by the range that was asked about.
struct IdleGap {
  base::Interval interval;
  /// The GPU event that starts at its end, the longest of several; none when the range cuts the gap off.
  std::optional<trace::EventRef> endedBy;
  /// The call that launched it; none when it was not recorded.
  std::optional<trace::EventRef> launch;
};

/// The longest part of `range` in which no GPU event of a device lane ran (definitions.md: idle is the complement of the busy
/// union, from the first to the last GPU event of the lane), the earliest of equals; none when it was busy all the time or the
/// range is empty.
std::optional<IdleGap> longestIdleGap(const trace::Trace& trace, const DeviceLane& lane, base::Interval range);

}  // namespace threewalls::analysis

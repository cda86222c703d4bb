#pragma once

#include "analysis/analysis.h"
#include "base/progress.h"
#include "base/result.h"

#include <cstdint>
#include <vector>

namespace threewalls::analysis {

/// What one run did within a stretch of its clock.
struct RangeStats {
  Ledger ledger;  ///< mean over the GPUs of the run, each clipped to the range
  std::size_t gpus = 0;
  std::uint64_t count = 0;  ///< GPU events that overlap the range
  /// Share of the range in which a GPU was active, 0..1.
  double busy() const {
    return ledger.duration.count() > 0
               ? static_cast<double>(ledger.gpuActive().count()) / static_cast<double>(ledger.duration.count())
               : 0;
  }
};

/// The time of one kernel name inside a range.
struct NameTime {
  trace::NameId name{0};
  base::Nanoseconds sum{0};  ///< each event clipped to the range
  std::uint64_t count = 0;
  bool operator==(const NameTime&) const = default;
};

/// Ledger and count of `range`: DeviceOccupancy::ledger, as for the steps of `analyze`. O(log n) per lane, quick enough to be
/// asked for with every movement of a mouse.
RangeStats rangeStats(const Analysis& analysis, base::Interval range);

/// Times by name of the GPU events that overlap `range`, over all GPUs, longest first. Visits every one of these events; fails
/// with ErrorCode::Cancelled only.
base::Result<std::vector<NameTime>> timesByName(const trace::Trace& trace, base::Interval range,
                                                const base::Progress& progress = {});

}  // namespace threewalls::analysis

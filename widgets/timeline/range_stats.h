#pragma once

#include "analysis/analysis.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace threewalls::timeline {

/// The time of one kernel name inside a range.
struct NameTime {
  trace::NameId name{0};
  base::Nanoseconds sum{0};
  std::uint64_t count = 0;
};

/// What one run did within a stretch of its clock.
struct RangeStats {
  analysis::Ledger ledger;  ///< mean over the GPUs of the run, each clipped to the range
  std::size_t gpus = 0;
  std::uint64_t count = 0;  ///< GPU events that overlap the range
  /// Longest names of the range by clipped time, over all GPUs; none when there were more events than the caller allowed.
  std::optional<std::vector<NameTime>> top;
  double busy() const {
    return ledger.duration.count() > 0
               ? static_cast<double>(ledger.gpuActive().count()) / static_cast<double>(ledger.duration.count())
               : 0;
  }
};

/// Ledger, count and the five longest names of `range`; names only while at most `mostEvents` events overlap it.
RangeStats rangeStats(const analysis::Analysis& analysis, base::Interval range, std::uint64_t mostEvents);

}  // namespace threewalls::timeline

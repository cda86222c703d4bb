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
  /// Clipped time of every name in the range over all GPUs, longest first; none when there were more events than the caller
  /// allowed.
  std::optional<std::vector<NameTime>> names;
  double busy() const {
    return ledger.duration.count() > 0
               ? static_cast<double>(ledger.gpuActive().count()) / static_cast<double>(ledger.duration.count())
               : 0;
  }
};

/// Ledger, count and times by name of `range`; names only while at most `mostEvents` events overlap it.
RangeStats rangeStats(const analysis::Analysis& analysis, base::Interval range, std::uint64_t mostEvents);

}  // namespace threewalls::timeline

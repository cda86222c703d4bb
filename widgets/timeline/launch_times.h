#pragma once

#include "timeline/lane_pixels.h"
#include "trace/trace.h"

#include <cstdint>
#include <vector>

namespace threewalls::timeline {

/// The fullest bar of a row of launches.
struct LaunchPeak {
  std::uint32_t count = 0;
  double bucket = 0;  ///< ns that a bar spans
};

/// When calls that launched GPU work began, over all threads of a trace.
class LaunchTimes {
 public:
  LaunchTimes() = default;
  explicit LaunchTimes(const trace::Trace& trace);

  /// Launches in each of the buckets [first, last).
  std::vector<std::uint32_t> counts(const BucketGrid& grid, std::int64_t first, std::int64_t last) const;

 private:
  std::vector<base::Nanoseconds> m_starts;  ///< sorted
};

}  // namespace threewalls::timeline

#pragma once

#include "base/units.h"

#include <cstdint>
#include <vector>

namespace threewalls::trace {

/// Answer to a range question over consecutive events of a sub-lane.
struct RangeSummary {
  base::Nanoseconds busy{0};     ///< sum of durations: events of a sub-lane never overlap
  base::Nanoseconds longest{0};  ///< longest duration, 0 for an empty range
  std::uint32_t longestIndex = 0;
  std::uint32_t count = 0;
};

/// 16-way summary of a sub-lane's durations, by event index: O(log n) for any range of events, about 1.07 bytes an event.
/// Ranges are of whole events; who asks about a stretch of time clips the first and the last one.
class Pyramid {
 public:
  static constexpr std::uint32_t kFanOut = 16;

  Pyramid() = default;
  /// `duration(i)` gives the exact duration of event i of `count`, in ns and not negative.
  template <class Duration>
  Pyramid(std::uint32_t count, const Duration& duration);

  /// Summary of events [first, last); `duration` as on construction.
  template <class Duration>
  RangeSummary summary(std::uint32_t first, std::uint32_t last, const Duration& duration) const;

  std::size_t bytes() const {
    std::size_t total = 0;
    for (const std::vector<Node>& level : m_levels) total += level.capacity() * sizeof(Node);
    return total;
  }

 private:
  struct Node {
    std::int64_t busy = 0;
    std::uint32_t longest = 0;  ///< saturated; the exact value is the event's own
    std::uint32_t longestIndex = 0;
  };
  static std::uint32_t saturated(std::int64_t length);
  template <class Duration>
  static std::int64_t exactLongest(const Node& node, const Duration& duration);

  std::vector<std::vector<Node>> m_levels;  ///< m_levels[0] has one node per 16 events
};

}  // namespace threewalls::trace

#include "trace/pyramid_impl.h"

#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace threewalls::base {

/// A duration, or a point in time counted from the clock origin that its owner names.
using Nanoseconds = std::chrono::nanoseconds;

/// Half-open stretch of time [start, end).
struct Interval {
  Nanoseconds start{0};
  Nanoseconds end{0};

  Nanoseconds length() const { return end - start; }
  bool empty() const { return end <= start; }
  auto operator<=>(const Interval&) const = default;
};

}  // namespace threewalls::base

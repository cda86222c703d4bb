#pragma once

#include "base/units.h"

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {

/// How the clock of a side lies on aligned time: aligned = (time − origin) · stretch.
struct SideClock {
  base::Nanoseconds origin{0};
  double stretch = 1;

  double toAligned(base::Nanoseconds time) const { return static_cast<double>((time - origin).count()) * stretch; }
  base::Nanoseconds toClock(double aligned) const {
    return origin + base::Nanoseconds(std::llround(std::clamp(aligned / stretch, -1e18, 1e18)));
  }
  bool operator==(const SideClock&) const = default;
};

}  // namespace threewalls::timeline

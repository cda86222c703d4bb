#pragma once

#include "base/progress.h"

#include <cstdint>

namespace threewalls::trace {

/// Lets loops of millions of turns, and comparisons within a sort, end soon after a request to stop: tick() throws Stopped, which
/// whoever made the check catches.
class StopCheck {
 public:
  struct Stopped {};

  explicit StopCheck(const base::Progress& progress) : m_progress(progress) {}
  void tick() const {
    if ((++m_ticks & 0x3FFF) == 0 && m_progress.stopRequested()) throw Stopped{};
  }

 private:
  const base::Progress& m_progress;
  mutable std::uint32_t m_ticks = 0;
};

}  // namespace threewalls::trace

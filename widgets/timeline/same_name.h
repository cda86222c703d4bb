#pragma once

#include "trace/trace.h"

#include <cstdint>

namespace threewalls::timeline {

/// How an event compares with all of its name on lanes of the same kind of its trace.
struct SameName {
  std::uint64_t count = 0;
  base::Nanoseconds median{0};  ///< lower one of an even count
  base::Nanoseconds shortest{0};
  base::Nanoseconds longest{0};
  std::uint64_t rank = 0;  ///< 1: none is longer
};

SameName sameName(const trace::Trace& trace, const trace::EventRef& event);

}  // namespace threewalls::timeline

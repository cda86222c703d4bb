#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/trace.h"

#include <cstdint>

namespace threewalls::analysis {

/// How an event compares with all of its name on lanes of the same kind of its trace.
struct SameName {
  std::uint64_t count = 0;
  base::Nanoseconds median{0};  ///< lower one of an even count
  base::Nanoseconds shortest{0};
  base::Nanoseconds longest{0};
  std::uint64_t rank = 0;  ///< 1: none is longer
  bool operator==(const SameName&) const = default;
};

/// Looks at every event of those lanes; fails with ErrorCode::Cancelled only.
base::Result<SameName> sameName(const trace::Trace& trace, const trace::EventRef& event, const base::Progress& progress = {});

}  // namespace threewalls::analysis

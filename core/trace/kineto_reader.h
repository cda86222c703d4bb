#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/trace.h"

#include <cstddef>
#include <memory>
#include <string>

namespace threewalls::trace {

/// How openTrace works inside; tests set tiny pieces.
struct ReadOptions {
  unsigned threads = 0;                           ///< as in openTrace
  std::size_t pieceBytes = std::size_t{1} << 20;  ///< small enough to stay in a core's cache
};

/// openTrace with the piece size as a parameter: the trace does not depend on it.
base::Result<std::shared_ptr<const Trace>> readTrace(const std::string& path, const base::Progress& progress,
                                                     const ReadOptions& options);

}  // namespace threewalls::trace

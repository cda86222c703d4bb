#pragma once

#include "base/result.h"
#include "compare/compare.h"

#include <string>

namespace threewalls::compare {

/// Opens one side of a comparison by content: a trace, a log, or a folder that holds a log, traces (one a rank; the rank with the
/// longest median step is taken), or both. Other files of a folder are left out and noted; its subfolders are not searched.
/// Fails when nothing can be used, or when a folder holds iterations of several logs.
base::Result<RunSide> openRun(const std::string& path);

}  // namespace threewalls::compare

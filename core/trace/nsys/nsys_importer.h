#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/raw_text.h"
#include "trace/trace.h"

#include <memory>

namespace threewalls::trace::nsys {

/// Reads an Nsight Systems SQLite export (schemas 3.20 to 3.25 seen; older and newer ones by what tables and columns they have).
/// `file` is the plain database; `info` says where it came from (path, sizes, hash) and is completed. Missing tables and columns
/// are diagnostics. An error when the file is no Nsight Systems export, or nothing of it can be read.
base::Result<std::shared_ptr<const Trace>> importNsys(std::shared_ptr<const RawText> file, TraceInfo info,
                                                      const base::Progress& progress = {});

}  // namespace threewalls::trace::nsys

#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/plain_file.h"
#include "trace/trace.h"

#include <memory>

namespace threewalls::trace::nsys {

/// Reads an Nsight Systems SQLite export (schemas 3.20 to 3.25 seen; older and newer ones by what tables and columns they have).
/// Missing tables and columns are diagnostics. An error when the file is no Nsight Systems export, or nothing of it can be read.
base::Result<std::shared_ptr<const Trace>> importNsys(PlainFile file, const base::Progress& progress = {});

}  // namespace threewalls::trace::nsys

#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/trace.h"

#include <memory>
#include <string>

namespace threewalls::trace {

/// Reads one trace file, recognised by its content, never by its name. A file that can be read in part gives a trace with
/// diagnostics; an error only when nothing could be read, with what the file seems to be and what to do. `threads` threads
/// read and parse, the calling one among them: 1 starts none, 0 means as many as the machine has cores.
base::Result<std::shared_ptr<const Trace>> openTrace(const std::string& path, const base::Progress& progress = {},
                                                     unsigned threads = 0);

}  // namespace threewalls::trace

#pragma once

#include "trace/trace.h"

#include <string>
#include <utility>
#include <vector>

namespace threewalls::trace {

/// Puts the top-level keys of a Kineto document into `info`: rank and world size, devices, base time; other scalars as text, but
/// never names of hosts or users. Values that cannot be read are left out.
void readMetadata(const std::vector<std::pair<std::string, std::string>>& entries, TraceInfo& info);

}  // namespace threewalls::trace

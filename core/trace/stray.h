#pragma once

#include "base/diagnostics.h"
#include "trace/launch_links.h"

#include <string>
#include <vector>

namespace threewalls::trace {

/// Flags GPU events whose duration is not believable: it covers more than 3 later starts on its own stream and is over 10 times
/// the 99.9th percentile (nearest rank) of the trace's GPU events. Notes stray_duration with their share of the total, and
/// same_stream_overlap: GPU events that start before an earlier one of their stream, strays left aside, has ended.
void checkGpuDurations(std::vector<SortedLane>& lanes, const std::string& file, base::Diagnostics& diagnostics);

}  // namespace threewalls::trace

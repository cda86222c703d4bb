#pragma once

#include "base/diagnostics.h"
#include "trace/lane.h"
#include "trace/stop_check.h"

#include <cstddef>
#include <string>
#include <vector>

namespace threewalls::trace {

/// A lane whose events stand in LaneOrder, before it is split.
struct SortedLane {
  const LaneKey* key = nullptr;
  std::vector<RawEvent> events;
};

/// Ties GPU events to the calls that launched them and replaces `correlation` of every event by the index of its launch (-1 when
/// there is none), the same for a call and all that it launched. Returns how many launches there are. Of several calls with one
/// correlation the last one that starts at or before the GPU event counts, else the first. Notes duplicate_correlation,
/// gpu_event_without_launch and negative_launch_latency.
std::size_t linkLaunches(std::vector<SortedLane>& lanes, const std::string& file, base::Diagnostics& diagnostics,
                         const StopCheck& check);

}  // namespace threewalls::trace

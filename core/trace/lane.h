#pragma once

#include "trace/event.h"
#include "trace/sub_lane.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace threewalls::trace {

enum class LaneKind : std::uint8_t {
  GpuStream,      ///< GPU events only
  GpuAnnotation,  ///< ranges projected on a device
  GpuSync,        ///< sync markers
  HostThread,     ///< operators, annotations, runtime and driver calls, python functions
  Overhead,       ///< the profiler's own rows
  Other,
};

/// What tells one lane from another within a trace.
struct LaneKey {
  LaneKind kind = LaneKind::Other;
  std::string process;  ///< host process id as text; for GPU lanes the process that owns the work when known, else empty
  std::string thread;   ///< host thread id or stream id as text
  int device = -1;      ///< device index of GPU lanes, else -1
  bool operator==(const LaneKey&) const = default;
};

/// All events of one stream or thread. Overlapping and nested events stand in further sub-lanes, never dropped: sub-lane k of a
/// host thread holds nesting depth k.
struct Lane {
  LaneKey key;
  std::string label;                   ///< "stream 7", "thread 415 (python3)"
  std::string processLabel;            ///< "python3 415", "GPU 0"
  std::optional<std::int64_t> stream;  ///< numeric stream id of GPU lanes when there is one
  std::vector<SubLane> subLanes;

  std::size_t eventCount() const;
};

}  // namespace threewalls::trace

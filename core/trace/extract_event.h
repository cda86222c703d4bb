#pragma once

#include "base/result.h"
#include "trace/trace.h"

#include <string>

namespace threewalls::trace {

/// What an extract takes over from one event of its source, as strict JSON; empty where the source has nothing.
struct SourceEvent {
  std::string category, process, thread;
  std::string arguments;    ///< members without braces and without `correlation`
  std::string further;      ///< members that have no place of their own, each behind a comma
  std::string correlation;  ///< as the source says it
};

/// From the event's text, or from the columns where the source is no JSON text.
base::Result<SourceEvent> readSource(const Trace& trace, const EventRef& event);

constexpr bool isGpuLane(LaneKind kind) {
  return kind == LaneKind::GpuStream || kind == LaneKind::GpuAnnotation || kind == LaneKind::GpuSync;
}

}  // namespace threewalls::trace

#pragma once

#include "trace/lane.h"

#include <cstdint>
#include <string_view>

namespace threewalls::trace {

/// What the category of an event in a Kineto file means.
struct Category {
  EventKind kind = EventKind::Other;
  LaneKind lane = LaneKind::HostThread;
  bool known = false;    ///< a profiler's own category: the file is a Kineto trace
  bool ignored = false;  ///< the recording's own span, no event of the program
};

/// `category` as it stands in the file; both the names of 2021 (capitalised) and the current ones. ROCm uses the same.
Category categoryOf(std::string_view category);

}  // namespace threewalls::trace

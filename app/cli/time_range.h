#pragma once

#include "base/result.h"
#include "base/units.h"
#include "trace/trace.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace threewalls::cli {

/// --from and --to as they were given; empty for the trace's own ends.
struct TimeRangeArguments {
  std::string from;
  std::string to;
  bool given() const { return !from.empty() || !to.empty(); }
};

/// Adds --from and --to to a command; `arguments` must outlive it.
void addTimeRange(CLI::App& command, TimeRangeArguments& arguments, const std::string& what);
/// What is wrong with how they are written; none when nothing is.
std::optional<std::string> wrongTime(const TimeRangeArguments& arguments);
/// The stretch on the trace's clock; InvalidArgument when it is empty. A whole number is ns on that clock, as `start_ns` says it;
/// with a unit (12.5ms) it counts from the first event.
base::Result<base::Interval> intervalOf(const TimeRangeArguments& arguments, const trace::Trace& trace);

}  // namespace threewalls::cli

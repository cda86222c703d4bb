#pragma once

#include "analysis/analysis.h"
#include "base/progress.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace threewalls::analysis {

/// The events that make an extract of a range say the same about it as the whole recording.
struct RangeSelection {
  std::vector<trace::EventRef> events;  ///< each once, in no order; not cut
  std::uint64_t gpuEvents = 0;          ///< among them, in the range
  std::uint64_t launchesBefore = 0;     ///< launch calls outside the range that belong to the GPU events
  std::uint64_t atTheEdges = 0;         ///< other events outside the range
};

/// All events that overlap `range`, those of no length that lie in it, and of the rest: the launch calls of the GPU events; per
/// GPU the last event before and the first after the range, which the idle time at its edges depends on; the markers of the steps
/// in the range and of the step that follows, and the GPU events that this step starts with. Fails with ErrorCode::Cancelled
/// only.
base::Result<RangeSelection> selectRange(const Analysis& analysis, base::Interval range, const base::Progress& progress = {});

struct RangeExtract {
  std::uint64_t bytes = 0;   ///< as stored
  RangeSelection selection;  ///< without the list of events
  std::uint64_t events = 0;
  /// The file was opened again and the ledgers of the range are the same to the ns on every GPU.
  bool sameLedger = false;
};

/// Writes the events of `range` to `path` as a trace file of its own (trace/extract_writer.h) and opens it again to compare the
/// ledgers. The file appears whole or not at all and never replaces the trace it comes from. `program` names the writing
/// program with its version. Fails with InvalidArgument for an empty range and as the writer does.
base::Result<RangeExtract> extractRange(const Analysis& analysis, base::Interval range, const std::string& path,
                                        const std::string& program, const base::Progress& progress = {});

/// The stretch in which any GPU works on the step with this number; none when there is no such step.
std::optional<base::Interval> stepRange(const Analysis& analysis, std::int64_t number);

}  // namespace threewalls::analysis

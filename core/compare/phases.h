#pragma once

#include "analysis/analysis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::compare {

/// Work of one kernel class without work of another class between, on one stream: one "dispatch", say, and not its kernels.
struct Phase {
  base::Interval interval;  ///< from the start of its first event to the end of its last
  std::uint64_t events = 0;
};

/// The phases of a class that start in a step, by start: those of the stream of `lane` that spends the longest in the class
/// during the step, so that copies of the work on other streams are not counted twice. Memory operations do not end a phase of
/// kernels. Costs the events of the step.
std::vector<Phase> phases(const analysis::Analysis& analysis, const analysis::DeviceLane& lane, const analysis::Step& step,
                          std::string_view classId);

/// The place of a time among phases by start: the one that covers it, else the last one before it; none before the first.
std::optional<std::size_t> phaseAt(const std::vector<Phase>& phases, base::Nanoseconds time);

}  // namespace threewalls::compare

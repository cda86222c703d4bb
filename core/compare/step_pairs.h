#pragma once

#include "analysis/analysis.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace threewalls::compare {

/// The lane whose steps stand for a trace: the first that has any; null when none has.
const analysis::DeviceLane* mainLane(const analysis::Analysis& analysis);

/// A step that both sides, or one, ran: indices into the steps of A and of B.
struct StepIndices {
  std::array<std::optional<std::size_t>, 2> index;
  bool both() const { return index[0] && index[1]; }
  bool operator==(const StepIndices&) const = default;
};

/// Steps in time order: by number where the sides share at least one, else first with first. Every step of both sides is in
/// exactly one pair.
std::vector<StepIndices> pairSteps(const std::vector<analysis::Step>& a, const std::vector<analysis::Step>& b);

}  // namespace threewalls::compare

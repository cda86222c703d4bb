#include "compare/step_pairs.h"

#include <algorithm>
#include <limits>
#include <map>

namespace threewalls::compare {

const analysis::DeviceLane* mainLane(const analysis::Analysis& analysis) {
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    if (!lane.steps.empty()) return &lane;
  }
  return nullptr;
}

std::vector<StepIndices> pairSteps(const std::vector<analysis::Step>& a, const std::vector<analysis::Step>& b) {
  std::map<std::int64_t, std::size_t> numbersOfA;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].number) numbersOfA.emplace(*a[i].number, i);
  }
  std::vector<StepIndices> pairs;
  for (std::size_t i = 0; i < a.size(); ++i) pairs.push_back({{i, std::nullopt}});
  const bool byNumber =
      std::any_of(b.begin(), b.end(), [&](const auto& step) { return step.number && numbersOfA.contains(*step.number); });
  std::vector<StepIndices> onlyB;
  for (std::size_t i = 0; i < b.size(); ++i) {
    std::optional<std::size_t> partner;
    if (byNumber && b[i].number) {
      if (const auto found = numbersOfA.find(*b[i].number); found != numbersOfA.end()) partner = found->second;
    } else if (!byNumber && i < a.size()) {
      partner = i;
    }
    if (partner && !pairs[*partner].index[1]) {
      pairs[*partner].index[1] = i;
    } else {
      onlyB.push_back({{std::nullopt, i}});
    }
  }
  pairs.insert(pairs.end(), onlyB.begin(), onlyB.end());
  if (byNumber) {
    const auto number = [&](const StepIndices& pair) {
      const analysis::Step& step = pair.index[0] ? a[*pair.index[0]] : b[*pair.index[1]];
      return step.number.value_or(std::numeric_limits<std::int64_t>::max());
    };
    std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& x, const auto& y) { return number(x) < number(y); });
  }
  return pairs;
}

}  // namespace threewalls::compare

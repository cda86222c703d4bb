#include "compare/compare.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace threewalls::compare {
namespace {

using analysis::Analysis;
using analysis::KernelRow;

/// Rows of the events that start in steady steps, over all lanes.
std::vector<KernelRow> steadyRows(const Analysis& analysis) {
  std::vector<KernelRow> rows;
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    std::vector<base::Interval> ranges;
    for (const analysis::Step* step : lane.steadySteps()) ranges.push_back(step->interval);
    mergeRows(rows, kernelRows(*analysis.trace, analysis.classes, lane.streams, ranges));
  }
  return rows;
}

base::Nanoseconds perStep(base::Nanoseconds sum, std::size_t steps) {
  const auto count = static_cast<std::int64_t>(steps);
  return base::Nanoseconds((sum.count() + count / 2) / count);
}

}  // namespace

std::vector<KernelDelta> kernelDeltas(const Analysis& a, const Analysis& b) {
  std::map<std::string_view, KernelDelta> joined;
  const auto add = [&](const Analysis& side, bool isB) {
    const std::size_t steps = steadySteps(side).size();
    for (const KernelRow& row : steadyRows(side)) {
      const std::string_view name = side.trace->names()[row.name];
      KernelDelta& delta = joined[name];
      delta.classId = side.classes.classOf(row.name).id;
      (isB ? delta.bName : delta.aName) = row.name;
      (isB ? delta.b : delta.a) = perStep(row.sum, steps);
      (isB ? delta.bCount : delta.aCount) = static_cast<double>(row.count) / static_cast<double>(steps);
    }
  };
  add(a, false);
  add(b, true);
  std::vector<KernelDelta> out;
  for (auto& [name, delta] : joined) {
    delta.name = name;
    out.push_back(std::move(delta));
  }
  // By name among equals (the map's order), so that A against B and B against A list the same order.
  std::stable_sort(out.begin(), out.end(), [](const KernelDelta& x, const KernelDelta& y) {
    return std::llabs(x.delta().count()) > std::llabs(y.delta().count());
  });
  return out;
}

}  // namespace threewalls::compare

#include "compare/compare.h"

#include <cstdlib>

namespace threewalls::compare {
namespace {

using base::Nanoseconds;

/// sum / count to the nearest integer, halves away from zero; 0 for no steps.
std::int64_t mean(std::int64_t sum, std::int64_t count) {
  if (count == 0) return 0;
  return (sum + (sum < 0 ? -(count / 2) : count / 2)) / count;
}

/// sumB / countB - sumA / countA to the nearest integer. Whole parts and remainders are kept apart, so that the fraction is exact
/// and nothing overflows; swapping the sides gives exactly the negative.
std::int64_t meanDelta(std::int64_t sumA, std::int64_t countA, std::int64_t sumB, std::int64_t countB) {
  if (countA == 0 || countB == 0) return mean(sumB, countB) - mean(sumA, countA);
  const std::int64_t whole = sumB / countB - sumA / countA;
  const std::int64_t rest = (sumB % countB) * countA - (sumA % countA) * countB;
  return whole + mean(rest, countA * countB);
}

analysis::Ledger sum(const std::vector<const analysis::Step*>& steps) {
  analysis::Ledger total;
  for (const analysis::Step* step : steps) total += step->ledger;
  return total;
}

}  // namespace

Nanoseconds Waterfall::residue() const {
  Nanoseconds rest = meanB - meanA;
  for (const Nanoseconds part : delta) rest -= part;
  return rest;
}

std::vector<const analysis::Step*> steadySteps(const analysis::Analysis& analysis) {
  std::vector<const analysis::Step*> out;
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    const std::vector<const analysis::Step*> steps = lane.steadySteps();
    out.insert(out.end(), steps.begin(), steps.end());
  }
  return out;
}

Waterfall waterfall(const std::vector<const analysis::Step*>& a, const std::vector<const analysis::Step*>& b) {
  const analysis::Ledger sumA = sum(a);
  const analysis::Ledger sumB = sum(b);
  const auto countA = static_cast<std::int64_t>(a.size());
  const auto countB = static_cast<std::int64_t>(b.size());
  Waterfall out;
  out.meanA = Nanoseconds(mean(sumA.duration.count(), countA));
  out.meanB = Nanoseconds(mean(sumB.duration.count(), countB));
  std::size_t largest = 0;
  for (std::size_t i = 0; i < out.delta.size(); ++i) {
    const analysis::LedgerPart which = analysis::kLedgerParts[i];
    out.delta[i] = Nanoseconds(meanDelta(part(sumA, which).count(), countA, part(sumB, which).count(), countB));
    if (std::llabs(out.delta[i].count()) > std::llabs(out.delta[largest].count())) largest = i;
  }
  // Each part is rounded on its own; the few nanoseconds left go where they matter least.
  out.delta[largest] += out.residue();
  return out;
}

}  // namespace threewalls::compare

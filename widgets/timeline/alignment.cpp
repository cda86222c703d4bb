#include "timeline/alignment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace threewalls::timeline {
namespace {

using common::Side;

const std::vector<analysis::Step>& stepsOf(const std::shared_ptr<const analysis::Analysis>& analysis) {
  static const std::vector<analysis::Step> none;
  const analysis::DeviceLane* lane = analysis ? mainLane(*analysis) : nullptr;
  return lane ? lane->steps : none;
}

QString labelOf(const analysis::Step& step) {
  return step.number ? QString::number(*step.number) : QString::fromStdString(step.name).simplified();
}

QString labelOf(const analysis::Step* a, const analysis::Step* b) {
  if (a == nullptr || b == nullptr) return labelOf(a != nullptr ? *a : *b);
  const QString left = labelOf(*a);
  const QString right = labelOf(*b);
  return left == right ? left : left + " / " + right;
}

std::vector<StepPair> paired(const std::vector<analysis::Step>& a, const std::vector<analysis::Step>& b) {
  std::vector<StepPair> pairs;
  for (const compare::StepIndices& steps : compare::pairSteps(a, b)) {
    const auto& [inA, inB] = steps.index;
    pairs.push_back({labelOf(inA ? &a[*inA] : nullptr, inB ? &b[*inB] : nullptr), steps.index});
  }
  return pairs;
}

}  // namespace

Alignment::Alignment(const common::Document& document) {
  for (const Side side : common::kSides) {
    const auto& run = document.run(side);
    if (!run || !run->analysis) continue;
    m_sides[static_cast<std::size_t>(side)] = run->analysis;
    m_origin[static_cast<std::size_t>(side)] = run->analysis->trace->span().start;
  }
  m_steps = paired(stepsOf(m_sides[0]), stepsOf(m_sides[1]));
  // The first step that neither side marks as warm-up or outlier and that both ran, when there is one.
  std::optional<std::size_t> best;
  int bestRank = -1;
  for (std::size_t i = 0; i < m_steps.size(); ++i) {
    int rank = 0;
    for (const Side side : common::kSides) {
      if (const analysis::Step* ran = step(side, i)) rank += ran->steady() ? 2 : 1;
    }
    if (rank > bestRank) {
      best = i;
      bestRank = rank;
    }
  }
  if (best) setAnchor(*best);
}

void Alignment::setAnchor(std::size_t pair) {
  m_anchor = pair;
  for (const Side side : common::kSides) {
    // A side without this step keeps its clock where it was.
    if (const analysis::Step* anchor = step(side, pair)) m_origin[static_cast<std::size_t>(side)] = anchor->interval.start;
  }
}

const analysis::Step* Alignment::step(Side side, std::size_t pair) const {
  const auto index = m_steps[pair].index[static_cast<std::size_t>(side)];
  return index ? &stepsOf(m_sides[static_cast<std::size_t>(side)])[*index] : nullptr;
}

double Alignment::toAligned(Side side, base::Nanoseconds time) const {
  return static_cast<double>((time - origin(side)).count());
}

TimeRange Alignment::toAligned(Side side, base::Interval range) const {
  return {toAligned(side, range.start), toAligned(side, range.end)};
}

base::Nanoseconds Alignment::toClock(Side side, double aligned) const {
  return origin(side) + base::Nanoseconds(std::llround(std::clamp(aligned, -1e18, 1e18)));
}

base::Interval Alignment::toClock(Side side, TimeRange range) const {
  return {toClock(side, range.start), toClock(side, range.end)};
}

TimeRange Alignment::bounds() const {
  TimeRange out{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (const Side side : common::kSides) {
    const auto& analysis = m_sides[static_cast<std::size_t>(side)];
    if (!analysis) continue;
    const TimeRange span = toAligned(side, analysis->trace->span());
    out = {std::min(out.start, span.start), std::max(out.end, span.end)};
  }
  if (out.end <= out.start) return {0, 1e6};
  return out;
}

TimeRange Alignment::rangeOf(std::size_t pair) const {
  TimeRange out{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (const Side side : common::kSides) {
    if (const analysis::Step* ran = step(side, pair)) {
      const TimeRange range = toAligned(side, ran->interval);
      out = {std::min(out.start, range.start), std::max(out.end, range.end)};
    }
  }
  return out.end > out.start ? out : bounds();
}

std::optional<std::size_t> Alignment::pairAt(double aligned) const {
  std::optional<std::size_t> best;
  double bestDistance = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < m_steps.size(); ++i) {
    for (const Side side : common::kSides) {
      const analysis::Step* ran = step(side, i);
      if (ran == nullptr) continue;
      const TimeRange range = toAligned(side, ran->interval);
      const double distance = aligned < range.start ? range.start - aligned : aligned >= range.end ? aligned - range.end + 1 : 0;
      if (distance < bestDistance) {
        best = i;
        bestDistance = distance;
      }
    }
  }
  return best;
}

std::optional<base::Nanoseconds> Alignment::residual(std::size_t pair) const {
  const analysis::Step* a = step(Side::A, pair);
  const analysis::Step* b = step(Side::B, pair);
  if (a == nullptr || b == nullptr) return std::nullopt;
  return (b->interval.start - origin(Side::B)) - (a->interval.start - origin(Side::A));
}

}  // namespace threewalls::timeline

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

/// Nanoseconds of Unix time at which a trace's clock stands at 0; files that do not say so may count from there themselves.
base::Nanoseconds wallBase(const analysis::Analysis& analysis) {
  return base::Nanoseconds(analysis.trace->info().baseTimeNanoseconds.value_or(0));
}

}  // namespace

Alignment::Alignment(const common::Document& document) {
  for (const Side side : common::kSides) {
    const auto& run = document.run(side);
    if (!run || !run->analysis) continue;
    m_sides[static_cast<std::size_t>(side)] = run->analysis;
    m_clocks[static_cast<std::size_t>(side)].origin = run->analysis->trace->span().start;
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
  layClocks();
}

void Alignment::setMode(const AlignmentMode& mode, Side reference) {
  m_mode = mode;
  m_reference = reference;
  layClocks();
}

void Alignment::layClocks() {
  m_holds = true;
  m_phases = {};
  for (const Side side : common::kSides) {
    SideClock& clock = m_clocks[static_cast<std::size_t>(side)];
    clock.stretch = 1;
    // A side without this step keeps its clock where it was.
    const analysis::Step* aligned = m_anchor ? step(side, *m_anchor) : nullptr;
    if (aligned != nullptr) clock.origin = aligned->interval.start;
  }
  switch (m_mode.by) {
    case AlignBy::StepStart: break;
    case AlignBy::Phase: m_holds = alignPhase(); break;
    case AlignBy::WallClock: m_holds = alignWallClock(); break;
    case AlignBy::Stretched: m_holds = stretchToReference(); break;
  }
}

bool Alignment::alignPhase() {
  if (!m_anchor || !bothRan(*m_anchor)) return false;
  std::array<base::Nanoseconds, 2> starts{};
  bool found = true;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto phases =
        compare::phases(*m_sides[i], *mainLane(*m_sides[i]), *step(common::kSides[i], *m_anchor), m_mode.phaseClass);
    m_phases[i] = phases.size();
    if (m_mode.phase < phases.size()) {
      starts[i] = phases[m_mode.phase].interval.start;
    } else {
      found = false;
    }
  }
  if (!found) return false;
  for (std::size_t i = 0; i < 2; ++i) m_clocks[i].origin = starts[i];
  return true;
}

bool Alignment::alignWallClock() {
  if (!m_sides[0] || !m_sides[1] || apart()) return false;
  // The reference stays where its step starts; where it did not run the step, the other side does.
  std::size_t fixed = static_cast<std::size_t>(m_reference);
  if (m_anchor && !m_steps[*m_anchor].index[fixed]) fixed = 1 - fixed;
  const base::Nanoseconds wall = wallBase(*m_sides[fixed]) + m_clocks[fixed].origin;
  m_clocks[1 - fixed].origin = wall - wallBase(*m_sides[1 - fixed]);
  return true;
}

bool Alignment::stretchToReference() {
  if (!m_anchor || !bothRan(*m_anchor)) return false;
  const Side other = m_reference == Side::A ? Side::B : Side::A;
  const base::Nanoseconds wanted = step(m_reference, *m_anchor)->interval.length();
  const base::Nanoseconds length = step(other, *m_anchor)->interval.length();
  if (wanted.count() <= 0 || length.count() <= 0) return false;
  m_clocks[static_cast<std::size_t>(other)].stretch = static_cast<double>(wanted.count()) / static_cast<double>(length.count());
  return true;
}

std::optional<base::Nanoseconds> Alignment::apart() const {
  if (!m_sides[0] || !m_sides[1]) return std::nullopt;
  std::array<base::Interval, 2> wall{};
  for (std::size_t i = 0; i < 2; ++i) {
    const base::Interval span = m_sides[i]->trace->span();
    wall[i] = {span.start + wallBase(*m_sides[i]), span.end + wallBase(*m_sides[i])};
  }
  const base::Nanoseconds gap = std::max(wall[0].start, wall[1].start) - std::min(wall[0].end, wall[1].end);
  if (gap.count() <= 0) return std::nullopt;
  return gap;
}

const analysis::Step* Alignment::step(Side side, std::size_t pair) const {
  const auto index = m_steps[pair].index[static_cast<std::size_t>(side)];
  return index ? &stepsOf(m_sides[static_cast<std::size_t>(side)])[*index] : nullptr;
}

TimeRange Alignment::toAligned(Side side, base::Interval range) const {
  return {toAligned(side, range.start), toAligned(side, range.end)};
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
  return base::Nanoseconds(std::llround(toAligned(Side::B, b->interval.start) - toAligned(Side::A, a->interval.start)));
}

}  // namespace threewalls::timeline

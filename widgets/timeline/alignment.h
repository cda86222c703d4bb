#pragma once

#include "analysis/analysis.h"
#include "common/document.h"
#include "compare/step_pairs.h"
#include "timeline/time_axis.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace threewalls::timeline {

/// A step that both sides, or one, ran: indices into the steps of each side's main lane.
struct StepPair {
  QString label;  ///< "61", or "61 / 11" where the numbers differ
  std::array<std::optional<std::size_t>, 2> index;
};

using compare::mainLane;  ///< the lane whose steps a timeline shows

/// How the clocks of A and B are laid over each other: aligned time counts from the start of one pair of steps. Sides without
/// steps count from the start of their trace.
class Alignment {
 public:
  Alignment() = default;
  explicit Alignment(const common::Document& document);

  /// Steps in time order: by number where the sides share numbers, else first with first.
  const std::vector<StepPair>& steps() const { return m_steps; }
  std::optional<std::size_t> anchor() const { return m_anchor; }
  /// The pair whose starts lie at aligned time 0.
  void setAnchor(std::size_t pair);

  const analysis::Step* step(common::Side side, std::size_t pair) const;
  /// Where the side's clock stands at aligned time 0.
  base::Nanoseconds origin(common::Side side) const { return m_origin[static_cast<std::size_t>(side)]; }
  double toAligned(common::Side side, base::Nanoseconds time) const;
  TimeRange toAligned(common::Side side, base::Interval range) const;
  base::Nanoseconds toClock(common::Side side, double aligned) const;
  base::Interval toClock(common::Side side, TimeRange range) const;

  /// From the earliest start to the latest end of both sides, in aligned time.
  TimeRange bounds() const;
  /// The aligned stretch that holds a pair on every side that ran it.
  TimeRange rangeOf(std::size_t pair) const;
  /// The pair that covers most of what lies around an aligned time; none without steps.
  std::optional<std::size_t> pairAt(double aligned) const;
  /// Start of B's step less start of A's in aligned time: 0 at the anchor; none unless both sides ran the step.
  std::optional<base::Nanoseconds> residual(std::size_t pair) const;

 private:
  std::array<std::shared_ptr<const analysis::Analysis>, 2> m_sides;
  std::array<base::Nanoseconds, 2> m_origin{};
  std::vector<StepPair> m_steps;
  std::optional<std::size_t> m_anchor;
};

}  // namespace threewalls::timeline

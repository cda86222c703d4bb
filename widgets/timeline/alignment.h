#pragma once

#include "analysis/analysis.h"
#include "common/document.h"
#include "compare/phases.h"
#include "compare/step_pairs.h"
#include "timeline/side_clock.h"
#include "timeline/time_axis.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace threewalls::timeline {

/// A step that both sides, or one, ran: indices into the steps of each side's main lane.
struct StepPair {
  QString label;  ///< "61", or "61 / 11" where the numbers differ
  std::array<std::optional<std::size_t>, 2> index;
};

using compare::mainLane;  ///< the lane whose steps a timeline shows

/// What the clocks of A and B are laid over each other by.
enum class AlignBy : std::uint8_t {
  StepStart,  ///< the starts of the aligned step
  Phase,      ///< the starts of one phase within it
  WallClock,  ///< the time of day at which they were recorded
  Stretched,  ///< the starts of the aligned step, drawn equally long on both sides
};

struct AlignmentMode {
  AlignBy by = AlignBy::StepStart;
  std::string phaseClass = {};  ///< of Phase: id of a kernel class
  std::size_t phase = 0;        ///< of Phase: the how manieth of the step, from 0
  bool operator==(const AlignmentMode&) const = default;
};

/// How the clocks of A and B are laid over each other: aligned time counts from one instant within one pair of steps. Sides
/// without steps count from the start of their trace. The clock of the reference side is never stretched.
class Alignment {
 public:
  Alignment() = default;
  explicit Alignment(const common::Document& document);

  /// Steps in time order: by number where the sides share numbers, else first with first.
  const std::vector<StepPair>& steps() const { return m_steps; }
  std::optional<std::size_t> anchor() const { return m_anchor; }
  /// The pair that is aligned.
  void setAnchor(std::size_t pair);
  const AlignmentMode& mode() const { return m_mode; }
  void setMode(const AlignmentMode& mode, common::Side reference);
  /// Whether the aligned pair has what the mode aligns by; where it has not, its step starts are aligned.
  bool holds() const { return m_holds; }
  /// Of mode Phase: how many phases of the class the aligned step has on a side.
  std::size_t phaseCount(common::Side side) const { return m_phases[static_cast<std::size_t>(side)]; }
  /// How long after the end of one recording the other began; none where they overlap or only one is open.
  std::optional<base::Nanoseconds> apart() const;

  const analysis::Analysis* analysis(common::Side side) const { return m_sides[static_cast<std::size_t>(side)].get(); }
  const analysis::Step* step(common::Side side, std::size_t pair) const;
  bool bothRan(std::size_t pair) const { return m_steps[pair].index[0] && m_steps[pair].index[1]; }
  const SideClock& clock(common::Side side) const { return m_clocks[static_cast<std::size_t>(side)]; }
  double toAligned(common::Side side, base::Nanoseconds time) const { return clock(side).toAligned(time); }
  TimeRange toAligned(common::Side side, base::Interval range) const;
  base::Nanoseconds toClock(common::Side side, double aligned) const { return clock(side).toClock(aligned); }
  base::Interval toClock(common::Side side, TimeRange range) const;

  /// From the earliest start to the latest end of both sides, in aligned time.
  TimeRange bounds() const;
  /// The aligned stretch that holds a pair on every side that ran it.
  TimeRange rangeOf(std::size_t pair) const;
  /// The pair that covers most of what lies around an aligned time; none without steps.
  std::optional<std::size_t> pairAt(double aligned) const;
  /// Start of B's step less start of A's in aligned time; none unless both sides ran the step.
  std::optional<base::Nanoseconds> residual(std::size_t pair) const;

 private:
  void layClocks();
  bool alignPhase();
  bool alignWallClock();
  bool stretchToReference();

  std::array<std::shared_ptr<const analysis::Analysis>, 2> m_sides;
  std::array<SideClock, 2> m_clocks;
  std::vector<StepPair> m_steps;
  std::optional<std::size_t> m_anchor;
  AlignmentMode m_mode;
  common::Side m_reference = common::Side::A;
  bool m_holds = true;
  std::array<std::size_t, 2> m_phases{};
};

}  // namespace threewalls::timeline

#pragma once

#include "analysis/analysis.h"
#include "base/diagnostics.h"
#include "base/units.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::compare {

/// What may be said about B against A (definitions.md, A/B).
enum class Claim : std::uint8_t { Faster, Slower, BelowThreshold, NoDifference, TooFewSteps, NotComparable };
/// "faster", "slower", "below_threshold", "no_difference", "too_few_steps", "not_comparable".
std::string_view toText(Claim claim);

struct KernelDelta {
  std::string name;
  std::string classId;
  base::Nanoseconds a{0};  ///< per step
  base::Nanoseconds b{0};
  double aCount = 0;  ///< per step
  double bCount = 0;
  std::optional<trace::NameId> aName;  ///< in A's trace; none when A never ran it
  std::optional<trace::NameId> bName;
  base::Nanoseconds delta() const { return b - a; }
};

/// From the mean step of A to the mean step of B: one signed part each, summing exactly to meanB − meanA.
struct Waterfall {
  base::Nanoseconds meanA{0};
  base::Nanoseconds meanB{0};
  std::array<base::Nanoseconds, analysis::kLedgerParts.size()> delta{};  ///< by LedgerPart
  /// meanB − meanA − sum of delta: 0 by construction, kept so that tests and screens can check.
  base::Nanoseconds residue() const;
};

/// Medians over the steady steps of the slowest lane of each side (the lane the wall is about).
struct StepTime {
  base::Nanoseconds medianA{0};
  base::Nanoseconds medianB{0};
  std::optional<double> ratio;                     ///< b / a
  std::optional<std::array<double, 2>> ratioCi95;  ///< moving-block bootstrap; none with too few steps
  std::size_t countA = 0;
  std::size_t countB = 0;
};

struct Comparison {
  std::shared_ptr<const analysis::Analysis> a;
  std::shared_ptr<const analysis::Analysis> b;
  StepTime stepTime;
  Waterfall waterfall;
  std::vector<KernelDelta> kernels;  ///< by |delta|, largest first
  Claim claim = Claim::TooFewSteps;
  bool mayClaimCause = false;        ///< needs the configuration of both runs, which a trace does not hold
  std::vector<std::string> reasons;  ///< sentences for people
  std::string headline;              ///< "B is 102.7 ms a step faster", "no difference shown", ...
  base::Diagnostics diagnostics;
};

constexpr std::size_t kTraceStepsNeeded = 5;  ///< steps a side from traces, or nothing is claimed
constexpr double kClaimThreshold = 0.01;      ///< a ratio this close to 1 is "smaller than 1 %"

/// The steps of all lanes that means are over: unmarked ones, or all of a lane when every one is marked.
std::vector<const analysis::Step*> steadySteps(const analysis::Analysis& analysis);
/// Waterfall between the mean ledgers of two sets of steps; a side without steps counts as a mean of 0.
Waterfall waterfall(const std::vector<const analysis::Step*>& a, const std::vector<const analysis::Step*>& b);
/// Kernel times per steady step, joined by name, by |delta|, largest first.
std::vector<KernelDelta> kernelDeltas(const analysis::Analysis& a, const analysis::Analysis& b);

/// Compares two analysed traces by definitions.md. Means are over all unmarked steps of all lanes.
Comparison compare(std::shared_ptr<const analysis::Analysis> a, std::shared_ptr<const analysis::Analysis> b);

}  // namespace threewalls::compare

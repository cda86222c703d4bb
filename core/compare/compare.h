#pragma once

#include "analysis/analysis.h"
#include "base/diagnostics.h"
#include "base/units.h"
#include "run/steady_window.h"
#include "run/training_log.h"

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

/// What is known of one run: a trace, a log, or both.
struct RunSide {
  std::shared_ptr<const analysis::Analysis> analysis;  ///< null without a trace
  std::shared_ptr<const run::TrainingLog> log;         ///< null without a log
  base::Diagnostics notes;                             ///< of finding them: files left out
};

/// Where step times come from. A log of an unprofiled run is preferred: profiling can slow a run.
enum class TimeSource : std::uint8_t { Trace, Log };
/// "trace", "log".
std::string_view toText(TimeSource source);

/// Medians over the iterations of the logs' steady windows when both sides have one, else over the steady steps of the slowest
/// lane of each trace (the lane the wall is about).
struct StepTime {
  base::Nanoseconds medianA{0};
  base::Nanoseconds medianB{0};
  std::optional<double> ratio;                     ///< b / a
  std::optional<std::array<double, 2>> ratioCi95;  ///< moving-block bootstrap; none with too few steps
  std::size_t countA = 0;                          ///< steps, or iterations
  std::size_t countB = 0;
  TimeSource source = TimeSource::Trace;
};

/// One side's median step in its trace against the median iteration of its log's steady window.
struct ProfileAgreement {
  base::Nanoseconds trace{0};
  base::Nanoseconds log{0};
  double deviation() const { return static_cast<double>(trace.count()) / static_cast<double>(log.count()) - 1.0; }
  bool agrees() const;  ///< within kAgreement
};

/// An argument that differs between the runs; none on a side that does not have it.
struct ChangedVariable {
  std::string field;
  std::optional<std::string> a;
  std::optional<std::string> b;
};

struct Comparison {
  std::shared_ptr<const analysis::Analysis> a;  ///< null when the side has no trace
  std::shared_ptr<const analysis::Analysis> b;
  std::shared_ptr<const run::TrainingLog> logA;  ///< null when the side has no log
  std::shared_ptr<const run::TrainingLog> logB;
  std::optional<run::SteadyWindow> windowA;  ///< of the side's log
  std::optional<run::SteadyWindow> windowB;
  StepTime stepTime;
  std::optional<ProfileAgreement> agreementA;  ///< of a side with trace and log
  std::optional<ProfileAgreement> agreementB;
  Waterfall waterfall;                                  ///< zero unless both sides have a trace
  std::vector<KernelDelta> kernels;                     ///< by |delta|, largest first; empty unless both sides have a trace
  std::optional<std::vector<ChangedVariable>> changed;  ///< by name; none unless both logs hold an argument dump
  std::optional<bool> singleVariable;                   ///< exactly one thing changed; none when that is not known
  Claim claim = Claim::TooFewSteps;
  bool mayClaimCause = false;        ///< one thing changed, and the step time with it
  std::vector<std::string> reasons;  ///< sentences for people
  std::string headline;              ///< "B is 102.7 ms a step faster", "no difference shown", ...
  base::Diagnostics diagnostics;
};

constexpr std::size_t kTraceStepsNeeded = 5;      ///< steps a side from traces, or nothing is claimed
constexpr std::size_t kLogIterationsNeeded = 10;  ///< likewise iterations from logs
constexpr double kAgreement = 0.05;
constexpr double kClaimThreshold = 0.01;  ///< a ratio this close to 1 is "smaller than 1 %"

/// The steps of all lanes that means are over: unmarked ones, or all of a lane when every one is marked.
std::vector<const analysis::Step*> steadySteps(const analysis::Analysis& analysis);
/// Waterfall between the mean ledgers of two sets of steps; a side without steps counts as a mean of 0.
Waterfall waterfall(const std::vector<const analysis::Step*>& a, const std::vector<const analysis::Step*>& b);
/// Kernel times per steady step, joined by name, by |delta|, largest first.
std::vector<KernelDelta> kernelDeltas(const analysis::Analysis& a, const analysis::Analysis& b);

/// Compares two analysed traces by definitions.md. Means are over all unmarked steps of all lanes.
Comparison compare(std::shared_ptr<const analysis::Analysis> a, std::shared_ptr<const analysis::Analysis> b);
/// Compares two runs by what is known of them.
Comparison compare(const RunSide& a, const RunSide& b);

}  // namespace threewalls::compare

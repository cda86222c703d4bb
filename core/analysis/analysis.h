#pragma once

#include "analysis/kernel_class.h"
#include "analysis/ledger.h"
#include "analysis/steps.h"
#include "analysis/wall.h"
#include "base/diagnostics.h"
#include "trace/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace threewalls::analysis {

/// One (rank, process, device) of a trace: what a ledger is about.
struct DeviceLane {
  std::optional<int> rank;
  std::string process;
  int device = -1;
  std::vector<trace::LaneId> streams;
  DeviceOccupancy occupancy;
  std::vector<Step> steps;  ///< in time order; empty when the lane has no GPU event
  Ledger totals;            ///< sum over steps
  /// GPU events before the first and after the last step.
  std::uint64_t eventsOutsideSteps = 0;

  /// "GPU 0", with the rank in front when it is known: how sentences and tables call it.
  std::string name() const;
  /// The steps that means and medians are taken over: unmarked ones, or all when every one is marked.
  std::vector<const Step*> steadySteps() const;
};

/// Times of one kernel name inside the analysed steps.
struct KernelRow {
  trace::NameId name{0};
  ClassId classId = 0;
  std::uint64_t count = 0;
  base::Nanoseconds sum{0};
  base::Nanoseconds max{0};
  base::Nanoseconds mean() const { return count == 0 ? base::Nanoseconds{0} : sum / static_cast<std::int64_t>(count); }
};

struct ClassRow {
  ClassId classId = 0;
  std::uint64_t count = 0;
  base::Nanoseconds sum{0};
  base::Nanoseconds unionTime{0};  ///< union per device, summed over devices
};

/// Tables over the GPU events of `streams` that start inside one of `ranges` (sorted, disjoint), in no order; durations are
/// whole.
std::vector<KernelRow> kernelRows(const trace::Trace& trace, const Classification& classes,
                                  const std::vector<trace::LaneId>& streams, const std::vector<base::Interval>& ranges);
/// As kernelRows by class; the union is cut to `ranges`.
std::vector<ClassRow> classRows(const trace::Trace& trace, const Classification& classes,
                                const std::vector<trace::LaneId>& streams, const std::vector<base::Interval>& ranges);
/// Adds rows of another device of the same trace and sorts by sum, longest first.
void mergeRows(std::vector<KernelRow>& into, const std::vector<KernelRow>& more);
void mergeRows(std::vector<ClassRow>& into, const std::vector<ClassRow>& more);

struct AnalysisOptions {
  bool whole = false;                                          ///< one step named "all" over all GPU events of a lane
  std::optional<std::pair<std::int64_t, std::int64_t>> steps;  ///< step numbers, inclusive
  std::optional<base::Interval> range;                         ///< one step named "range" over just that stretch
};

/// Everything the program says about one trace: immutable.
struct Analysis {
  std::shared_ptr<const trace::Trace> trace;
  Classification classes;
  std::vector<DeviceLane> lanes;
  Ledger totals;                    ///< over lanes and steps
  std::vector<KernelRow> kernels;   ///< by sum, longest first; GPU events inside the analysed steps
  std::vector<ClassRow> classRows;  ///< by sum, longest first
  Wall wall;
  base::Diagnostics diagnostics;  ///< of loading and of analysis
};

/// A trace in which a larger share of the kernel time is of no known class gets a warning.
constexpr double kUnclassifiedWarning = 0.05;

/// Analyses one trace by definitions.md. Never fails: a trace without GPU work has lanes without steps and says so in the
/// diagnostics.
std::shared_ptr<const Analysis> analyze(std::shared_ptr<const trace::Trace> trace,
                                        std::shared_ptr<const ClassTable> table = ClassTable::builtIn(),
                                        const AnalysisOptions& options = {});

}  // namespace threewalls::analysis

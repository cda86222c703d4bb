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

struct AnalysisOptions {
  bool whole = false;  ///< one step named "all" over all GPU events of a lane
  std::optional<std::pair<std::int64_t, std::int64_t>> steps;  ///< step numbers, inclusive
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
  base::Diagnostics diagnostics;    ///< of loading and of analysis
};

/// Analyses one trace by definitions.md. Never fails: a trace without GPU work has lanes without steps and says so in the
/// diagnostics.
std::shared_ptr<const Analysis> analyze(std::shared_ptr<const trace::Trace> trace,
                                        std::shared_ptr<const ClassTable> table = ClassTable::builtIn(),
                                        const AnalysisOptions& options = {});

}  // namespace threewalls::analysis

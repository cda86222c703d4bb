#pragma once

#include "analysis/ledger.h"
#include "base/units.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::analysis {

/// How the ends of a step were found (definitions.md, Steps).
enum class StepBoundary : std::uint8_t { GpuLaunch, GpuMarker, CpuMarker, Whole };
/// "gpu_launch", "gpu_marker", "cpu_marker", "whole".
std::string_view toText(StepBoundary boundary);

namespace step_mark {
constexpr std::uint8_t kWarmup = 1;
constexpr std::uint8_t kOutlier = 2;
constexpr std::uint8_t kOpenEnd = 4;
}  // namespace step_mark

struct Step {
  std::string name;                    ///< "ProfilerStep#61"
  std::optional<std::int64_t> number;  ///< 61, when the name has one
  base::Interval interval;             ///< on the GPU
  base::Nanoseconds hostDuration{0};   ///< of the CPU marker; 0 when there is none
  StepBoundary boundary = StepBoundary::Whole;
  std::uint8_t marks = 0;  ///< step_mark bits
  Ledger ledger;

  /// Counted in means and medians: marked neither warm-up nor outlier.
  bool steady() const { return (marks & (step_mark::kWarmup | step_mark::kOutlier)) == 0; }
};

/// "step 61" for a numbered step, else its name: how sentences call it.
std::string spokenName(const Step& step);

/// A `ProfilerStep#N` range as it was recorded.
struct StepMarker {
  std::string name;
  std::optional<std::int64_t> number;
  base::Interval interval;
};

/// Markers on host threads (of `process` when it has any, else of every process), by start, the earliest one per name.
std::vector<StepMarker> hostStepMarkers(const trace::Trace& trace, std::string_view process);
/// Markers projected on `device`, by start, the earliest one per name.
std::vector<StepMarker> gpuStepMarkers(const trace::Trace& trace, int device);

/// Steps of one device from its GPU events and the trace's markers (definitions.md, Steps): by launch call where calls were
/// recorded, else from markers on the device, else from the host markers' starts, else one step "all" over `span`. Ledgers are
/// empty; outliers and the open end are marked. A marker none of whose launches reached the device gives no step.
std::vector<Step> findSteps(const trace::Trace& trace, const std::vector<trace::LaneId>& streams, std::string_view process,
                            int device, base::Interval span);
/// The one step "all" of --whole.
Step wholeStep(base::Interval span);
/// The one step "range" of --from and --to.
Step rangeStep(base::Interval range);
/// Adds kOutlier to steps that last over 1.5 times the median of `steps`.
void markOutliers(std::vector<Step>& steps);
constexpr double kOutlierFactor = 1.5;

}  // namespace threewalls::analysis

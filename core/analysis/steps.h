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
  std::string name;                ///< "ProfilerStep#61"
  std::optional<std::int64_t> number;  ///< 61, when the name has one
  base::Interval interval;         ///< on the GPU
  base::Nanoseconds hostDuration{0};  ///< of the CPU marker; 0 when there is none
  StepBoundary boundary = StepBoundary::Whole;
  std::uint8_t marks = 0;          ///< step_mark bits
  Ledger ledger;

  /// Counted in means and medians: marked neither warm-up nor outlier.
  bool steady() const { return (marks & (step_mark::kWarmup | step_mark::kOutlier)) == 0; }
};

}  // namespace threewalls::analysis

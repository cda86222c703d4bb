#pragma once

#include "run/training_log.h"

#include <string_view>

namespace threewalls::run {

constexpr std::string_view kLossField = "lm loss";
constexpr std::string_view kNemoLossField = "reduced_train_loss";
constexpr std::string_view kThroughputField = "throughput per GPU (TFLOP/s/GPU)";
constexpr std::string_view kNemoThroughputField = "TFLOPS_per_GPU";
constexpr std::string_view kGradNormField = "grad norm";
constexpr std::string_view kSkippedField = "number of skipped iterations";
constexpr std::string_view kNanField = "number of nan iterations";

/// Warm-up of definitions.md is at least this many iterations of an attempt.
constexpr std::int64_t kLeastWarmup = 3;

/// Once all lines are read: log interval, marks, totals, whether losses are finite, and diagnostics of what the trainers are
/// known to print wrongly (oracles/README.md, quirks 21-27).
void markLines(TrainingLog& log);

/// How many leading values belong to the warm-up: up to the first place where the median of five values comes within
/// max(2 %, 2 robust deviations) of the median of the second half; never more than half of the values. Isolated slow values do
/// not end or extend it.
std::size_t warmupLength(const std::vector<double>& series);

}  // namespace threewalls::run

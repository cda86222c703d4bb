#pragma once

#include "trace/ncu/kernel_metrics.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::trace::ncu {

/// Metrics of one launch: raw name or "Section/Display name [base unit]" -> value in base units (seconds, bytes, hertz, counts).
using MetricValues = std::map<std::string, double, std::less<>>;

/// What the table understood of a launch.
struct Understood {
  std::vector<std::string> missing;  ///< "duration", "DRAM bytes", ...: quantities for which the file has no known metric
  std::vector<std::string> unknown;  ///< metrics that count operations or bytes under a name that the table does not have
  bool unknownGeneration = false;    ///< a GPU newer or older than the table knows; its names were read all the same
  bool half2 = false;                ///< FP16 instructions outside the tensor pipe: packed ones may count for half of their work
};

/// Fills duration, work, bytes and throughput of `kernel` (its compute capability is set) by the table of metric names.
Understood applyMetricTable(const MetricValues& values, KernelMetrics& kernel);

}  // namespace threewalls::trace::ncu

#include "trace/ncu/kernel_metrics.h"

#include <string_view>

namespace threewalls::trace::ncu {

std::string_view toText(Resource resource) {
  constexpr std::string_view words[] = {"sm", "memory", "dram", "l2", "l1", "tensor", "fma", "occupancy"};
  return words[static_cast<std::size_t>(resource)];
}

std::optional<double> KernelMetrics::flops() const {
  std::optional<double> total;
  for (const Work& part : work) {
    if (!part.precision.starts_with("int") && !part.precision.starts_with("uint")) total = total.value_or(0) + part.operations;
  }
  return total;
}

std::optional<double> KernelMetrics::flopsPerSecond() const {
  const auto total = flops();
  if (!total || !durationNs || *durationNs <= 0) return std::nullopt;
  return *total / (*durationNs * 1e-9);
}

std::optional<double> KernelMetrics::intensity() const {
  const auto total = flops();
  if (!total || !dramBytes || *dramBytes <= 0) return std::nullopt;
  return *total / *dramBytes;
}

}  // namespace threewalls::trace::ncu

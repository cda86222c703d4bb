#include "trace/ncu/metric_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace threewalls::trace::ncu {
namespace {

enum class Quantity { Duration, DramBytes, L2Bytes, L1Bytes };

/// Generations by compute capability times ten: Volta 70, Turing 75, Ampere 80-87, Ada 89, Hopper 90, Blackwell 100-121.
constexpr int kOldest = 70;
constexpr int kNewest = 121;

/// The first entry of a quantity that a launch has counts. `perSecond` entries are rates: times the duration.
struct Measure {
  Quantity quantity;
  int from, to;  ///< generations that know the name
  double factor;
  bool perSecond;
  std::array<std::string_view, 2> names;  ///< both are added; the second may be empty
};
constexpr Measure kMeasures[] = {
    {Quantity::Duration, kOldest, kNewest, 1, false, {"gpu__time_duration.sum", ""}},
    {Quantity::Duration, kOldest, kNewest, 1, false, {"gpu__time_duration.avg", ""}},
    {Quantity::Duration, kOldest, kNewest, 1, false, {"gpu__time_duration_measured_user.sum", ""}},
    {Quantity::Duration, kOldest, kNewest, 1, false, {"GPU Speed Of Light Throughput/Duration [s]", ""}},
    {Quantity::DramBytes, kOldest, kNewest, 1, false, {"dram__bytes.sum", ""}},
    {Quantity::DramBytes, kOldest, kNewest, 1, false, {"dram__bytes_read.sum", "dram__bytes_write.sum"}},
    {Quantity::DramBytes, 80, kNewest, 1, false, {"dram__bytes_op_read.sum", "dram__bytes_op_write.sum"}},
    {Quantity::DramBytes, kOldest, kNewest, 32, false, {"dram__sectors_read.sum", "dram__sectors_write.sum"}},
    {Quantity::DramBytes, kOldest, kNewest, 1, true, {"dram__bytes.sum.per_second", ""}},
    {Quantity::DramBytes, kOldest, kNewest, 1, true, {"Memory Workload Analysis/Memory Throughput [byte/s]", ""}},
    {Quantity::L2Bytes, kOldest, kNewest, 1, false, {"lts__t_bytes.sum", ""}},
    {Quantity::L2Bytes, kOldest, kNewest, 32, false, {"lts__t_sectors.sum", ""}},
    {Quantity::L2Bytes, kOldest, kNewest, 1, true, {"lts__t_bytes.sum.per_second", ""}},
    {Quantity::L1Bytes, kOldest, kNewest, 1, false, {"l1tex__t_bytes.sum", ""}},
    {Quantity::L1Bytes, kOldest, kNewest, 32, false, {"l1tex__t_sectors.sum", ""}},
    {Quantity::L1Bytes, kOldest, kNewest, 1, true, {"l1tex__t_bytes.sum.per_second", ""}},
};
constexpr std::string_view kQuantityWords[] = {"duration", "DRAM bytes", "L2 bytes", "L1 bytes"};

struct Share {
  Resource resource;
  std::string_view name;
};
constexpr Share kShares[] = {
    {Resource::Sm, "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {Resource::Sm, "GPU Speed Of Light Throughput/Compute (SM) Throughput [%]"},
    {Resource::Memory, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {Resource::Memory, "GPU Speed Of Light Throughput/Memory Throughput [%]"},
    {Resource::Dram, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {Resource::Dram, "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {Resource::Dram, "GPU Speed Of Light Throughput/DRAM Throughput [%]"},
    {Resource::L2, "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {Resource::L2, "GPU Speed Of Light Throughput/L2 Cache Throughput [%]"},
    {Resource::L1, "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {Resource::L1, "GPU Speed Of Light Throughput/L1/TEX Cache Throughput [%]"},
    {Resource::Tensor, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {Resource::Tensor, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"},
    {Resource::Tensor, "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active"},
    {Resource::Tensor, "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active"},
    {Resource::Fma, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {Resource::Fma, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"},
    {Resource::Occupancy, "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {Resource::Occupancy, "Occupancy/Achieved Occupancy [%]"},
};

/// Scalar arithmetic: thread instructions whose predicate was on.
struct ScalarRule {
  std::string_view precision, letter;
};
constexpr ScalarRule kScalars[] = {{"fp64", "d"}, {"fp32", "f"}, {"fp16", "h"}};
constexpr std::string_view kTensorPrefix = "sm__ops_path_tensor_";

std::optional<double> valueOf(const MetricValues& values, std::string_view name) {
  const auto at = values.find(name);
  return at == values.end() ? std::nullopt : std::optional<double>(at->second);
}

/// Total of a counter: its sum, or its rate per cycle times cycles, which is how Nsight Compute's own roofline section takes it.
std::optional<double> total(const MetricValues& values, const std::string& counter, std::optional<double> seconds) {
  if (const auto sum = valueOf(values, counter + ".sum")) return sum;
  const auto perCycle = valueOf(values, counter + ".sum.per_cycle_elapsed");
  if (!perCycle) return std::nullopt;
  if (*perCycle == 0) return 0;
  const std::string unit = counter.substr(0, counter.find("__"));
  const auto frequency = valueOf(values, unit + "__cycles_elapsed.avg.per_second");
  if (!frequency || !seconds) return std::nullopt;
  return *perCycle * *frequency * *seconds;
}

void addScalar(const MetricValues& values, std::optional<double> seconds, KernelMetrics& kernel, Understood& out) {
  for (const ScalarRule& rule : kScalars) {
    std::optional<double> operations;
    constexpr std::pair<std::string_view, double> kOps[] = {{"add", 1}, {"mul", 1}, {"fma", 2}};
    for (const std::string_view unit : {"sm", "smsp"}) {  // both count the same instructions
      for (const auto& [op, factor] : kOps) {
        const std::string counter =
            std::string(unit) + "__sass_thread_inst_executed_op_" + std::string(rule.letter) + std::string(op) + "_pred_on";
        if (const auto count = total(values, counter, seconds)) operations = operations.value_or(0) + factor * *count;
      }
      if (operations) break;
    }
    if (!operations) continue;
    if (rule.letter == "h" && *operations > 0) out.half2 = true;
    kernel.work.push_back({std::string(rule.precision), "", "scalar", *operations});
  }
}

/// "op_hgmma_src_bf16_dst_fp32_sparsity_off" in parts.
struct TensorName {
  std::string_view op, source, target, sparsity;
};

std::optional<TensorName> tensorName(std::string_view text) {
  TensorName out;
  if (text.starts_with("op_")) {
    const std::size_t end = text.find("_src_");
    if (end == std::string_view::npos) return std::nullopt;
    out.op = text.substr(3, end - 3);
    text.remove_prefix(end + 1);
  }
  const std::size_t target = text.find("_dst_");
  if (!text.starts_with("src_") || target == std::string_view::npos) return std::nullopt;
  out.source = text.substr(4, target - 4);
  out.target = text.substr(target + 5);
  if (const std::size_t sparsity = out.target.find("_sparsity_"); sparsity != std::string_view::npos) {
    out.sparsity = out.target.substr(sparsity + 10);
    out.target = out.target.substr(0, sparsity);
  }
  return out;
}

void addTensor(const MetricValues& values, std::optional<double> seconds, KernelMetrics& kernel, Understood& out) {
  // For one pair of types there can be a total, parts by instruction, and parts by sparsity of each: the coarsest one counts.
  struct Parts {
    std::map<std::string_view, std::map<std::string_view, double>> byOp;  ///< instruction -> sparsity -> operations
  };
  std::map<std::pair<std::string_view, std::string_view>, Parts> pairs;
  for (auto at = values.lower_bound(kTensorPrefix); at != values.end() && at->first.starts_with(kTensorPrefix); ++at) {
    std::string_view counter = at->first;
    const bool sum = counter.ends_with(".sum");
    if (!sum && !counter.ends_with(".sum.per_cycle_elapsed")) continue;
    counter = counter.substr(0, counter.find('.'));
    const auto name = tensorName(counter.substr(kTensorPrefix.size()));
    const auto count = total(values, std::string(counter), seconds);
    if (!name) out.unknown.emplace_back(at->first);
    if (name && count) pairs[{name->source, name->target}].byOp[name->op][name->sparsity] = *count;
  }
  for (const auto& [types, parts] : pairs) {
    const auto whole = parts.byOp.find("");
    for (const auto& [op, bySparsity] : parts.byOp) {
      if (whole != parts.byOp.end() && op != "") continue;
      double operations = 0;
      if (const auto all = bySparsity.find(""); all != bySparsity.end()) {
        operations = all->second;
      } else {
        for (const auto& [sparsity, count] : bySparsity) operations += count;
      }
      kernel.work.push_back(
          {std::string(types.first), std::string(types.second), op.empty() ? "tensor" : "tensor " + std::string(op), operations});
    }
  }
}

int generationOf(const std::string& capability) {
  int major = 0, minor = 0;
  const char* end = capability.data() + capability.size();
  const auto [dot, error] = std::from_chars(capability.data(), end, major);
  if (error != std::errc() || major > 1000) return 0;
  if (dot != end) std::from_chars(dot + 1, end, minor);
  return major * 10 + std::clamp(minor, 0, 9);
}

std::optional<double>& slot(KernelMetrics& kernel, Quantity quantity) {
  switch (quantity) {
    case Quantity::Duration: return kernel.durationNs;
    case Quantity::DramBytes: return kernel.dramBytes;
    case Quantity::L2Bytes: return kernel.l2Bytes;
    case Quantity::L1Bytes: break;
  }
  return kernel.l1Bytes;
}

}  // namespace

Understood applyMetricTable(const MetricValues& values, KernelMetrics& kernel) {
  Understood out;
  const int generation = generationOf(kernel.computeCapability);
  out.unknownGeneration = generation != 0 && (generation < kOldest || generation > kNewest);
  std::optional<double> seconds;
  for (const Measure& measure : kMeasures) {
    std::optional<double>& target = slot(kernel, measure.quantity);
    if (target || (generation != 0 && !out.unknownGeneration && (generation < measure.from || generation > measure.to))) continue;
    const auto first = valueOf(values, measure.names[0]);
    const auto second = measure.names[1].empty() ? std::optional<double>(0) : valueOf(values, measure.names[1]);
    if (!first || !second || (measure.perSecond && !seconds)) continue;
    target = (*first + *second) * measure.factor * (measure.perSecond ? *seconds : 1);
    if (measure.quantity == Quantity::Duration) {
      seconds = target;
      target = *target * 1e9;
    }
  }
  addScalar(values, seconds, kernel, out);
  addTensor(values, seconds, kernel, out);
  for (const Share& share : kShares) {
    if (const auto percent = valueOf(values, share.name)) kernel.throughput.try_emplace(share.resource, *percent / 100);
  }
  for (const Quantity quantity : {Quantity::Duration, Quantity::DramBytes, Quantity::L2Bytes, Quantity::L1Bytes}) {
    if (!slot(kernel, quantity)) out.missing.emplace_back(kQuantityWords[static_cast<std::size_t>(quantity)]);
  }
  const auto has = [&](bool tensor) {
    return std::any_of(kernel.work.begin(), kernel.work.end(),
                       [&](const Work& part) { return part.pipe.starts_with("tensor") == tensor; });
  };
  if (!has(true)) out.missing.emplace_back("tensor operations");
  if (!has(false)) out.missing.emplace_back("scalar operations");
  return out;
}

}  // namespace threewalls::trace::ncu

#pragma once

#include "base/diagnostics.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::trace::ncu {

/// Arithmetic of one precision on one pipe. A fused multiply-add counts as two.
struct Work {
  std::string precision;    ///< of the operands: "fp64", "fp32", "fp16", "bf16", "tf32", "fp8", "int8", ...
  std::string accumulator;  ///< of tensor work: "fp32"; else empty
  std::string pipe;         ///< "scalar", "tensor", or the instruction that was counted apart: "tensor hgmma"
  double operations = 0;
};

/// How busy a unit was, 0..1 of its peak.
enum class Resource : std::uint8_t { Sm, Memory, Dram, L2, L1, Tensor, Fma, Occupancy };
/// "sm", "memory", "dram", "l2", "l1", "tensor", "fma", "occupancy".
std::string_view toText(Resource resource);

/// What Nsight Compute measured on one launch. Kernels are run alone and several times: durations are not those of a timeline.
struct KernelMetrics {
  std::int64_t id = 0;   ///< order of launches within the process
  std::string process;   ///< process id
  std::string name;      ///< as Nsight Compute writes it
  std::string joinName;  ///< to look it up among Kineto's and Nsight Systems' names, see join_name.h
  std::optional<int> device;
  std::string computeCapability;  ///< "9.0"
  std::string stream;
  std::array<std::int64_t, 3> grid{0, 0, 0};  ///< zeros when the file does not say
  std::array<std::int64_t, 3> block{0, 0, 0};

  std::optional<double> durationNs;
  std::vector<Work> work;  ///< only what was measured; no entry twice
  std::optional<double> dramBytes, l2Bytes, l1Bytes;
  std::map<Resource, double> throughput;

  /// Operations over all precisions of floating point; none when none was measured.
  std::optional<double> flops() const;
  /// Floating-point operations per second; none when either is unknown.
  std::optional<double> flopsPerSecond() const;
  /// Floating-point operations per byte of DRAM traffic.
  std::optional<double> intensity() const;
};

/// All launches of a file in its order.
struct NcuReport {
  std::vector<KernelMetrics> kernels;
  base::Diagnostics diagnostics;
};

}  // namespace threewalls::trace::ncu

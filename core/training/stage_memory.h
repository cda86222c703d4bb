#pragma once

#include "training/layout.h"
#include "training/model_shape.h"
#include "training/step_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace threewalls::training {

/// What one virtual stage of one pipeline rank holds.
struct StageContent {
  bool embedding = false;
  std::vector<std::int64_t> layers;  ///< ids of decoder layers
  std::int64_t mtpLayers = 0;
  bool loss = false;
};

/// [pipeline rank][virtual stage]
using StageContents = std::vector<std::vector<StageContent>>;

enum class TermGroup { Parameters, Gradients, Optimizer, Activations, Dispatcher, Graph, Overhead };
std::string_view toText(TermGroup group);

/// One summand of a stage's memory on one GPU, with how it was computed.
struct MemoryTerm {
  TermGroup group = TermGroup::Parameters;
  std::string name;
  double bytes = 0;
  std::string formula;
  std::string source;
  bool allocator = true;  ///< in PyTorch's allocator, and so in its peak
};

/// The estimate for a GPU of one pipeline rank. Allocated is what PyTorch's allocator holds at the peak. Total adds what lies
/// outside: dispatcher buffers of their own allocation and overhead.
struct StageMemory {
  std::int64_t stage = 0;
  std::int64_t inFlight = 1;  ///< forward passes of one virtual stage that wait for their backward pass at the peak
  std::vector<MemoryTerm> terms;

  double sum(TermGroup group) const;
  double allocated() const;
  double total() const;
};

/// Constants of the overhead terms; calibrated from measurements where a study has them.
struct OverheadConstants {
  /// Reserved over allocated, minus 1: median of the seven verification cards that give both (0.024 to 0.109).
  double fragmentation = 0.031;
  /// NCCL channels and cuBLAS workspaces. Assumption: hardware.json plans 3 to 6 GiB for context, NCCL and dispatcher together.
  double runtimeBytes = 1.5 * 1024 * 1024 * 1024;
};

/// Forward passes of one virtual stage that wait at pipeline rank `rank`: 1F1B min(PP - rank, M); interleaved
/// min(2 (PP - rank - 1) + (VPP - 1) PP + 1, M VPP), one more with EP overlap (Megatron-LM: core/pipeline_parallel/schedules.py,
/// warm-up micro-batches). `microbatches` 0: not known, no limit.
std::int64_t inFlightPasses(std::int64_t pp, std::int64_t virtualStages, std::int64_t rank, std::int64_t microbatches,
                            bool epOverlap);

/// One estimate per pipeline rank. Dense parameters: TP divides, state over DP x CP; experts: EP x ETP divide, state over EDP.
/// Every term says its formula and source. `contents` must come from a legal layout (parallel::stageContents).
std::vector<StageMemory> stageMemory(const ModelShape& shape, const Layout& layout, const Batch& batch,
                                     const StepOptions& options, const StageContents& contents,
                                     const OverheadConstants& constants = {});

}  // namespace threewalls::training

#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace threewalls::training {

/// How a model is spread over GPUs and how a step runs, in Megatron's words. Sizes are GPU counts.
struct Layout {
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::optional<std::int64_t> vpp;
  std::int64_t cp = 1;
  std::int64_t ep = 1;
  std::optional<std::int64_t> etp;  ///< not given: TP, as Megatron-Core does
  std::int64_t worldSize = 1;
  std::int64_t microBatchSize = 1;
  std::optional<std::int64_t> numMicrobatches;
  std::optional<std::int64_t> seqLength;
  bool useDistributedOptimizer = true;
  bool sequenceParallel = false;
  std::string recomputeGranularity;           ///< "", "selective" or "full"
  std::vector<std::string> recomputeModules;  ///< of selective recompute; Megatron's names
  bool shouldPadVocab = true;
  std::optional<std::int64_t> firstStageLayers;
  std::optional<std::int64_t> lastStageLayers;
  bool accountForEmbedding = false;
  bool accountForLoss = false;
  std::string pipelineLayout;  ///< pipeline_model_parallel_layout; empty: none
  std::string order = "tp-cp-ep-dp-pp";

  std::int64_t expertTp() const { return etp.value_or(tp); }
  std::int64_t virtualStages() const { return vpp.value_or(1); }
  /// Floor of world / (TP PP CP), at least 1; whether it divides is for parallel::meshViolations to say.
  std::int64_t dataParallel() const;
  /// Floor of world / (ETP EP PP), at least 1.
  std::int64_t expertDataParallel() const;
};

/// Reads a layout: the short names of the oracles (tp, pp, vpp, cp, ep, etp, mbs, world_size ...) or Megatron's long ones
/// (tensor_model_parallel_size ...); world_size not given: the fewest GPUs that the sizes need. Errors name the field. Whether
/// the layout is legal is not asked here.
base::Result<Layout> readLayout(const nlohmann::json& layout);

/// What one optimizer step works on.
struct Batch {
  std::int64_t seqLength = 4096;
  std::int64_t globalBatchSize = 1;
  bool globalBatchGiven = false;           ///< the size was asked for, and says how many micro-batches there are
  std::optional<double> seqlenSum;         ///< tokens of a packed batch
  std::optional<double> seqlenSquaredSum;  ///< sum of squared sequence lengths of a packed batch

  double tokens() const { return seqlenSum.value_or(static_cast<double>(globalBatchSize) * static_cast<double>(seqLength)); }
  double squaredLengths() const;
  /// tokens / sequences of the batch; a packed batch counts global_batch_size sequences, as Bridge does.
  double meanLength() const { return tokens() / static_cast<double>(globalBatchSize); }
};

/// Reads seq_length, global_batch_size, seqlen_sum, seqlen_squared_sum; `seq_length` may stand in the layout instead.
base::Result<Batch> readBatch(const nlohmann::json& training, const Layout& layout);

}  // namespace threewalls::training

#include "training/upstream_memory.h"

#include <algorithm>
#include <cmath>

namespace threewalls::training {
namespace {

double d(std::int64_t value) {
  return static_cast<double>(value);
}

/// Parameters of layers, the routed experts apart.
struct Parts {
  double dense = 0;
  double experts = 0;
};

Parts layerParts(const ModelShape& s, bool moe) {
  const double h = d(s.hiddenSize);
  const double a = d(s.numAttentionHeads);
  const double projections = s.activation == "swiglu" ? 3 : 2;
  Parts parts;
  parts.dense = 2 * h * a * d(s.kvChannels) * (1 + d(s.numQueryGroups) / a) + 4 * h;
  if (!moe) {
    parts.dense += projections * h * d(s.ffnHiddenSize);
  } else {
    parts.dense +=
        projections * h * d(s.moeSharedExpertIntermediateSize) + (s.moeLatentSize > 0 ? 2 * h * d(s.moeLatentSize) : 0);
    parts.experts = projections * d(s.expertWidth()) * d(s.moeFfnHiddenSize) * d(s.numMoeExperts);
  }
  return parts;
}

base::Error refuse(std::string message) {
  base::Error error;
  error.code = base::ErrorCode::InvalidArgument;
  error.message = std::move(message);
  return error;
}

/// Layers of each pipeline stage when the first or last has a count of its own.
base::Result<std::vector<std::int64_t>> unevenStages(const ModelShape& s, const Layout& layout) {
  if (layout.pp < 2)
    return base::fail(refuse("layout.num_layers_in_first_pipeline_stage: uneven stages need more than one pipeline stage."));
  std::vector<std::int64_t> stages(static_cast<std::size_t>(layout.pp), 0);
  const std::int64_t given = layout.firstStageLayers.value_or(0) + layout.lastStageLayers.value_or(0);
  const std::int64_t rest = s.numLayers - given;
  const std::int64_t others = layout.pp - (layout.firstStageLayers ? 1 : 0) - (layout.lastStageLayers ? 1 : 0);
  if (rest < 0 || (others == 0 && rest != 0) || (others > 0 && rest % others != 0)) {
    return base::fail(refuse("layout.num_layers_in_first_pipeline_stage: " + std::to_string(rest) +
                             " layers do not divide over the other " + std::to_string(others) + " pipeline stages."));
  }
  for (std::int64_t& stage : stages) stage = others > 0 ? rest / others : 0;
  if (layout.firstStageLayers) stages.front() = *layout.firstStageLayers;
  if (layout.lastStageLayers) stages.back() = *layout.lastStageLayers;
  for (const std::int64_t stage : stages) {
    if (stage < 0 || stage % layout.virtualStages() != 0) {
      return base::fail(refuse("layout.vpp: " + std::to_string(stage) + " layers of a pipeline stage do not divide over " +
                               std::to_string(layout.virtualStages()) + " virtual stages."));
    }
  }
  return stages;
}

/// Parts of the largest stage, undivided by TP or EP; dense and expert part each by itself.
base::Result<Parts> largestUnevenStage(const ModelShape& s, const Layout& layout, double embedding) {
  const auto counts = unevenStages(s, layout);
  if (!counts) return base::fail(counts.error());
  std::vector<Parts> stages(counts->size());
  std::int64_t layer = 0;
  for (std::int64_t chunk = 0; chunk < layout.virtualStages(); ++chunk) {
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      for (std::int64_t i = 0; i < (*counts)[stage] / layout.virtualStages(); ++i) {
        const Parts parts = layerParts(s, s.isMoe(layer++));
        stages[stage].dense += parts.dense;
        stages[stage].experts += parts.experts;
      }
    }
  }
  const Parts mtp = layerParts(s, s.lastIsMoe());
  stages.back().dense += d(s.mtpNumLayers) * mtp.dense + 2 * d(s.hiddenSize) + embedding;
  stages.back().experts += d(s.mtpNumLayers) * mtp.experts;
  stages.front().dense += embedding;
  Parts largest;
  for (const Parts& stage : stages) {
    largest.dense = std::max(largest.dense, stage.dense);
    largest.experts = std::max(largest.experts, stage.experts);
  }
  return largest;
}

double activationBytes(const ModelShape& s, const Layout& layout, const Batch& batch, double vocab) {
  const double h = d(s.hiddenSize);
  const double p = d(layout.pp);
  const double sb = d(batch.seqLength) * d(layout.microBatchSize);
  const double layers = d(s.numLayers + s.mtpNumLayers);
  const double moe = d(s.moeLayerCount() + (s.lastIsMoe() ? s.mtpNumLayers : 0));
  const double width = (layers - moe) * d(s.ffnHiddenSize) +
                       moe * (d(s.moeRouterTopk) * d(s.moeFfnHiddenSize) + d(s.moeSharedExpertIntermediateSize));
  const double ratio = width / (layers * h);
  double bytes = sb * h * (18 + 4 * ratio) * layers + 8 * sb * p + sb * h * p;
  if (layout.vpp) {
    bytes *= 1 + (p - 1) / (p * d(*layout.vpp));
  } else if (layout.pp > 1 && layout.numMicrobatches) {
    bytes *= std::min(1.0, d(*layout.numMicrobatches) / p);
  }
  if (layout.pp == 1) bytes += 4 * sb * (h + vocab);
  return bytes / d(layout.tp * layout.cp);
}

}  // namespace

base::Result<BridgeMemory> bridgeMemory(const ModelShape& s, const Layout& layout, const Batch& batch) {
  BridgeMemory memory;
  memory.paddedVocab = layout.shouldPadVocab ? s.paddedVocab(layout.tp) : s.vocabSize;
  const double h = d(s.hiddenSize);
  const double table = h * d(memory.paddedVocab);
  const bool tied = s.shareEmbeddingsAndOutputWeights;
  Parts all;
  for (std::int64_t layer = 0; layer < s.numLayers + s.mtpNumLayers; ++layer) {
    const Parts parts = layerParts(s, s.isMoe(std::min(layer, s.numLayers - 1)));
    all.dense += parts.dense;
    all.experts += parts.experts;
  }
  memory.finalLayernormParameters = 2 * h;
  memory.denseTransformerParameters = all.dense + memory.finalLayernormParameters;
  memory.routedExpertParameters = all.experts;
  memory.embeddingParameters = tied ? table : 2 * table;
  memory.dense.parameterCount = memory.denseTransformerParameters + memory.embeddingParameters;
  memory.totalParameters = memory.dense.parameterCount + all.experts;

  const double t = d(layout.tp);
  const double expertShard = d(layout.ep * layout.expertTp());
  if (layout.firstStageLayers || layout.lastStageLayers) {
    const auto largest = largestUnevenStage(s, layout, table);
    if (!largest) return base::fail(largest.error());
    memory.dense.parametersPerGpu = largest->dense / t;
    memory.routedExperts.parametersPerGpu = largest->experts / expertShard;
  } else {
    const double onGpu = !tied && layout.pp == 1 ? 2 * table : table;
    memory.dense.parametersPerGpu = memory.denseTransformerParameters / (d(layout.pp) * t) + onGpu / t;
    memory.routedExperts.parametersPerGpu = all.experts / (d(layout.pp) * expertShard);
  }
  const double dataParallel = d(layout.dataParallel());
  const auto bytesPerParameter = [&](double shard) { return layout.useDistributedOptimizer ? 6 + 12 / shard : 18; };
  memory.dense.bytesPerParameter = bytesPerParameter(dataParallel * d(layout.cp));
  memory.dense.memoryBytes = memory.dense.parametersPerGpu * memory.dense.bytesPerParameter;
  if (all.experts > 0) {
    memory.routedExperts.parameterCount = all.experts;
    memory.routedExperts.bytesPerParameter =
        bytesPerParameter(std::max(1.0, std::floor(dataParallel * t * d(layout.cp) / expertShard)));
    memory.routedExperts.memoryBytes = memory.routedExperts.parametersPerGpu * memory.routedExperts.bytesPerParameter;
  }
  memory.weightAndOptimizerBytes = memory.dense.memoryBytes + memory.routedExperts.memoryBytes;
  memory.activationBytes = activationBytes(s, layout, batch, d(memory.paddedVocab));
  memory.totalBytes = memory.weightAndOptimizerBytes + memory.activationBytes;
  return memory;
}

}  // namespace threewalls::training

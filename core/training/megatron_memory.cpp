#include "training/upstream_memory.h"

#include <algorithm>

namespace threewalls::training {
namespace {

double d(std::int64_t value) {
  return static_cast<double>(value);
}

double attentionParameters(const ModelShape& s, double norm) {
  const double h = d(s.hiddenSize);
  const double a = d(s.numAttentionHeads);
  if (!s.mla) return 2 * h * a * d(s.kvChannels) * (1 + d(s.numQueryGroups) / a);
  const MlaShape& m = *s.mla;
  const double query = a * d(m.qkHeadDim + m.qkPosEmbHeadDim);
  return (m.qLoraRank > 0 ? d(m.qLoraRank) * (h + query + norm) : h * query) +
         d(m.kvLoraRank) * (h + a * d(m.qkHeadDim + m.vHeadDim) + norm) + h * d(m.qkPosEmbHeadDim) + a * d(m.vHeadDim) * h;
}

void addActivations(MegatronMemory& memory, const ModelShape& s, const Layout& layout, const Batch& batch, double vocab) {
  const double h = d(s.hiddenSize);
  const double p = d(layout.pp);
  const double t = d(layout.tp);
  const double sb = d(batch.seqLength) * d(layout.microBatchSize);
  double factor = 1;
  if (layout.vpp) {
    factor = 1 + (p - 1) / (p * d(*layout.vpp));
  } else if (layout.pp > 1 && layout.numMicrobatches) {
    factor = std::min(1.0, d(*layout.numMicrobatches) / p);
  }
  const double input = 8 * sb * p + sb * h * p;
  double with = (sb * h * (18 + 4 * d(s.ffnHiddenSize) / h) * d(s.numLayers) + input) * factor;
  double without = (sb * h * (10 + 24 / t) * d(s.numLayers) + input) * factor;
  if (layout.pp == 1) {
    with += 4 * sb * (h + vocab);
    without += 2 * (sb * vocab / t + sb * h);
  }
  memory.activationBytesWithSp = with / t;
  memory.activationBytesWithoutSp = without * 1.05;
}

}  // namespace

MegatronMemory megatronMemory(const ModelShape& s, const Layout& layout, const Batch& batch) {
  MegatronMemory memory;
  const double h = d(s.hiddenSize);
  const double norm = s.layerNorm ? 2 : 1;
  const double experts = d(s.numMoeExperts);
  const double projections = s.activation == "swiglu" ? 3 : 2;
  const double vocab = d(s.paddedVocab(layout.tp));  // always padded here; should_pad_vocab is Bridge's
  memory.moeLayers = s.moeLayerCount();
  memory.denseLayers = s.numLayers - memory.moeLayers;
  memory.attention = attentionParameters(s, norm);
  memory.denseMlp = projections * h * d(s.ffnHiddenSize);
  memory.sharedExpert = projections * h * d(s.moeSharedExpertIntermediateSize);
  memory.routedExperts = projections * d(s.expertWidth()) * d(s.moeFfnHiddenSize) * experts;
  memory.latentProjections = s.moeLatentSize > 0 ? 2 * h * d(s.moeLatentSize) : 0;
  memory.layernorms = 2 * h * norm;
  memory.router = experts * (h + (s.addBiasLinear ? 1 : 0));

  // Of one layer: what TP divides, what every GPU holds, what EP divides.
  struct Layer {
    double sharded = 0, replicated = 0, experts = 0;
  };
  const Layer dense{memory.attention + memory.denseMlp, memory.layernorms, 0};
  const Layer moe{memory.attention + memory.sharedExpert, memory.layernorms + memory.router + memory.latentProjections,
                  memory.routedExperts};
  const Layer& mtp = s.lastIsMoe() ? moe : dense;
  const double nDense = d(memory.denseLayers);
  const double nMoe = d(memory.moeLayers);
  const double nMtp = d(s.mtpNumLayers);
  const double sharded = nDense * dense.sharded + nMoe * moe.sharded;
  const double replicated = nDense * dense.replicated + nMoe * moe.replicated + h * norm;
  const double routed = nMoe * moe.experts;
  const double table = h * vocab;
  memory.transformerBlockParameters = sharded + replicated + routed;
  memory.mtpBlockParameters = nMtp * (mtp.sharded + mtp.replicated + mtp.experts);
  memory.embeddingParameters = s.shareEmbeddingsAndOutputWeights ? table : 2 * table;
  memory.totalParameters = memory.transformerBlockParameters + memory.mtpBlockParameters + memory.embeddingParameters;
  const double activeRouted = experts > 0 ? routed * d(s.moeRouterTopk) / experts : 0;
  memory.activeParameters = memory.totalParameters - routed + activeRouted;

  const double t = d(layout.tp);
  const double p = d(layout.pp);
  const double expertShard = d(layout.ep * layout.expertTp());
  const double tables = !s.shareEmbeddingsAndOutputWeights && layout.pp == 1 ? 2 : 1;
  memory.tensorShardedPerGpu = (sharded / p + nMtp * mtp.sharded + tables * table) / t;
  memory.replicatedPerGpu = replicated / p + nMtp * mtp.replicated;
  memory.expertsPerGpu = (routed / p + nMtp * mtp.experts) / expertShard;
  memory.denseBytesPerParameter = layout.useDistributedOptimizer ? 6 + 12 / d(layout.dataParallel()) : 18;
  memory.expertBytesPerParameter = layout.useDistributedOptimizer ? 6 + 12 / d(layout.expertDataParallel()) : 18;
  memory.weightAndOptimizerBytes = (memory.tensorShardedPerGpu + memory.replicatedPerGpu) * memory.denseBytesPerParameter +
                                   memory.expertsPerGpu * memory.expertBytesPerParameter;
  addActivations(memory, s, layout, batch, vocab);
  memory.usesSpFormula = layout.sequenceParallel && layout.recomputeGranularity == "selective";
  memory.totalBytes =
      memory.weightAndOptimizerBytes + (memory.usesSpFormula ? memory.activationBytesWithSp : memory.activationBytesWithoutSp);
  return memory;
}

}  // namespace threewalls::training

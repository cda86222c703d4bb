#pragma once

#include "base/result.h"
#include "training/layout.h"
#include "training/model_shape.h"

namespace threewalls::training {

/// One of the two groups that Bridge shards differently: parameters in all, on one GPU, and their bytes there.
struct BridgeShard {
  double parameterCount = 0;
  double parametersPerGpu = 0;
  double bytesPerParameter = 0;
  double memoryBytes = 0;
};

/// What Megatron Bridge's own estimator says (training/utils/theoretical_memory_utils.py), its known faults included: MLA counted
/// as plain attention, no router, norms always two vectors, only gated SiLU with three projections, impossible splits accepted.
struct BridgeMemory {
  double totalParameters = 0;
  double denseTransformerParameters = 0;
  double routedExpertParameters = 0;
  double embeddingParameters = 0;
  double finalLayernormParameters = 0;
  std::int64_t paddedVocab = 0;
  BridgeShard dense;
  BridgeShard routedExperts;  ///< all zero for a dense model
  double weightAndOptimizerBytes = 0;
  double activationBytes = 0;
  double totalBytes = 0;
};

/// `batch.seqLength` tokens per sequence. Per layer: attention 2 h a c (1 + g/a), norms 4h, dense MLP P h F, or shared expert P h
/// fs
/// (+ 2 h w) and routed experts P w f E; final norm 2h; embedding h V, twice when untied; MTP layers repeat the last layer's
/// kind. Even split: (dense layers + final norm) / (p t) + embedding / t, experts / (p e x). Uneven: the largest stage, dense and
/// expert part each by itself, embedding on both end stages, MTP and final norm on the last. Bytes per parameter: 18, or 6 + 12/n
/// with the distributed optimizer, n = D C or max(1, floor(D t C / (e x))). Activations:
///   [ (s b h (18 + 4 r) (L + M) + 8 s b p + s b h p) f + (p = 1: 4 s b (h + V)) ] / (t C),
///   r = (dense layers F + MoE layers (k f + fs)) / ((L + M) h), f = 1 + (p-1)/(p v) with VPP, else min(1, microbatches / p) for
///   p > 1.
/// An uneven split that Bridge refuses is an error.
base::Result<BridgeMemory> bridgeMemory(const ModelShape& shape, const Layout& layout, const Batch& batch);

/// What Megatron-LM's own estimator says (training/theoretical_memory_usage.py), its known faults included: optimizer of dense
/// parameters sharded over DP without CP, MoE activations with the dense width, MTP and embedding on one shard.
struct MegatronMemory {
  double totalParameters = 0;
  double activeParameters = 0;
  double transformerBlockParameters = 0;
  double mtpBlockParameters = 0;
  double embeddingParameters = 0;
  double attention = 0, denseMlp = 0, sharedExpert = 0, routedExperts = 0, latentProjections = 0, layernorms = 0,
         router = 0;  ///< per layer
  std::int64_t denseLayers = 0;
  std::int64_t moeLayers = 0;
  double tensorShardedPerGpu = 0;
  double replicatedPerGpu = 0;
  double expertsPerGpu = 0;
  double denseBytesPerParameter = 0;
  double expertBytesPerParameter = 0;
  double weightAndOptimizerBytes = 0;
  double activationBytesWithSp = 0;
  double activationBytesWithoutSp = 0;
  bool usesSpFormula = false;  ///< sequence parallel and selective recompute: the formula that its report uses
  double totalBytes = 0;       ///< weights, optimizer and the activations of the formula in use
};

/// Attention: GQA as Bridge; MLA queries h a (dn + dr) or rq (h + a (dn + dr) + N), keys/values rkv (h + a (dn + dv) + N) + h dr,
/// output a dv h, N = 1 (RMSNorm) or 2 (LayerNorm). Norms 2 h N, final h N, router h E (+ E with linear bias), P = 3 for swiglu
/// only. Layer sums are divided by p; MTP and one embedding are added whole (two when untied and p = 1). Bytes: 18, or 6 + 12/D
/// for dense and 6 + 12/(world/(x e p)) for experts. Activations with SP: Bridge's with r = F/h, without MTP, divided by t only;
/// without:
///   1.05 [ (s b h (10 + 24/t) L + 8 s b p + s b h p) f + (p = 1: 2 (s b V/t + s b h)) ].
MegatronMemory megatronMemory(const ModelShape& shape, const Layout& layout, const Batch& batch);

}  // namespace threewalls::training

#include "training/flops.h"

#include <algorithm>

namespace threewalls::training {
namespace {

double d(std::int64_t value) {
  return static_cast<double>(value);
}

/// Multiply-adds per token of the projections of one attention layer.
double attentionProjections(const ModelShape& s) {
  const double h = d(s.hiddenSize);
  const double a = d(s.numAttentionHeads);
  if (!s.mla) {
    const double c = d(s.kvChannels);
    return 2 * h * c * (a + d(s.numQueryGroups)) + (s.attentionOutputGate ? h * a * c : 0);
  }
  const MlaShape& m = *s.mla;
  const double query = a * d(m.qkHeadDim + m.qkPosEmbHeadDim);
  const double rq = d(m.qLoraRank);
  return (m.qLoraRank > 0 ? rq * (h + query + 1) : h * query) + d(m.kvLoraRank) * (h + a * d(m.qkHeadDim + m.vHeadDim) + 1) +
         h * d(m.qkPosEmbHeadDim) + a * d(m.vHeadDim) * h;
}

/// Multiply-adds of attention itself per pair of tokens, causal half already taken.
double attentionCore(const ModelShape& s) {
  const double a = d(s.numAttentionHeads);
  return s.mla ? a * d(s.mla->qkHeadDim + s.mla->qkPosEmbHeadDim + s.mla->vHeadDim) / 2 : a * d(s.kvChannels);
}

double linearAttention(const ModelShape& s) {
  const LinearAttentionShape& l = *s.linearAttention;
  const double h = d(s.hiddenSize);
  const double qk = d(l.keyWidth());
  const double v = d(l.valueWidth());
  const double heads = d(l.numValueHeads);
  const double dv = d(l.valueHeadDim);
  return h * (2 * qk + 2 * v + 2 * heads) + d(l.convKernelDim) * (2 * qk + v) + 4 * heads * dv * dv + v * h;
}

/// In and out projection, convolution and state update of a Mamba-2 layer (Bridge: flop_utils.py, hybrid models): the state term
/// counts 7 operations per head, channel and state, forward, where a multiply-add counts 2.
double mamba(const ModelShape& s) {
  const MambaShape& m = *s.mamba;
  const double h = d(s.hiddenSize);
  const double inner = d(m.numHeads * m.headDim);
  const double groups = d(m.numGroups * m.stateDim);
  return h * (2 * inner + 2 * groups + d(m.numHeads)) + inner * h + d(m.convKernelDim) * (inner + 2 * groups) +
         3.5 * inner * d(m.stateDim);
}

struct Sums {
  double projections = 0, core = 0, linear = 0, mamba = 0, dense = 0, routed = 0, shared = 0;
};

}  // namespace

base::Result<FlopsEstimate> flops(const ModelShape& s, const Batch& batch, std::int64_t tensorParallel,
                                  FlopsConvention convention) {
  const bool megatron = convention == FlopsConvention::MegatronLm;
  if (!s.hybridPattern.empty() && convention != FlopsConvention::Model) {
    base::Error error;
    error.code = base::ErrorCode::Unsupported;
    error.message = "Bridge's and Megatron-LM's own number is not reproduced for hybrid Mamba models.";
    error.hint = "Leave --as away.";
    return base::fail(error);
  }
  const double tokens = batch.tokens();
  const double h = d(s.hiddenSize);
  const double projectionCount = megatron ? (s.activation == "swiglu" ? 3 : 2) : d(s.projections());
  const double expertWidth = d(s.expertWidth());
  const double length = batch.meanLength();
  const double window = s.windowSize ? std::min(d(*s.windowSize), length) : 0;
  const double windowContext = length > 0 ? window - window * (window - 1) / (2 * length) : 0;

  Sums sums;
  for (std::int64_t layer = 0; layer < s.numLayers + s.mtpNumLayers; ++layer) {
    LayerKind kind = s.kind(layer);
    if (megatron && s.linearAttention) {  // the pattern goes on over the MTP layers
      kind.mixer = (layer + 1) % s.linearAttention->freq == 0 ? Mixer::Attention : Mixer::LinearAttention;
    }
    if (kind.mixer == Mixer::Attention) {
      sums.projections += attentionProjections(s) * tokens;
      const bool windowed = !megatron && s.seesWindowOnly(std::min(layer, s.numLayers - 1));
      sums.core += attentionCore(s) * (windowed ? 2 * tokens * windowContext : batch.squaredLengths());
    }
    if (kind.mixer == Mixer::LinearAttention) sums.linear += linearAttention(s) * tokens;
    if (kind.mixer == Mixer::Mamba) sums.mamba += mamba(s) * tokens;
    if (kind.feedForward == FeedForward::Dense) sums.dense += projectionCount * h * d(s.ffnHiddenSize) * tokens;
    if (kind.feedForward == FeedForward::Moe) {
      sums.routed += d(s.moeRouterTopk) * projectionCount * expertWidth * d(s.moeFfnHiddenSize) * tokens;
      if (s.moeLatentSize > 0) sums.routed += 2 * h * expertWidth * tokens;
      sums.shared += projectionCount * h * d(s.moeSharedExpertIntermediateSize) * tokens;
    }
  }
  const double mtp = d(s.mtpNumLayers);
  const double mtpProjection = mtp * (3 * h + 2 * h * h) * tokens;
  const double logits = h * d(s.paddedVocab(tensorParallel)) * (1 + mtp) * tokens;

  FlopsEstimate estimate;
  const std::pair<const char*, double> parts[] = {{"attention_projections", sums.projections},
                                                  {"attention_core", sums.core},
                                                  {"linear_attention", sums.linear},
                                                  {"mamba", sums.mamba},
                                                  {"dense_mlp", sums.dense},
                                                  {"routed_experts", sums.routed},
                                                  {"shared_experts", sums.shared},
                                                  {"mtp_projection", mtpProjection},
                                                  {"logits", logits}};
  for (const auto& [name, multiplyAdds] : parts) {
    estimate.parts.emplace_back(name, 6 * multiplyAdds);
    estimate.perStep += 6 * multiplyAdds;
  }
  estimate.perToken = tokens > 0 ? estimate.perStep / tokens : 0;
  return estimate;
}

}  // namespace threewalls::training

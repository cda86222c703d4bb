#include "training/parameters.h"

namespace threewalls::training {
namespace {

double d(std::int64_t value) {
  return static_cast<double>(value);
}

void addMla(LayerParameters& out, const ModelShape& s) {
  const MlaShape& m = *s.mla;
  const double h = d(s.hiddenSize);
  const double a = d(s.numAttentionHeads);
  const double query = a * d(m.qkHeadDim + m.qkPosEmbHeadDim);
  const double rq = d(m.qLoraRank);
  const double rkv = d(m.kvLoraRank);
  out.attention = (m.qLoraRank > 0 ? rq * query : h * query) + rkv * a * d(m.qkHeadDim + m.vHeadDim) + a * d(m.vHeadDim) * h;
  out.replicated += h * rq + h * (rkv + d(m.qkPosEmbHeadDim)) + (s.qkLayernorm ? rq + rkv : 0);
  if (s.indexer) {
    const double index = d(s.indexer->numHeads * s.indexer->headDim);
    out.replicated += rq * index + h * d(s.indexer->headDim) + 2 * d(s.indexer->headDim) + h * d(s.indexer->numHeads);
  }
}

void addAttention(LayerParameters& out, const ModelShape& s) {
  const double h = d(s.hiddenSize);
  const double a = d(s.numAttentionHeads);
  const double g = d(s.numQueryGroups);
  const double c = d(s.kvChannels);
  out.attention = h * a * c * (s.attentionOutputGate ? 2 : 1) + 2 * h * g * c + a * c * h;
  if (s.addBiasLinear || s.addQkvBias) out.attention += (a + 2 * g) * c;
  if (s.softmaxSinks) out.attention += a;
  out.replicated += (s.addBiasLinear ? h : 0) + (s.qkLayernorm ? 2 * c : 0);
}

void addLinearAttention(LayerParameters& out, const ModelShape& s) {
  const LinearAttentionShape& l = *s.linearAttention;
  const double h = d(s.hiddenSize);
  const double qk = d(l.keyWidth());
  const double v = d(l.valueWidth());
  const double heads = d(l.numValueHeads);
  out.attention = h * (2 * qk + 2 * v + 2 * heads) + d(l.convKernelDim) * (2 * qk + v) + 2 * heads + v * h;
  out.replicated += d(l.valueHeadDim);
}

void addMamba(LayerParameters& out, const ModelShape& s) {
  const MambaShape& m = *s.mamba;
  const double h = d(s.hiddenSize);
  const double inner = d(m.numHeads * m.headDim);
  const double state = d(m.numGroups * m.stateDim);
  out.attention = h * (2 * inner + 2 * state + d(m.numHeads)) + (d(m.convKernelDim) + 1) * (inner + 2 * state) +
                  3 * d(m.numHeads) + inner + inner * h;
}

/// Weights of one MLP between width `in` and `width`, with biases where the model has them.
double mlp(const ModelShape& s, double in, double width) {
  const double first = s.gated() ? 2 * width : width;
  return in * first + width * in + (s.addBiasLinear ? first + in : 0);
}

}  // namespace

LayerParameters layerParameters(const ModelShape& s, std::int64_t layer) {
  LayerParameters out;
  const LayerKind kind = s.kind(layer);
  const double h = d(s.hiddenSize);
  const double norm = h * (s.layerNorm ? 2 : 1);
  switch (kind.mixer) {
    case Mixer::Attention: s.mla ? addMla(out, s) : addAttention(out, s); break;
    case Mixer::LinearAttention: addLinearAttention(out, s); break;
    case Mixer::Mamba: addMamba(out, s); break;
    case Mixer::None: break;
  }
  if (kind.mixer != Mixer::None) out.replicated += norm;
  if (kind.feedForward != FeedForward::None) out.replicated += norm;
  if (kind.feedForward == FeedForward::Dense) out.denseMlp = mlp(s, h, d(s.ffnHiddenSize));
  if (kind.feedForward == FeedForward::Moe) {
    const double experts = d(s.numMoeExperts);
    out.routedExperts = experts * mlp(s, d(s.expertWidth()), d(s.moeFfnHiddenSize));
    out.router = experts * (h + (s.addBiasLinear ? 1 : 0));
    if (s.moeSharedExpertIntermediateSize > 0) {
      out.sharedExpert = mlp(s, h, d(s.moeSharedExpertIntermediateSize));
      if (s.sharedExpertGate) out.replicated += h;
    }
    if (s.moeLatentSize > 0) out.replicated += 2 * h * d(s.moeLatentSize);
  }
  return out;
}

ParameterCount countParameters(const ModelShape& s, std::int64_t vocab) {
  ParameterCount count;
  const double h = d(s.hiddenSize);
  const double norm = h * (s.layerNorm ? 2 : 1);
  const double activeShare = s.numMoeExperts > 0 ? d(s.moeRouterTopk) / d(s.numMoeExperts) : 0;
  for (std::int64_t layer = 0; layer < s.numLayers + s.mtpNumLayers; ++layer) {
    const LayerParameters parts = layerParameters(s, layer);
    const bool mtp = layer >= s.numLayers;
    const double all = parts.total() + (mtp ? 2 * h * h + 3 * norm : 0);
    count.total += all;
    count.active += all - parts.routedExperts * (1 - activeShare);
    count.routedExperts += parts.routedExperts;
    if (mtp) count.mtp += all;
  }
  count.embedding = h * d(vocab) * (s.shareEmbeddingsAndOutputWeights ? 1 : 2);
  count.total += norm + count.embedding;
  count.active += norm + count.embedding;
  return count;
}

}  // namespace threewalls::training

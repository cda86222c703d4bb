#include "training/activations.h"

#include <algorithm>

namespace threewalls::training {
namespace {

double d(std::int64_t value) {
  return static_cast<double>(value);
}

/// Collects tensors of one layer and decides what recompute and offload do with them.
class Collector {
 public:
  Collector(const StepOptions& options, std::vector<SavedTensor>& out) : m_options(options), m_out(out) {}

  /// Kept, unless one of `modules` is recomputed; offloaded when `offload` is.
  void add(const char* name, double bytes, const char* formula, std::initializer_list<const char*> modules,
           const char* offload = "") {
    const bool recomputed =
        std::any_of(modules.begin(), modules.end(), [&](const char* module) { return m_options.recompute.contains(module); });
    const bool moved = m_options.offloadModules.contains(offload);
    m_out.push_back({name, recomputed || moved ? 0 : bytes, recomputed || moved ? bytes : 0, formula});
  }

 private:
  const StepOptions& m_options;
  std::vector<SavedTensor>& m_out;
};

struct Sizes {
  double tokens;   ///< of attention: T
  double sharded;  ///< outside tensor parallel regions: T'
  double tp;
  double linear;  ///< bytes of a linear layer's saved input
};

void addAttention(Collector& c, const ModelShape& s, const Sizes& z) {
  const double a = d(s.numAttentionHeads);
  if (s.mla) {
    const MlaShape& m = *s.mla;
    const double ranks = d(m.qLoraRank + m.kvLoraRank);
    const double query = d(m.qkHeadDim + m.qkPosEmbHeadDim);
    c.add("MLA down-projections", z.sharded * (ranks + d(m.qkPosEmbHeadDim)) * 2, "2 T' (rq + rkv + dr)", {}, "qkv_linear");
    c.add("MLA norms", z.tokens * ranks * z.linear, "w T (rq + rkv)", {"mla_up_proj"}, "qkv_linear");
    c.add("MLA query, key, value", z.tokens * a * (2 * query + d(m.vHeadDim)) / z.tp * 2, "2 T a (2 (dn + dr) + dv) / TP",
          {"mla_up_proj"}, "core_attn");
    c.add("attention output", z.tokens * a * d(m.vHeadDim) / z.tp * 2, "2 T a dv / TP", {}, "attn_proj");
  } else {
    const double g = d(s.numQueryGroups);
    const double channels = d(s.kvChannels);
    c.add("packed QKV", z.tokens * (a * (s.attentionOutputGate ? 2 : 1) + 2 * g) * channels / z.tp * 2, "2 T (a + 2g) c / TP", {},
          "qkv_linear");
    if (s.qkLayernorm) c.add("query before its norm", z.tokens * a * channels / z.tp * 2, "2 T a c / TP", {}, "qkv_linear");
    if (s.rotary) c.add("rotated query and key", z.tokens * (a + g) * channels / z.tp * 2, "2 T (a + g) c / TP", {}, "core_attn");
    c.add("attention output", z.tokens * a * channels / z.tp * 2, "2 T a c / TP", {}, "attn_proj");
  }
  c.add("softmax statistics", z.tokens * a / z.tp * 4, "4 T a / TP", {"core_attn"}, "core_attn");
}

void addLinearAttention(Collector& c, const ModelShape& s, const Sizes& z) {
  const LinearAttentionShape& l = *s.linearAttention;
  const double qk = d(l.keyWidth());
  const double v = d(l.valueWidth());
  c.add("delta net projections", z.tokens * (2 * qk + 2 * v + 2 * d(l.numValueHeads)) / z.tp * 2,
        "2 T (2 qk + 2 v + 2 heads) / TP", {}, "qkv_linear");
  c.add("delta net after convolution", z.tokens * (2 * qk + v) / z.tp * 2, "2 T (2 qk + v) / TP", {}, "core_attn");
  c.add("delta net output", z.tokens * 2 * v / z.tp * 2, "2 T 2 v / TP", {}, "attn_proj");
}

void addMamba(Collector& c, const ModelShape& s, const Sizes& z) {
  const MambaShape& m = *s.mamba;
  const double inner = d(m.numHeads * m.headDim);
  const double state = d(m.numGroups * m.stateDim);
  c.add("Mamba in-projection", z.tokens * (2 * inner + 2 * state + d(m.numHeads)) / z.tp * 2, "2 T (2 i + 2 G N + heads) / TP",
        {});
  c.add("Mamba output", z.tokens * inner / z.tp * 2, "2 T i / TP", {});
}

void addMoe(Collector& c, const ModelShape& s, const Sizes& z, const StepOptions& options) {
  const double permuted = z.sharded * d(s.moeRouterTopk) * options.routingImbalance;
  const double f = d(s.moeFfnHiddenSize);
  const double gate = s.gated() ? 2 : 1;
  c.add("router", z.sharded * d(s.numMoeExperts) * 9, "9 T' E", {"moe"});
  c.add("permuted tokens", permuted * d(s.expertWidth()) * z.linear, "w k T' h", {"moe"}, "expert_fc1");
  c.add("expert FC1", permuted * f * gate * 2, "2 k T' f (P - 1)", {"moe"}, "moe_act");
  if (s.gated() && !options.fusedActivation) c.add("expert gate product", permuted * f * 2, "2 k T' f", {"moe", "moe_act"});
  c.add("expert activation", permuted * f * z.linear, "w k T' f", {"moe", "moe_act"});
  if (!options.memoryEfficientPermutation) c.add("expert FC2", permuted * d(s.expertWidth()) * 2, "2 k T' h", {"moe"});
  if (s.moeSharedExpertIntermediateSize > 0) {
    c.add("shared expert", z.tokens * d(s.moeSharedExpertIntermediateSize) * d(s.projections()) / z.tp * 2, "2 T fs P / TP",
          {"moe", "shared_experts"});
  }
}

Sizes sizesOf(const Layout& layout, double tokens, const StepOptions& options) {
  const double tp = d(layout.tp);
  return {tokens, layout.sequenceParallel ? tokens / tp : tokens, tp, options.fp8Activations ? 1.0 : 2.0};
}

}  // namespace

std::vector<SavedTensor> savedTensors(const ModelShape& s, LayerKind kind, const Layout& layout, double tokens,
                                      const StepOptions& options) {
  std::vector<SavedTensor> out;
  Collector c(options, out);
  const Sizes z = sizesOf(layout, tokens, options);
  const double h = d(s.hiddenSize);
  if (kind.mixer != Mixer::None) {
    c.add("input of the first norm", z.sharded * h * 2, "2 T' h", {}, "attn_norm");
    c.add("output of the first norm", z.sharded * h * z.linear, "w T' h", {"layernorm"}, "qkv_linear");
  }
  switch (kind.mixer) {
    case Mixer::Attention: addAttention(c, s, z); break;
    case Mixer::LinearAttention: addLinearAttention(c, s, z); break;
    case Mixer::Mamba: addMamba(c, s, z); break;
    case Mixer::None: break;
  }
  if (kind.feedForward != FeedForward::None) {
    c.add("input of the second norm", z.sharded * h * 2, "2 T' h", {}, "mlp_norm");
    const bool dense = kind.feedForward == FeedForward::Dense;
    c.add("output of the second norm", z.sharded * h * (dense ? z.linear : 2), dense ? "w T' h" : "2 T' h", {"layernorm"});
  }
  if (kind.feedForward == FeedForward::Dense) {
    const double width = z.tokens * d(s.ffnHiddenSize) / z.tp;
    c.add("MLP FC1", width * (s.gated() ? 2 : 1) * 2, "2 T F (P - 1) / TP", {"mlp"});
    if (s.gated() && !options.fusedActivation) c.add("MLP gate product", width * 2, "2 T F / TP", {"mlp"});
    c.add("MLP activation", width * z.linear, "w T F / TP", {"mlp"});
  }
  if (kind.feedForward == FeedForward::Moe) addMoe(c, s, z, options);
  return out;
}

double backwardBytes(const ModelShape& s, LayerKind kind, const Layout& layout, double tokens, const StepOptions& options) {
  const Sizes z = sizesOf(layout, tokens, options);
  const double gate = s.gated() ? 2 : 1;
  if (kind.feedForward == FeedForward::Moe) {
    const double permuted = z.sharded * d(s.moeRouterTopk) * options.routingImbalance;
    return permuted * (2 * d(s.expertWidth()) + d(s.moeFfnHiddenSize) * (1 + gate)) * 2;
  }
  if (kind.feedForward == FeedForward::Dense)
    return (z.sharded * d(s.hiddenSize) * 2 + z.tokens * d(s.ffnHiddenSize) * (1 + gate) / z.tp) * 2;
  return z.sharded * d(s.hiddenSize) * 4;
}

}  // namespace threewalls::training

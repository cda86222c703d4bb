#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::training {

/// Multi-head latent attention: low-rank queries (0: not compressed) and keys/values.
struct MlaShape {
  std::int64_t qLoraRank = 0;
  std::int64_t kvLoraRank = 0;
  std::int64_t qkHeadDim = 0;        ///< part of a head without rotary position (dn)
  std::int64_t qkPosEmbHeadDim = 0;  ///< rotary part (dr), shared by all key heads
  std::int64_t vHeadDim = 0;
};

/// Gated delta net: every `freq`-th layer (counted from 1) is full attention, the others are linear.
struct LinearAttentionShape {
  std::int64_t freq = 1;
  std::int64_t keyHeadDim = 0;
  std::int64_t valueHeadDim = 0;
  std::int64_t numKeyHeads = 0;
  std::int64_t numValueHeads = 0;
  std::int64_t convKernelDim = 0;

  std::int64_t keyWidth() const { return keyHeadDim * numKeyHeads; }
  std::int64_t valueWidth() const { return valueHeadDim * numValueHeads; }
};

/// Mamba-2 layers of a hybrid model.
struct MambaShape {
  std::int64_t numHeads = 0;
  std::int64_t headDim = 0;
  std::int64_t stateDim = 0;
  std::int64_t numGroups = 0;
  std::int64_t convKernelDim = 0;
};

/// Lightning indexer of sparse attention (GLM-5).
struct IndexerShape {
  std::int64_t numHeads = 0;
  std::int64_t headDim = 0;
};

/// What a layer is made of: how it mixes tokens and what follows.
enum class Mixer { Attention, LinearAttention, Mamba, None };
enum class FeedForward { Dense, Moe, None };
struct LayerKind {
  Mixer mixer = Mixer::Attention;
  FeedForward feedForward = FeedForward::Dense;
  bool operator==(const LayerKind&) const = default;
};

/// Dimensions of a model, in Megatron's own words. Counts are elements; 0 experts is a dense model.
struct ModelShape {
  std::int64_t numLayers = 1;
  std::int64_t hiddenSize = 1;
  std::int64_t ffnHiddenSize = 4;
  std::int64_t numAttentionHeads = 1;
  std::int64_t numQueryGroups = 1;
  std::int64_t kvChannels = 1;
  std::int64_t vocabSize = 1;
  std::int64_t makeVocabSizeDivisibleBy = 128;
  bool shareEmbeddingsAndOutputWeights = false;
  std::int64_t numMoeExperts = 0;
  std::int64_t moeRouterTopk = 0;
  std::int64_t moeFfnHiddenSize = 0;
  std::int64_t moeSharedExpertIntermediateSize = 0;
  std::int64_t moeLatentSize = 0;  ///< width that routed experts work at; 0: the hidden size
  std::vector<bool> moeLayers;     ///< per decoder layer; empty for a dense model
  std::string activation = "swiglu";
  std::optional<MlaShape> mla;
  std::optional<LinearAttentionShape> linearAttention;
  std::optional<IndexerShape> indexer;
  std::optional<MambaShape> mamba;
  std::string hybridPattern;  ///< one of M (Mamba), E (MoE), * (attention), - (dense MLP) per layer; empty: attention and MLP in
                              ///< every layer
  std::int64_t mtpNumLayers = 0;
  std::optional<std::int64_t> windowSize;  ///< tokens that a windowed layer sees, itself included
  std::int64_t windowAttnSkipFreq = 0;     ///< every n-th layer (from 1) sees everything; 0: none does
  bool attentionOutputGate = false;
  bool addBiasLinear = false;
  bool addQkvBias = false;
  bool layerNorm = false;  ///< LayerNorm (weight and bias) instead of RMSNorm
  bool qkLayernorm = false;
  bool rotary = true;             ///< position_embedding_type rope; "none" otherwise
  bool softmaxSinks = false;      ///< one learnt softmax offset per head
  bool sharedExpertGate = false;  ///< a gate of one output on the shared expert

  /// Activations with a gate have three projections per MLP, others two.
  bool gated() const {
    return activation == "swiglu" || activation == "geglu" || activation == "quick_geglu" || activation == "reglu";
  }
  std::int64_t projections() const { return gated() ? 3 : 2; }
  std::int64_t expertWidth() const { return moeLatentSize > 0 ? moeLatentSize : hiddenSize; }
  bool isMoe(std::int64_t layer) const { return !moeLayers.empty() && moeLayers[static_cast<std::size_t>(layer)]; }
  bool lastIsMoe() const { return isMoe(numLayers - 1); }
  std::int64_t moeLayerCount() const;
  /// Kind of decoder layer `layer` (from 0); layers at and after numLayers are multi-token prediction and repeat the last.
  LayerKind kind(std::int64_t layer) const;
  bool seesWindowOnly(std::int64_t layer) const;
  /// Rows of the embedding after padding to a multiple of make_vocab_size_divisible_by * TP (Megatron-LM: training/vocab_utils.py
  /// calculate_padded_vocab_size).
  std::int64_t paddedVocab(std::int64_t tensorParallel) const;
};

/// Reads a shape with Megatron's field names, as the `shape` objects of the oracles have them; defaults as Megatron's
/// (kv_channels = hidden / heads, num_query_groups = heads, ffn = 4 hidden, moe ffn = ffn). `moe_layer_freq` is a number N (layer
/// i is MoE when i mod N = 0) or a list of 0/1, one per layer, or such a list written as text ("([0]*3+[1]*58)"). Errors name the
/// field.
base::Result<ModelShape> readShape(const nlohmann::json& shape);

/// A list of 0/1 as Megatron's command line has it: "[0]*3+[1]*58", "([0]+[1]*26)", "[0,1,1]"; none where it is not one.
std::optional<std::vector<bool>> parseLayerPattern(std::string_view text);

}  // namespace threewalls::training

#include "training/field_reader.h"
#include "training/model_shape.h"

#include <nlohmann/json.hpp>

#include <charconv>

namespace threewalls::training {
namespace {

using Json = nlohmann::json;
constexpr std::int64_t kMostLayers = 10'000;
constexpr std::int64_t kWidest = std::int64_t{1} << 24;

/// Fills `layers` from moe_layer_freq, or says what is wrong with it.
void readMoeLayers(FieldReader& reader, ModelShape& shape) {
  const auto count = static_cast<std::size_t>(shape.numLayers);
  const Json* freq = reader.find({"moe_layer_freq"});
  std::vector<bool> layers;
  if (freq != nullptr && freq->is_array()) {
    for (const Json& entry : *freq) {
      if (!entry.is_number_integer() || (entry != 0 && entry != 1))
        return reader.reject("moe_layer_freq", "entries must be 0 or 1");
      layers.push_back(entry == 1);
    }
  } else if (freq != nullptr && freq->is_string()) {
    const auto pattern = parseLayerPattern(freq->get_ref<const std::string&>());
    if (!pattern)
      return reader.reject("moe_layer_freq", "text must be a list such as \"[0]*3+[1]*58\"",
                           "Give a number without quotes or a list.");
    layers = *pattern;
  } else {
    const std::int64_t every = reader.integerOr({"moe_layer_freq"}, 1, 1, kMostLayers);
    for (std::int64_t i = 0; i < shape.numLayers; ++i) layers.push_back(i % every == 0);
  }
  if (layers.size() != count) {
    return reader.reject("moe_layer_freq",
                         "has " + std::to_string(layers.size()) + " entries for num_layers " + std::to_string(count));
  }
  if (shape.numMoeExperts > 0) shape.moeLayers = std::move(layers);
}

std::optional<MlaShape> readMla(FieldReader& outer) {
  const Json* object = outer.find({"mla"});
  if (object == nullptr) return std::nullopt;
  FieldReader reader(*object, "shape.mla");
  MlaShape mla;
  mla.qLoraRank = reader.integerOr({"q_lora_rank"}, 0, 0, kWidest);
  mla.kvLoraRank = reader.requiredInteger({"kv_lora_rank"}, 1, kWidest);
  mla.qkHeadDim = reader.requiredInteger({"qk_head_dim"}, 1, kWidest);
  mla.qkPosEmbHeadDim = reader.requiredInteger({"qk_pos_emb_head_dim"}, 0, kWidest);
  mla.vHeadDim = reader.requiredInteger({"v_head_dim"}, 1, kWidest);
  if (reader.error()) outer.reject("mla", reader.error()->message.substr(std::string("shape.mla.").size()));
  return mla;
}

std::optional<LinearAttentionShape> readLinear(FieldReader& reader) {
  const auto variant = reader.text({"experimental_attention_variant"});
  if (!variant) return std::nullopt;
  if (*variant != "gated_delta_net" && *variant != "gdn") {
    reader.reject("experimental_attention_variant", "\"" + *variant + "\" is not known; gated_delta_net is");
    return std::nullopt;
  }
  LinearAttentionShape linear;
  linear.freq = reader.requiredInteger({"linear_attention_freq"}, 1, kMostLayers);
  linear.keyHeadDim = reader.requiredInteger({"linear_key_head_dim"}, 1, kWidest);
  linear.valueHeadDim = reader.requiredInteger({"linear_value_head_dim"}, 1, kWidest);
  linear.numKeyHeads = reader.requiredInteger({"linear_num_key_heads"}, 1, kWidest);
  linear.numValueHeads = reader.requiredInteger({"linear_num_value_heads"}, 1, kWidest);
  linear.convKernelDim = reader.requiredInteger({"linear_conv_kernel_dim"}, 1, kWidest);
  return linear;
}

void readWindow(FieldReader& reader, ModelShape& shape) {
  const Json* window = reader.find({"window_size"});
  if (window == nullptr) return;
  const bool pair =
      window->is_array() && window->size() == 2 && (*window)[0].is_number_integer() && (*window)[1].is_number_integer();
  if (!pair) return reader.reject("window_size", "must be two whole numbers, [left, right]");
  const double left = (*window)[0].get<double>();
  const double right = (*window)[1].get<double>();
  if (left < 0 || right < 0) return;  // Megatron writes -1 for "no limit"
  if (left + right > 1e12) return reader.reject("window_size", "is too large");
  shape.windowSize = static_cast<std::int64_t>(left + right) + 1;
  shape.windowAttnSkipFreq = reader.integerOr({"window_attn_skip_freq"}, 0, 1, kMostLayers);
}

}  // namespace

base::Result<ModelShape> readShape(const Json& json) {
  FieldReader reader(json, "shape");
  ModelShape shape;
  shape.numLayers = reader.requiredInteger({"num_layers"}, 1, kMostLayers);
  shape.hiddenSize = reader.requiredInteger({"hidden_size"}, 1, kWidest);
  shape.ffnHiddenSize = reader.integerOr({"ffn_hidden_size"}, 4 * shape.hiddenSize, 1, kWidest);
  shape.numAttentionHeads = reader.requiredInteger({"num_attention_heads"}, 1, kWidest);
  shape.numQueryGroups = reader.integerOr({"num_query_groups"}, shape.numAttentionHeads, 1, shape.numAttentionHeads);
  shape.kvChannels =
      reader.integerOr({"kv_channels"}, std::max<std::int64_t>(1, shape.hiddenSize / shape.numAttentionHeads), 1, kWidest);
  shape.vocabSize = reader.requiredInteger({"vocab_size"}, 1, std::int64_t{1} << 31);
  shape.makeVocabSizeDivisibleBy = reader.integerOr({"make_vocab_size_divisible_by"}, 128, 1, kWidest);
  shape.shareEmbeddingsAndOutputWeights = reader.boolean({"share_embeddings_and_output_weights"}, false);
  shape.numMoeExperts = reader.integerOr({"num_moe_experts"}, 0, 0, kWidest);
  if (shape.numMoeExperts > 0) {
    shape.moeRouterTopk = reader.integerOr({"moe_router_topk"}, 2, 1, shape.numMoeExperts);
    shape.moeFfnHiddenSize = reader.integerOr({"moe_ffn_hidden_size"}, shape.ffnHiddenSize, 1, kWidest);
    shape.moeSharedExpertIntermediateSize = reader.integerOr({"moe_shared_expert_intermediate_size"}, 0, 0, kWidest);
    shape.moeLatentSize = reader.integerOr({"moe_latent_size"}, 0, 1, kWidest);
  }
  if (!reader.error()) readMoeLayers(reader, shape);
  shape.activation = reader.text({"activation"}).value_or("swiglu");
  shape.mla = readMla(reader);
  shape.linearAttention = readLinear(reader);
  shape.mtpNumLayers = reader.integerOr({"mtp_num_layers"}, 0, 0, kMostLayers);
  readWindow(reader, shape);
  shape.attentionOutputGate = reader.boolean({"attention_output_gate"}, false);
  shape.addBiasLinear = reader.boolean({"add_bias_linear"}, false);
  shape.addQkvBias = reader.boolean({"add_qkv_bias"}, false);
  const std::string normalization = reader.text({"normalization"}).value_or("RMSNorm");
  if (normalization != "RMSNorm" && normalization != "LayerNorm") reader.reject("normalization", "must be RMSNorm or LayerNorm");
  shape.layerNorm = normalization == "LayerNorm";
  shape.qkLayernorm = reader.boolean({"qk_layernorm"}, shape.mla.has_value());
  shape.rotary = reader.text({"position_embedding_type"}).value_or("rope") != "none";
  shape.softmaxSinks = reader.text({"softmax_type"}).value_or("vanilla") == "learnable";
  shape.sharedExpertGate = reader.boolean({"moe_shared_expert_gate"}, false);
  if (reader.error()) return base::fail(*reader.error());
  return shape;
}

std::optional<std::vector<bool>> parseLayerPattern(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ') plain.push_back(c);
  }
  if (plain.size() > 2 && plain.front() == '(' && plain.back() == ')') plain = plain.substr(1, plain.size() - 2);
  std::vector<bool> layers;
  std::size_t at = 0;
  while (at < plain.size()) {
    if (plain[at++] != '[') return std::nullopt;
    std::vector<bool> term;
    while (at < plain.size() && (plain[at] == '0' || plain[at] == '1')) {
      term.push_back(plain[at++] == '1');
      if (at < plain.size() && plain[at] == ',') ++at;
    }
    if (at >= plain.size() || plain[at++] != ']' || term.empty()) return std::nullopt;
    std::size_t times = 1;
    if (at < plain.size() && plain[at] == '*') {
      const auto [end, problem] = std::from_chars(plain.data() + at + 1, plain.data() + plain.size(), times);
      if (problem != std::errc() || times > static_cast<std::size_t>(kMostLayers)) return std::nullopt;
      at = static_cast<std::size_t>(end - plain.data());
    }
    if (layers.size() + times * term.size() > static_cast<std::size_t>(kMostLayers)) return std::nullopt;
    for (std::size_t i = 0; i < times; ++i) layers.insert(layers.end(), term.begin(), term.end());
    if (at == plain.size()) return layers;
    if (plain[at++] != '+') return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace threewalls::training

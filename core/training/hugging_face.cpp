#include "training/hugging_face.h"

#include "training/field_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace threewalls::training {
namespace {

using Json = nlohmann::json;
constexpr std::int64_t kWidest = std::int64_t{1} << 24;

bool isOneOf(const std::string& type, std::initializer_list<std::string_view> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// Which decoder layers have experts: all but the first few, those off the sparse step, and those listed as dense.
void readMoe(FieldReader& reader, const std::string& type, ModelShape& shape) {
  shape.numMoeExperts = reader.integerOr({"n_routed_experts", "num_experts", "num_local_experts"}, 0, 0, kWidest);
  if (shape.numMoeExperts == 0) return;
  shape.moeRouterTopk = reader.requiredInteger({"num_experts_per_tok"}, 1, shape.numMoeExperts);
  shape.moeFfnHiddenSize = reader.integerOr({"moe_intermediate_size"}, shape.ffnHiddenSize, 1, kWidest);
  const std::int64_t shared = reader.integerOr({"n_shared_experts"}, 0, 0, 1024);
  shape.moeSharedExpertIntermediateSize =
      reader.integerOr({"shared_expert_intermediate_size"}, shared * shape.moeFfnHiddenSize, 0, kWidest);
  shape.sharedExpertGate = type == "qwen3_next";
  const std::int64_t firstDense = reader.integerOr({"first_k_dense_replace"}, 0, 0, shape.numLayers);
  const std::int64_t every = reader.integerOr({"decoder_sparse_step", "moe_layer_freq"}, 1, 1, shape.numLayers);
  for (std::int64_t layer = 0; layer < shape.numLayers; ++layer)
    shape.moeLayers.push_back(layer >= firstDense && (layer + 1) % every == 0);
  if (const Json* dense = reader.find({"mlp_only_layers"})) {
    for (const Json& layer : dense->is_array() ? *dense : Json::array()) {
      const bool known = layer.is_number_unsigned() && layer.get<std::uint64_t>() < shape.moeLayers.size();
      if (!known) return reader.reject("mlp_only_layers", "must be a list of layer numbers");
      shape.moeLayers[layer.get<std::size_t>()] = false;
    }
  }
}

void readAttention(FieldReader& reader, const std::string& type, ModelShape& shape) {
  if (reader.given({"kv_lora_rank"})) {
    MlaShape mla;
    mla.qLoraRank = reader.integerOr({"q_lora_rank"}, 0, 0, kWidest);
    mla.kvLoraRank = reader.requiredInteger({"kv_lora_rank"}, 1, kWidest);
    mla.qkHeadDim = reader.requiredInteger({"qk_nope_head_dim"}, 1, kWidest);
    mla.qkPosEmbHeadDim = reader.requiredInteger({"qk_rope_head_dim"}, 0, kWidest);
    mla.vHeadDim = reader.requiredInteger({"v_head_dim"}, 1, kWidest);
    shape.mla = mla;
  }
  shape.qkLayernorm = shape.mla || isOneOf(type, {"qwen3", "qwen3_moe", "qwen3_next"}) || reader.boolean({"use_qk_norm"}, false);
  shape.addQkvBias = !shape.mla && reader.boolean({"attention_bias"}, false);
  if (type == "qwen3_next") {
    LinearAttentionShape linear;
    linear.freq = reader.integerOr({"full_attention_interval"}, 4, 1, shape.numLayers);
    linear.keyHeadDim = reader.requiredInteger({"linear_key_head_dim"}, 1, kWidest);
    linear.valueHeadDim = reader.requiredInteger({"linear_value_head_dim"}, 1, kWidest);
    linear.numKeyHeads = reader.requiredInteger({"linear_num_key_heads"}, 1, kWidest);
    linear.numValueHeads = reader.requiredInteger({"linear_num_value_heads"}, 1, kWidest);
    linear.convKernelDim = reader.requiredInteger({"linear_conv_kernel_dim"}, 1, kWidest);
    shape.linearAttention = linear;
    shape.attentionOutputGate = true;
  }
  if (type == "gpt_oss") {  // every second layer sees everything; linear layers and experts have biases, the softmax an offset
    shape.windowSize = reader.integer({"sliding_window"}, 1, kWidest);
    shape.windowAttnSkipFreq = 2;
    shape.softmaxSinks = true;
    shape.addBiasLinear = true;
  }
}

}  // namespace

bool isHuggingFaceConfig(const Json& object) {
  return object.is_object() && object.contains("model_type") && object.contains("num_hidden_layers");
}

base::Result<ModelShape> readHuggingFaceConfig(const Json& config) {
  FieldReader reader(config, "config");
  const std::string type = reader.text({"model_type"}).value_or("");
  static constexpr std::array<std::string_view, 10> kTypes = {"llama",       "mixtral",     "qwen3",   "qwen3_moe", "qwen3_next",
                                                              "deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe",  "gpt_oss"};
  if (!reader.error() && std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    reader.reject("model_type", "\"" + type.substr(0, 40) + "\" is not one that can be read",
                  "Give the shape in Megatron's names instead.");
  }
  ModelShape shape;
  shape.numLayers = reader.requiredInteger({"num_hidden_layers"}, 1, 10'000);
  shape.hiddenSize = reader.requiredInteger({"hidden_size"}, 1, kWidest);
  shape.ffnHiddenSize = reader.requiredInteger({"intermediate_size"}, 1, kWidest);
  shape.numAttentionHeads = reader.requiredInteger({"num_attention_heads"}, 1, kWidest);
  shape.numQueryGroups = reader.integerOr({"num_key_value_heads"}, shape.numAttentionHeads, 1, shape.numAttentionHeads);
  shape.kvChannels =
      reader.integerOr({"head_dim"}, std::max<std::int64_t>(1, shape.hiddenSize / shape.numAttentionHeads), 1, kWidest);
  shape.vocabSize = reader.requiredInteger({"vocab_size"}, 1, std::int64_t{1} << 31);
  shape.shareEmbeddingsAndOutputWeights = reader.boolean({"tie_word_embeddings"}, false);
  shape.mtpNumLayers = reader.integerOr({"num_nextn_predict_layers"}, 0, 0, 100);
  shape.activation = type == "gpt_oss" ? "quick_geglu" : "swiglu";
  if (!reader.error()) readMoe(reader, type, shape);
  readAttention(reader, type, shape);
  if (reader.error()) return base::fail(*reader.error());
  return shape;
}

}  // namespace threewalls::training

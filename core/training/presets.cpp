#include "training/presets.h"

#include "base/facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace threewalls::training {
namespace {

using Json = nlohmann::json;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::int64_t integer(const Json& object, const char* name) {
  const auto member = object.find(name);
  return member == object.end() || !member->is_number() ? 0 : member->get<std::int64_t>();
}

/// "swiglu", "quick_geglu (clamp ...)", "none (squared ReLU, ...)": the first word names the gate.
std::string activationName(const Json& model) {
  const std::string text = model.value("gated_activation", "swiglu");
  const std::string word = text.substr(0, text.find(' '));
  return word == "none" ? "squared_relu" : word;
}

void readAttention(const Json& attention, ModelShape& shape) {
  const std::string kind = attention.value("kind", "GQA");
  if (kind.starts_with("MLA")) {
    shape.mla =
        MlaShape{integer(attention, "q_lora_rank"), integer(attention, "kv_lora_rank"), integer(attention, "qk_nope_head_dim"),
                 integer(attention, "qk_rope_head_dim"), integer(attention, "v_head_dim")};
    if (const auto dsa = attention.find("dsa"); dsa != attention.end()) {
      shape.indexer = IndexerShape{integer(*dsa, "index_n_heads"), integer(*dsa, "index_head_dim")};
    }
  }
  if (const auto mamba = attention.find("mamba"); mamba != attention.end()) {
    shape.mamba = MambaShape{integer(*mamba, "num_heads"), integer(*mamba, "head_dim"), integer(*mamba, "state_dim"),
                             integer(*mamba, "num_groups"), integer(*mamba, "conv_kernel")};
  }
  if (const auto linear = attention.find("linear_attention"); linear != attention.end()) {
    shape.linearAttention = LinearAttentionShape{
        integer(*linear, "full_attention_interval"), integer(*linear, "key_head_dim"),    integer(*linear, "value_head_dim"),
        integer(*linear, "num_key_heads"),           integer(*linear, "num_value_heads"), integer(*linear, "conv_kernel_dim")};
  }
  if (const std::int64_t window = integer(attention, "sliding_window"); window > 0) {
    shape.windowSize = window;
    shape.windowAttnSkipFreq = integer(attention, "window_attn_skip_freq");
  }
  shape.qkLayernorm = attention.value("qk_layernorm", false);
  shape.addQkvBias = attention.value("qkv_bias", false);
  shape.rotary = attention.value("position_embedding", "rope") != "none";
  shape.softmaxSinks = attention.value("softmax_type", "") == "learnable";
  shape.attentionOutputGate = attention.value("attention_output_gate", false);
}

Preset readPreset(const Json& model) {
  Preset preset;
  preset.id = model.at("id").get<std::string>();
  preset.name = model.at("name").get<std::string>();
  ModelShape& shape = preset.shape;
  shape.numLayers = integer(model, "num_layers");
  shape.hiddenSize = integer(model, "hidden_size");
  shape.ffnHiddenSize = integer(model, "ffn_hidden_size");
  shape.numAttentionHeads = integer(model, "num_attention_heads");
  shape.numQueryGroups = integer(model, "num_kv_heads");
  shape.kvChannels = integer(model, "head_dim");
  if (shape.kvChannels == 0) shape.kvChannels = shape.hiddenSize / shape.numAttentionHeads;
  shape.vocabSize = integer(model, "vocab_size");
  shape.makeVocabSizeDivisibleBy = integer(model, "make_vocab_size_divisible_by");
  shape.shareEmbeddingsAndOutputWeights = model.value("tied_embeddings", false);
  shape.numMoeExperts = integer(model, "num_experts");
  shape.moeRouterTopk = integer(model, "topk");
  shape.moeFfnHiddenSize = integer(model, "moe_ffn_hidden_size");
  shape.moeSharedExpertIntermediateSize = integer(model, "shared_expert_intermediate_size");
  shape.sharedExpertGate = model.value("shared_expert_gate", false);
  shape.moeLatentSize = integer(model, "moe_latent_size");
  shape.mtpNumLayers = integer(model, "mtp_num_layers");
  shape.addBiasLinear = model.value("add_bias_linear", false);
  shape.activation = activationName(model);
  readAttention(model.at("attention"), shape);
  const Json& pattern = model.at("moe_layer_pattern");
  shape.hybridPattern = pattern.value("hybrid_pattern", "");
  for (std::int64_t i = 0; i < shape.numLayers && shape.numMoeExperts > 0; ++i) {
    const bool hybrid = !shape.hybridPattern.empty();
    shape.moeLayers.push_back(hybrid ? shape.hybridPattern[static_cast<std::size_t>(i)] == 'E'
                                     : i >= integer(pattern, "first_k_dense"));
  }
  return preset;
}

base::Error unknown(std::string_view what, std::string_view id, const std::vector<std::string>& known) {
  base::Error error;
  error.code = base::ErrorCode::InvalidArgument;
  error.message = std::string(what) + ": \"" + std::string(id) + "\" is not known.";
  error.hint = "Known are ";
  for (std::size_t i = 0; i < known.size(); ++i) error.hint += (i == 0 ? "" : ", ") + known[i];
  error.hint += ".";
  return error;
}

}  // namespace

base::Result<std::vector<Preset>> presets() {
  try {
    const Json facts = Json::parse(base::embeddedFact("models.json"));
    std::vector<Preset> all;
    for (const Json& model : facts.at("models")) all.push_back(readPreset(model));
    return all;
  } catch (const Json::exception& problem) {
    base::Error error;
    error.message = std::string("The built-in models.json cannot be read: ") + problem.what();
    return base::fail(error);
  }
}

base::Result<Preset> preset(std::string_view id) {
  auto all = presets();
  if (!all) return base::fail(all.error());
  std::vector<std::string> ids;
  for (Preset& candidate : *all) {
    if (lower(candidate.id) == lower(id)) return std::move(candidate);
    ids.push_back(candidate.id);
  }
  return base::fail(unknown("model", id, ids));
}

base::Result<Hardware> hardware(std::string_view id) {
  try {
    const Json facts = Json::parse(base::embeddedFact("hardware.json"));
    std::vector<std::string> ids;
    for (const Json& entry : facts.at("hardware")) {
      Hardware found;
      found.id = entry.at("id").get<std::string>();
      found.name = entry.at("name").get<std::string>();
      bool named = lower(found.id) == lower(id);
      for (const Json& alias : entry.value("aliases", Json::array()))
        named = named || lower(alias.get<std::string>()) == lower(id);
      ids.push_back(found.id);
      if (!named) continue;
      if (const Json& visible = entry.at("memory_gib_visible"); visible.is_number())
        found.visibleBytes = visible.get<double>() * 1024 * 1024 * 1024;
      found.gpusPerNode = integer(entry, "gpus_per_node");
      found.nvlinkDomain = integer(entry.at("nvlink"), "domain_gpus");
      return found;
    }
    return base::fail(unknown("hardware", id, ids));
  } catch (const Json::exception& problem) {
    base::Error error;
    error.message = std::string("The built-in hardware.json cannot be read: ") + problem.what();
    return base::fail(error);
  }
}

}  // namespace threewalls::training

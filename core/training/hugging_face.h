#pragma once

#include "base/result.h"
#include "training/model_shape.h"

#include <nlohmann/json_fwd.hpp>

namespace threewalls::training {

/// True for the object of a Hugging Face config.json: it names a model_type and has num_hidden_layers.
bool isHuggingFaceConfig(const nlohmann::json& object);

/// The shape of a Hugging Face config.json. Model types: llama, mixtral, qwen3, qwen3_moe, qwen3_next, deepseek_v2, deepseek_v3,
/// kimi_k2, glm4_moe and gpt_oss; others are Unsupported, as a wrong guess would look like a right answer. Errors name the field.
base::Result<ModelShape> readHuggingFaceConfig(const nlohmann::json& config);

}  // namespace threewalls::training

#include "training/step_options.h"

#include "training/field_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace threewalls::training {
namespace {

using Json = nlohmann::json;

/// Bytes of an element type by Megatron's names.
double width(FieldReader& reader, std::string_view name, double fallback) {
  const auto text = reader.text({name});
  if (!text) return fallback;
  if (*text == "fp32") return 4;
  if (*text == "bf16" || *text == "fp16") return 2;
  if (*text == "fp8" || *text == "uint8") return 1;
  if (*text == "none") return 0;
  reader.reject(name, "must be fp32, bf16, fp16, fp8 or none");
  return fallback;
}

std::set<std::string> names(FieldReader& reader, std::string_view name, const std::set<std::string>& known) {
  std::set<std::string> out;
  const Json* list = reader.find({name});
  if (list == nullptr) return out;
  for (const Json& entry : list->is_array() ? *list : Json::array({*list})) {
    if (!entry.is_string() || !known.contains(entry.get<std::string>())) {
      std::string all;
      for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
      reader.reject(name, "must be a list of " + all);
      return out;
    }
    out.insert(entry.get<std::string>());
  }
  return out;
}

void readOptimizer(FieldReader& reader, StepOptions& options) {
  const bool aware = reader.boolean({"use_precision_aware_optimizer"}, false);
  options.gradientBytes = width(reader, "main_grads_dtype", reader.boolean({"grad_reduce_in_fp32"}, true) ? 4 : 2);
  options.mainWeightBytes = width(reader, "main_params_dtype", 4);
  options.momentBytes = width(reader, "exp_avg_dtype", aware ? 2 : 4) + width(reader, "exp_avg_sq_dtype", aware ? 2 : 4);
  if (reader.boolean({"optimizer_cpu_offload"}, false)) options.offloadedOptimizer = 1;
  if (const auto share = reader.number({"optimizer_offload_fraction"}, 0, 1)) {
    if (options.offloadedOptimizer > 0 || !reader.given({"optimizer_cpu_offload"})) options.offloadedOptimizer = *share;
  }
}

void readDispatcher(FieldReader& reader, StepOptions& options) {
  const std::string type = reader.text({"moe_token_dispatcher_type"}).value_or("alltoall");
  const std::string backend = reader.text({"moe_flex_dispatcher_backend"}).value_or("deepep");
  if (type == "allgather") {
    options.dispatcher = Dispatcher::AllGather;
  } else if (type == "alltoall") {
    options.dispatcher = Dispatcher::AllToAll;
  } else if (type != "flex") {
    reader.reject("moe_token_dispatcher_type", "must be allgather, alltoall or flex");
  } else if (backend == "deepep" || backend == "hybridep") {
    options.dispatcher = backend == "deepep" ? Dispatcher::DeepEp : Dispatcher::HybridEp;
  } else {
    reader.reject("moe_flex_dispatcher_backend", "must be deepep or hybridep");
  }
}

void readRecompute(FieldReader& reader, StepOptions& options) {
  static const std::set<std::string> kModules = {"core_attn", "moe_act", "layernorm",     "mla_up_proj",
                                                 "mlp",       "moe",     "shared_experts"};
  const std::string granularity = reader.text({"recompute_granularity"}).value_or("");
  if (granularity == "full") {
    options.fullRecompute = true;
    options.recomputeBlock = reader.text({"recompute_method"}).value_or("uniform") == "block";
    options.recomputeLayers = reader.integerOr({"recompute_num_layers"}, 1, 1, 10'000);
  } else if (granularity == "selective") {
    options.recompute = names(reader, "recompute_modules", kModules);
    if (!reader.given({"recompute_modules"})) options.recompute = {"core_attn"};
  } else if (!granularity.empty()) {
    reader.reject("recompute_granularity", "must be selective, full or null");
  }
}

}  // namespace

base::Result<StepOptions> readStepOptions(const Json& training, const Json& layout) {
  Json merged = layout.is_object() ? layout : Json::object();
  if (training.is_object()) merged.update(training);
  FieldReader reader(merged, "training");
  StepOptions options;
  readOptimizer(reader, options);
  const std::string precision = reader.text({"precision"}).value_or("bf16");
  static constexpr std::array<std::string_view, 3> kSixteen = {"bf16", "fp16", "bf16_mixed"};
  options.fp8Activations = std::find(kSixteen.begin(), kSixteen.end(), precision) == kSixteen.end() || reader.given({"fp8"});
  if (options.fp8Activations && !reader.given({"fp8"}) && !precision.starts_with("fp8") && precision != "mxfp8") {
    reader.reject("precision", "\"" + precision + "\" is not known; bf16, fp16, fp8 and mxfp8 are");
  }
  options.memoryEfficientPermutation = reader.boolean({"memory_efficient_permutation"}, true);
  const bool fused = reader.boolean({"cross_entropy_loss_fusion"}, false);
  options.bytesPerLogit = reader.number({"bytes_per_logit"}, 0, 64).value_or(fused ? 4 : 8);
  options.fusedActivation = reader.boolean({"bias_swiglu_fusion"}, true);
  options.gradientsFreed = reader.boolean({"gradients_freed"}, false);
  options.routingImbalance = reader.number({"routing_imbalance"}, 1, 1e6).value_or(1);
  readDispatcher(reader, options);
  options.epOverlap = reader.boolean({"overlap_moe_expert_parallel_comm"}, false);
  readRecompute(reader, options);
  if (reader.boolean({"fine_grained_activation_offloading"}, false)) {
    options.offloadModules = names(reader, "offload_modules",
                                   {"attn_norm", "qkv_linear", "core_attn", "attn_proj", "mlp_norm", "expert_fc1", "moe_act"});
  }
  if (reader.text({"cuda_graph_impl"}).value_or("none") == "transformer_engine") {
    options.graphModules = names(reader, "cuda_graph_modules", {"attn", "mamba", "mlp", "moe", "moe_router", "moe_preprocess"});
  }
  if (reader.error()) return base::fail(*reader.error());
  return options;
}

}  // namespace threewalls::training

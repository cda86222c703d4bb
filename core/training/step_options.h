#pragma once

#include "base/result.h"
#include "training/layout.h"

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>

namespace threewalls::training {

/// Which GPU code moves tokens to experts, for the buffers that it keeps.
enum class Dispatcher { AllGather, AllToAll, DeepEp, HybridEp };

/// What of a training configuration decides memory beside shape, layout and batch. Widths are bytes per element.
struct StepOptions {
  double weightBytes = 2;  ///< BF16
  double gradientBytes = 4;
  double mainWeightBytes = 4;     ///< 0: the optimizer works on the weights themselves
  double momentBytes = 8;         ///< both Adam moments together
  double offloadedOptimizer = 0;  ///< share of the moments that lives in host memory
  bool fp8Activations = false;    ///< inputs of linear layers are kept in 8 bits
  bool memoryEfficientPermutation = true;
  double bytesPerLogit = 8;     ///< at the loss: BF16 logits, FP32 softmax, BF16 gradient; 4 when fused
  bool fusedActivation = true;  ///< bias_swiglu_fusion: the product inside a gated activation is not kept
  bool gradientsFreed = false;  ///< gradients do not exist in the forward pass (zero_grad to none)
  double routingImbalance = 1;  ///< tokens on this rank's experts over the mean
  Dispatcher dispatcher = Dispatcher::AllToAll;
  bool epOverlap = false;           ///< overlap_moe_expert_parallel_comm
  std::set<std::string> recompute;  ///< modules whose inner tensors are recomputed
  bool fullRecompute = false;
  std::int64_t recomputeLayers = 1;      ///< recompute_num_layers
  bool recomputeBlock = false;           ///< recompute_method block: the first layers of a chunk only
  std::set<std::string> offloadModules;  ///< modules whose activations go to host memory
  std::set<std::string> graphModules;    ///< cuda_graph_modules captured per layer
};

/// Reads them by Megatron's names from `training` and, where it says nothing, from `layout`: grad_reduce_in_fp32,
/// main_grads_dtype, main_params_dtype, exp_avg_dtype, exp_avg_sq_dtype (fp32, bf16, fp16, fp8, none),
/// use_precision_aware_optimizer (without dtypes: BF16 moments), optimizer_cpu_offload with optimizer_offload_fraction, precision
/// or fp8, cross_entropy_loss_fusion, moe_token_dispatcher_type, moe_flex_dispatcher_backend, overlap_moe_expert_parallel_comm,
/// recompute_granularity, recompute_method, recompute_num_layers, recompute_modules, fine_grained_activation_offloading with
/// offload_modules, cuda_graph_impl and cuda_graph_modules, bias_swiglu_fusion; and of our own: memory_efficient_permutation,
/// routing_imbalance, bytes_per_logit, gradients_freed. Errors name the field.
base::Result<StepOptions> readStepOptions(const nlohmann::json& training, const nlohmann::json& layout);

}  // namespace threewalls::training

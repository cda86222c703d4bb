#pragma once

#include "training/layout.h"
#include "training/model_shape.h"
#include "training/step_options.h"

#include <string>
#include <vector>

namespace threewalls::training {

/// Tensors that the forward pass of one layer keeps for its backward pass, for one micro-batch on one GPU.
struct SavedTensor {
  const char* name = "";  ///< the same in every layer
  double bytes = 0;       ///< kept until the backward pass
  double recomputed = 0;  ///< not kept: made again, one layer at a time
  const char* formula = "";
};

/// With T = s b / CP tokens, T' = T / TP under sequence parallelism (else T), heads divided by TP, and w bytes (2, or 1 with FP8)
/// for an input of a linear layer. Per layer, in bytes:
///   norms: input 2 T' h and output w T' h, each twice; GQA: packed QKV 2 T (a + 2g) c, rotated query and key 2 T (a + g) c, a
///   copy of the query 2 T a c with query norms, attention output 2 T a c, softmax statistics 4 T a; MLA: down-projections 2 T'
///   (rq + rkv + dr), their norms w T (rq + rkv), query, key and value 2 T a (2 (dn + dr) + dv), output 2 T a dv; dense MLP: 2 T
///   F (P - 1) and w T F; MoE: router 9 T' E, permuted tokens w k T' h, FC1 2 k T' f (P - 1), activation w k T' f, FC2 2 k T' h
///   unless permutation is memory-efficient, shared expert 2 T fs P.
/// Modules that are recomputed or offloaded drop their tensors. Checked against the breakdown of arXiv 2603.07685 (DeepSeek-V3,
/// middle rank: 131.0 GiB; this gives 131.0).
std::vector<SavedTensor> savedTensors(const ModelShape& shape, LayerKind kind, const Layout& layout, double tokens,
                                      const StepOptions& options);

/// Bytes of gradients that the backward pass of one layer holds beside what was saved: of a MoE layer's permuted tokens, FC1 and
/// activation, of a dense layer's MLP.
double backwardBytes(const ModelShape& shape, LayerKind kind, const Layout& layout, double tokens, const StepOptions& options);

}  // namespace threewalls::training

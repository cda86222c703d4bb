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

/// With T = s b / CP tokens, T' = T / TP under sequence parallelism (else T), heads divided by TP, 2 bytes an element, 1 for
/// inputs of linear layers with FP8. Per layer:
///   norms: input T' h and output T' h, each twice; GQA: packed QKV T (a + 2g) c, rotated query and key T (a + g) c, a copy of
///   the query T a c with query norms, attention output T a c, softmax statistics 4 T a; MLA: down-projections T' (rq + rkv +
///   dr), their norms T (rq + rkv), query, key and value T a (2 (dn + dr) + dv), output T a dv; dense MLP: T F (P - 1) and T F;
///   MoE: router 9 T' E, permuted tokens k T' h, FC1 k T' f (P - 1), activation k T' f, FC2 k T' h unless permutation is
///   memory-efficient, shared expert T fs P.
/// Modules that are recomputed or offloaded drop their tensors. Checked against the breakdown of arXiv 2603.07685 (DeepSeek-V3,
/// middle rank: 131.0 GiB; this gives 131.0).
std::vector<SavedTensor> savedTensors(const ModelShape& shape, LayerKind kind, const Layout& layout, double tokens,
                                      const StepOptions& options);

/// Bytes of gradients that the backward pass of one layer holds beside what was saved: of a MoE layer's permuted tokens, FC1 and
/// activation, of a dense layer's MLP.
double backwardBytes(const ModelShape& shape, LayerKind kind, const Layout& layout, double tokens, const StepOptions& options);

}  // namespace threewalls::training

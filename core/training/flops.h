#pragma once

#include "base/result.h"
#include "training/layout.h"
#include "training/model_shape.h"

#include <string>
#include <utility>
#include <vector>

namespace threewalls::training {

/// Whose count of floating point operations. `Model` is this program's: Bridge's convention (every gated activation has three
/// projections, windowed layers count their window), extended to hybrid Mamba models. The other two reproduce those codes'
/// numbers: Bridge: training/utils/flop_utils.py num_floating_point_operations; Megatron-LM: training/training.py, same name.
enum class FlopsConvention { Model, Bridge, MegatronLm };

/// Floating point operations of one optimizer step over the whole global batch, forward and backward.
struct FlopsEstimate {
  std::vector<std::pair<std::string, double>> parts;  ///< by part of the model, each once, in model order; sums to perStep
  double perStep = 0;
  double perToken = 0;
};

/// With T tokens and S2 the sum of squared sequence lengths:
///   6 T [ per layer: projections + MLP ] + 6 T [ MTP: 3h + 2h^2 each ] + 6 T h V (1 + MTP) + 6 S2 core per layer
/// projections: GQA 2 h c (a + g), + h a c with an output gate; MLA: queries h a (dn + dr) or rq (h + a (dn + dr) + 1),
/// keys/values rkv (h + a (dn + dv) + 1) + h dr, output a dv h. core: a c, or a (dn + dr + dv) / 2. MLP: P h F, or
/// k P w f + P h fs (+ 2 h w when experts work at a latent width w, else w = h). V is padded. Causal attention counts half of the
/// square; router, norms, softmax, biases and recomputation are not counted. Windowed layers (not in Megatron-LM) use
/// W - W(W-1)/(2s) in place of s/2. Gated delta net: h (2 qk + 2 v + 2 heads) + conv (2 qk + v) + 4 heads dv^2 + v h per token.
/// Megatron-LM counts two projections for gated activations other than SwiGLU, and extends the pattern of linear attention over
/// the MTP layers where Bridge repeats the last layer. Unsupported: `Bridge` and `MegatronLm` of a hybrid model.
base::Result<FlopsEstimate> flops(const ModelShape& shape, const Batch& batch, std::int64_t tensorParallel,
                                  FlopsConvention convention);

}  // namespace threewalls::training

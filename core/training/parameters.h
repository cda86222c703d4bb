#pragma once

#include "training/model_shape.h"

namespace threewalls::training {

/// Parameters of one layer by the way they are spread: what TP divides, what every TP rank holds, what EP and ETP divide.
struct LayerParameters {
  double attention = 0;      ///< projections that TP divides
  double denseMlp = 0;       ///< TP divides
  double sharedExpert = 0;   ///< TP divides
  double routedExperts = 0;  ///< all experts of the layer; EP x ETP divide
  double router = 0;         ///< replicated over TP
  double replicated = 0;     ///< norms, low-rank down-projections, latent projections, output biases: on every TP rank

  double tensorSharded() const { return attention + denseMlp + sharedExpert; }
  double onEveryRank() const { return router + replicated; }
  double total() const { return tensorSharded() + onEveryRank() + routedExperts; }
};

/// Exact parameters of decoder layer `layer` (from 0; at and after num_layers: the layer inside a multi-token prediction block).
///   GQA: h a c + 2 h g c + a c h (+ h a c output gate), biases (a + 2g) c and h, query/key norms 2c, softmax offsets a.
///   MLA: h rq + rq a (dn + dr) (or h a (dn + dr)), h (rkv + dr) + rkv a (dn + dv), a dv h, norms rq + rkv; the down-projections
///   are on every TP rank. Gated delta net: h (2 qk + 2 v + 2 heads) + conv (2 qk + v) + 2 heads + dv + v h. Mamba-2: h (2 i + 2
///   G N + heads) + conv (i + 2 G N)
///   + bias + 3 heads + i + i h. MLP: P h F; experts E P w f, each with biases where linear layers have them; shared P h fs (+ h
///   gate); router h E (+ E); norms N h before attention and before the MLP, N = 1 RMSNorm, 2 LayerNorm.
/// Sources: models.json (formulas, computed totals, which these reproduce); NVIDIA/Megatron-LM core/transformer/{attention,
/// multi_latent_attention,moe/experts,moe/router}.py for what each module holds.
LayerParameters layerParameters(const ModelShape& shape, std::int64_t layer);

/// Whole model, `vocab` rows in each embedding matrix.
struct ParameterCount {
  double total = 0;      ///< decoder, embedding and output matrices, MTP blocks
  double active = 0;     ///< per token: routed experts count top-k of them
  double embedding = 0;  ///< one matrix, or two when untied
  double routedExperts = 0;
  double mtp = 0;  ///< MTP blocks with their projection 2 h^2 and norms 3 N h; part of the total
};
ParameterCount countParameters(const ModelShape& shape, std::int64_t vocab);

}  // namespace threewalls::training

#pragma once

#include "parallel/violation.h"
#include "training/layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace threewalls::parallel {

/// Decoder layers of a split without a layout string, by [pp][virtual stage]; layers are dealt one virtual stage after the other.
struct LayerSplit {
  std::vector<std::vector<std::int64_t>> counts;
  std::vector<std::vector<std::int64_t>> offsets;  ///< id of the first layer

  /// Ids of the layers of [pp][virtual stage].
  std::vector<std::int64_t> ids(std::size_t rank, std::size_t virtualStage) const;
};

/// The split and the rules that it breaks; with violations the split is empty. `refusedAt`: "config" (uneven or accounted splits,
/// checked by TransformerConfig) or "build" (even splits, checked by get_num_layers_to_build of
/// core/transformer/transformer_block.py).
struct SplitCheck {
  LayerSplit split;
  std::string refusedAt;
  std::vector<Violation> violations;
};

/// Even: layers / PP / VPP each. First and last stage may have their own count, the rest divides over the stages between.
/// Accounting for embedding or loss counts either as one layer, taken from the first or the last stage. Where Megatron-LM lets a
/// split pass that leaves a negative count of layers for the middle, this one refuses.
SplitCheck splitLayers(std::int64_t numLayers, const training::Layout& layout);

}  // namespace threewalls::parallel

#include "training/model_shape.h"

#include <algorithm>

namespace threewalls::training {

std::int64_t ModelShape::moeLayerCount() const {
  return std::count(moeLayers.begin(), moeLayers.end(), true);
}

LayerKind ModelShape::kind(std::int64_t layer) const {
  layer = std::min(layer, numLayers - 1);
  if (!hybridPattern.empty()) {
    switch (hybridPattern[static_cast<std::size_t>(layer)]) {
      case 'M': return {Mixer::Mamba, FeedForward::None};
      case 'E': return {Mixer::None, FeedForward::Moe};
      case '*': return {Mixer::Attention, FeedForward::None};
      default: return {Mixer::None, FeedForward::Dense};
    }
  }
  const bool linear = linearAttention && (layer + 1) % linearAttention->freq != 0;
  return {linear ? Mixer::LinearAttention : Mixer::Attention, isMoe(layer) ? FeedForward::Moe : FeedForward::Dense};
}

bool ModelShape::seesWindowOnly(std::int64_t layer) const {
  return windowSize && (windowAttnSkipFreq == 0 || (layer + 1) % windowAttnSkipFreq != 0);
}

std::int64_t ModelShape::paddedVocab(std::int64_t tensorParallel) const {
  const std::int64_t multiple = makeVocabSizeDivisibleBy * tensorParallel;
  return (vocabSize + multiple - 1) / multiple * multiple;
}

}  // namespace threewalls::training

#pragma once

#include "parallel/violation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::parallel {

/// What a letter of a pipeline layout string puts into a stage: E, t, m, L.
enum class StageItem { Embedding, Decoder, Mtp, Loss };
/// "embedding", "decoder", "mtp", "loss".
std::string_view toText(StageItem item);

using Stage = std::vector<StageItem>;

/// A layout string, expanded and dealt to ranks: stage i of the string is virtual stage i div PP of pipeline rank i mod PP.
struct PipelineLayout {
  std::int64_t pp = 1;
  std::vector<Stage> stages;  ///< in the order of the string

  std::int64_t vpp() const { return static_cast<std::int64_t>(stages.size()) / pp; }
  const Stage& stage(std::int64_t rank, std::int64_t virtualStage) const {
    return stages[static_cast<std::size_t>(virtualStage * pp + rank)];
  }
  std::int64_t count(StageItem item) const;
  /// Ids (from 0) of the decoder layers of [pp][virtual stage].
  std::vector<std::vector<std::vector<std::int64_t>>> decoderLayerIds() const;
  /// MTP layers sit on another pipeline rank than the last.
  bool mtpStandalone() const;
};

/// What the model and the other arguments say; a layout must agree with them.
struct PipelineExpectation {
  std::int64_t pp = 1;
  std::optional<std::int64_t> vpp;
  std::int64_t numLayers = 1;
  std::int64_t mtpNumLayers = 0;
  bool otherSplitGiven = false;  ///< uneven first/last stage or accounting for embedding or loss
};

/// Where a layout was refused, as Megatron-LM orders it: the text, the number of stages, what the stages hold.
enum class LayoutStep { Parse, Construct, Validate };
std::string_view toText(LayoutStep step);

struct PipelineCheck {
  std::optional<PipelineLayout> layout;  ///< there unless the text or the number of stages is wrong
  std::optional<LayoutStep> refusedAt;
  std::vector<Violation> violations;  ///< empty: accepted
};

/// Reads and checks a layout string (NVIDIA/Megatron-LM core/transformer/pipeline_parallel_layer_layout.py). Letters E t m L, `|`
/// ends a stage, commas are ignored, `(...)*n` is expanded first (one level), then `x*n` of a single character. Texts that expand
/// to more than 100,000 characters are refused.
PipelineCheck checkPipelineLayout(std::string_view text, const PipelineExpectation& expected);

}  // namespace threewalls::parallel

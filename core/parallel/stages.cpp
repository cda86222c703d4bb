#include "parallel/stages.h"

#include "parallel/layer_split.h"
#include "parallel/mesh.h"
#include "parallel/pipeline_layout.h"

#include <algorithm>
#include <iterator>

namespace threewalls::parallel {
namespace {

using training::Layout;
using training::ModelShape;
using training::StageContents;

std::string text(std::int64_t value) {
  return std::to_string(value);
}

StageContents contentsOf(const PipelineLayout& layout) {
  StageContents contents(static_cast<std::size_t>(layout.pp));
  const auto ids = layout.decoderLayerIds();
  for (std::size_t rank = 0; rank < contents.size(); ++rank) {
    for (std::size_t v = 0; v < ids[rank].size(); ++v) {
      const Stage& stage = layout.stage(static_cast<std::int64_t>(rank), static_cast<std::int64_t>(v));
      training::StageContent content;
      content.embedding = std::count(stage.begin(), stage.end(), StageItem::Embedding) > 0;
      content.loss = std::count(stage.begin(), stage.end(), StageItem::Loss) > 0;
      content.mtpLayers = std::count(stage.begin(), stage.end(), StageItem::Mtp);
      content.layers = ids[rank][v];
      contents[rank].push_back(std::move(content));
    }
  }
  return contents;
}

}  // namespace

std::vector<Violation> layoutViolations(const ModelShape& shape, const Layout& layout, const training::Batch& batch) {
  MeshSpec spec = meshSpec(layout);
  if (shape.numMoeExperts == 0) {  // a dense model has no expert grid that could be wrong
    spec.ep = 1;
    spec.etp = layout.tp;
  }
  if (!layout.pipelineLayout.empty()) spec.vpp = std::nullopt;  // the string says how many
  std::vector<Violation> out = meshViolations(spec);
  const std::int64_t tp = layout.tp;
  if (shape.numMoeExperts > 0 && shape.numMoeExperts % layout.ep != 0) {
    out.push_back({"MESH-003", text(shape.numMoeExperts) + " experts do not divide over EP = " + text(layout.ep) + ".",
                   "Pick EP among the divisors of the expert count."});
  }
  if (shape.numMoeExperts == 0 && layout.ep > 1) {
    out.push_back({"MESH-004", "EP = " + text(layout.ep) + " for a model without experts.", "Set EP to 1."});
  }
  if (shape.numAttentionHeads % tp != 0) {
    out.push_back({"MESH-005", text(shape.numAttentionHeads) + " attention heads do not divide over TP = " + text(tp) + ".",
                   "Choose a TP that divides the head count."});
  }
  if (!shape.mla && shape.numQueryGroups % tp != 0 && tp % shape.numQueryGroups != 0) {
    out.push_back({"MESH-006", text(shape.numQueryGroups) + " query groups and TP = " + text(tp) + " do not divide one another.",
                   "Choose TP so that one divides the other."});
  }
  if (shape.linearAttention && (shape.linearAttention->numKeyHeads % (tp * layout.cp) != 0 ||
                                shape.linearAttention->numValueHeads % (tp * layout.cp) != 0)) {
    out.push_back(
        {"MESH-007", "Heads of the gated delta net do not divide over TP*CP = " + text(tp * layout.cp) + ".", "Lower TP or CP."});
  }
  if (layout.cp > 1 && batch.seqLength % (2 * layout.cp) != 0) {
    out.push_back({"MESH-008",
                   "Sequence length " + text(batch.seqLength) + " is not a multiple of 2 CP = " + text(2 * layout.cp) + ".",
                   "Change the sequence length or CP."});
  }
  const std::int64_t perStep = layout.microBatchSize * layout.dataParallel();
  if (batch.globalBatchGiven && batch.globalBatchSize % perStep != 0) {
    out.push_back({"MESH-009",
                   "Global batch " + text(batch.globalBatchSize) + " is not a multiple of MBS*DP = " + text(perStep) + ".",
                   "Change the global batch, MBS or DP."});
  }
  if (shape.numMoeExperts > 0 && shape.addBiasLinear && layout.expertTp() > 1) {
    out.push_back({"MESH-015", "Experts with linear biases need ETP = 1, not " + text(layout.expertTp()) + ".", "Set ETP = 1."});
  }
  if (const auto contents = stageContents(shape, layout); !contents)
    std::copy(contents.error().begin(), contents.error().end(), std::back_inserter(out));
  return out;
}

tl::expected<StageContents, std::vector<Violation>> stageContents(const ModelShape& shape, const Layout& layout) {
  if (!layout.pipelineLayout.empty()) {
    PipelineExpectation expected;
    expected.pp = layout.pp;
    expected.vpp = layout.vpp;
    expected.numLayers = shape.numLayers;
    expected.mtpNumLayers = shape.mtpNumLayers;
    expected.otherSplitGiven =
        layout.firstStageLayers || layout.lastStageLayers || layout.accountForEmbedding || layout.accountForLoss;
    PipelineCheck check = checkPipelineLayout(layout.pipelineLayout, expected);
    if (!check.violations.empty()) return tl::unexpected(std::move(check.violations));
    return contentsOf(*check.layout);
  }
  SplitCheck check = splitLayers(shape.numLayers, layout);
  if (!check.violations.empty()) return tl::unexpected(std::move(check.violations));
  StageContents contents(static_cast<std::size_t>(layout.pp));
  for (std::size_t rank = 0; rank < contents.size(); ++rank) {
    for (std::size_t v = 0; v < check.split.counts[rank].size(); ++v)
      contents[rank].push_back({false, check.split.ids(rank, v), 0, false});
  }
  contents.front().front().embedding = true;
  contents.back().back().loss = true;
  contents.back().back().mtpLayers = shape.mtpNumLayers;
  return contents;
}

}  // namespace threewalls::parallel

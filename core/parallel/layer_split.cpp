#include "parallel/layer_split.h"

namespace threewalls::parallel {
namespace {

std::string text(std::int64_t value) {
  return std::to_string(value);
}

using Counts = std::vector<std::int64_t>;

/// Layers of each pipeline rank when the first or last has its own count.
Counts unevenRanks(std::int64_t numLayers, const training::Layout& layout, std::vector<Violation>& out) {
  const auto& first = layout.firstStageLayers;
  const auto& last = layout.lastStageLayers;
  for (const auto& given : {first, last}) {
    if (given && *given <= 0)
      out.push_back({"pp.uneven_stage", "A stage is given " + text(*given) + " layers.", "Give it at least one."});
  }
  const std::int64_t middleLayers = numLayers - first.value_or(0) - last.value_or(0);
  const std::int64_t middleStages = layout.pp - (first ? 1 : 0) - (last ? 1 : 0);
  if (middleStages < 0 || middleLayers < 0 || (middleStages == 0) != (middleLayers == 0)) {
    out.push_back({"pp.uneven_middle", text(middleLayers) + " layers are left for " + text(middleStages) + " middle stages.",
                   "Change the counts of the first and last stage, or PP."});
  } else if (middleStages > 0 && middleLayers % middleStages != 0) {
    out.push_back({"pp.uneven_middle",
                   text(middleLayers) + " layers do not divide over " + text(middleStages) + " middle stages.",
                   "Change the counts of the first and last stage, or use a layout string."});
  }
  if (!out.empty()) return {};
  Counts ranks(static_cast<std::size_t>(layout.pp), middleStages > 0 ? middleLayers / middleStages : 0);
  if (first) ranks.front() = *first;
  if (last) ranks.back() = *last;
  for (const std::int64_t rank : ranks) {
    if (rank % layout.virtualStages() != 0) {
      out.push_back({"PP-002",
                     text(rank) + " layers of a pipeline rank do not divide over VPP = " + text(layout.virtualStages()) + ".",
                     "Choose counts that are multiples of VPP."});
      return {};
    }
  }
  return ranks;
}

}  // namespace

std::vector<std::int64_t> LayerSplit::ids(std::size_t rank, std::size_t virtualStage) const {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < counts[rank][virtualStage]; ++i) all.push_back(offsets[rank][virtualStage] + i);
  return all;
}

SplitCheck splitLayers(std::int64_t numLayers, const training::Layout& layout) {
  SplitCheck check;
  const bool uneven = layout.firstStageLayers || layout.lastStageLayers;
  const bool accounted = layout.accountForEmbedding || layout.accountForLoss;
  const std::int64_t vpp = layout.virtualStages();
  Counts ranks;
  if (uneven && accounted) {
    check.violations.push_back(
        {"PP-017", "Uneven stages are given together with accounting for embedding or loss.", "Use one of them."});
  } else if (uneven) {
    ranks = unevenRanks(numLayers, layout, check.violations);
  } else {
    const std::int64_t slots = numLayers + (layout.accountForEmbedding ? 1 : 0) + (layout.accountForLoss ? 1 : 0);
    if (slots % layout.pp != 0) {
      check.violations.push_back({"PP-001",
                                  text(slots) + (accounted ? " layers with embedding and loss" : " layers") +
                                      " do not divide over PP = " + text(layout.pp) + ".",
                                  "Use a layout string, uneven first or last stages, or account for embedding and loss."});
    } else if (slots / layout.pp % vpp != 0) {
      check.violations.push_back(
          {"PP-002", text(slots / layout.pp) + " layers of a pipeline rank do not divide over VPP = " + text(vpp) + ".",
           "Choose a VPP that divides the layers of a rank."});
    } else {
      ranks.assign(static_cast<std::size_t>(layout.pp), slots / layout.pp);
    }
  }
  if (!check.violations.empty()) {
    check.refusedAt = uneven || accounted ? "config" : "build";
    return check;
  }
  for (const std::int64_t rank : ranks) check.split.counts.emplace_back(static_cast<std::size_t>(vpp), rank / vpp);
  if (layout.accountForEmbedding) --check.split.counts.front().front();
  if (layout.accountForLoss) --check.split.counts.back().back();
  check.split.offsets = check.split.counts;
  std::int64_t next = 0;
  for (std::size_t v = 0; v < static_cast<std::size_t>(vpp); ++v) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      check.split.offsets[rank][v] = next;
      next += check.split.counts[rank][v];
    }
  }
  return check;
}

}  // namespace threewalls::parallel

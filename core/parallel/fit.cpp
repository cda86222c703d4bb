#include "parallel/fit.h"

#include <algorithm>

namespace threewalls::parallel {
namespace {

std::vector<std::string> assumptionsOf(const training::Spec& spec) {
  std::vector<std::string> out;
  const training::StepOptions& options = spec.options;
  if (spec.shape.numMoeExperts > 0) {
    if (options.routingImbalance == 1)
      out.push_back("Tokens are routed evenly; routing_imbalance says how much more the fullest rank gets.");
    if (options.memoryEfficientPermutation)
      out.push_back("Router probabilities are applied inside the experts, so that the output of FC2 is not kept.");
    if (!spec.layout.etp && spec.layout.tp > 1) out.push_back("ETP is not given and is TP, as in Megatron-Core; Bridge takes 1.");
  }
  if (!spec.layout.numMicrobatches && !spec.batch.globalBatchGiven) {
    out.push_back("The number of micro-batches is not known: every stage is taken to reach its full warm-up.");
  }
  out.push_back("Attention keeps no score matrix (FlashAttention or cuDNN); there is no dropout.");
  if (options.fp8Activations) out.push_back("FP8: inputs of linear layers are kept in one byte; weights stay in BF16.");
  if (spec.shape.mamba || spec.shape.linearAttention)
    out.push_back("Mamba and delta net layers are taken to run fused, keeping the in-projection and the output.");
  out.push_back(
      "Overhead: 3.1 % of what is allocated for fragmentation, 1.5 GiB for NCCL and workspaces; neither is fitted to this run.");
  if (spec.hardware) out.push_back("Usable is the visible memory of the GPU less 0.6 GiB for driver and CUDA context.");
  return out;
}

}  // namespace

FitEstimate fit(const training::Spec& spec) {
  FitEstimate out;
  out.parameters = training::countParameters(
      spec.shape, spec.layout.shouldPadVocab ? spec.shape.paddedVocab(spec.layout.tp) : spec.shape.vocabSize);
  const auto bridge = training::bridgeMemory(spec.shape, spec.layout, spec.batch);
  if (bridge) {
    out.bridgeBytes = bridge->totalBytes;
  } else {
    out.bridgeRefusal = bridge.error().message;
  }
  out.megatronBytes = training::megatronMemory(spec.shape, spec.layout, spec.batch).totalBytes;
  out.assumptions = assumptionsOf(spec);
  if (spec.hardware && spec.hardware->visibleBytes > 0) out.usableBytes = spec.hardware->visibleBytes - kContextBytes;

  out.violations = layoutViolations(spec.shape, spec.layout, spec.batch);
  if (!out.violations.empty()) return out;
  const auto contents = stageContents(spec.shape, spec.layout);
  out.stages = training::stageMemory(spec.shape, spec.layout, spec.batch, spec.options, *contents);
  const auto worst =
      std::max_element(out.stages.begin(), out.stages.end(), [](const auto& a, const auto& b) { return a.total() < b.total(); });
  out.worstStage = static_cast<std::size_t>(worst - out.stages.begin());
  if (out.usableBytes) {
    out.fits = worst->total() <= *out.usableBytes;
    out.headroom = (*out.usableBytes - worst->total()) / *out.usableBytes;
  }
  return out;
}

}  // namespace threewalls::parallel

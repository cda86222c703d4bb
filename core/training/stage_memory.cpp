#include "training/stage_memory.h"

#include "training/activations.h"
#include "training/parameters.h"

#include <algorithm>

namespace threewalls::training {
namespace {

double d(std::int64_t value) {
  return static_cast<double>(value);
}

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr const char* kPaper = "arXiv 2603.07685, breakdown of DeepSeek-V3; NVIDIA/Megatron-LM core/transformer";
constexpr const char* kBytes =
    "models.json memory_bytes_per_param; NVIDIA-NeMo/Megatron-Bridge training/utils/theoretical_memory_utils.py";
constexpr const char* kAssumption = "assumption";

/// Builds the terms of one pipeline rank.
class Rank {
 public:
  Rank(const ModelShape& s, const Layout& layout, const Batch& batch, const StepOptions& options,
       const std::vector<StageContent>& chunks, std::int64_t rank, std::int64_t passes)
      : m_s(s), m_layout(layout), m_options(options), m_chunks(chunks) {
    m_tokens = d(batch.seqLength) * d(layout.microBatchSize) / d(layout.cp);
    m_sharded = layout.sequenceParallel ? m_tokens / d(layout.tp) : m_tokens;
    m_memory.stage = rank;
    m_memory.inFlight = passes;
    m_passes.assign(chunks.size(), 0);
    // Warm-up runs PP micro-batches of the first virtual stage, then of the next, and so on.
    for (std::size_t chunk = 0; passes > 0; chunk = (chunk + 1) % chunks.size()) {
      const std::int64_t now = chunks.size() > 1 ? std::min(passes, layout.pp) : passes;
      m_passes[chunk] += now;
      passes -= now;
    }
  }

  StageMemory estimate(const OverheadConstants& constants) {
    addState();
    addActivations();
    // Gradients that appear during the backward pass take the room of the activations that it consumes.
    add(TermGroup::Gradients, "gradients beyond activations", m_freedGradients - m_memory.sum(TermGroup::Activations),
        "2 or 4 per parameter at the end of the backward pass, less the activations at its start", kAssumption);
    addDispatcher();
    addGraphs();
    const double allocated = m_memory.allocated();
    add(TermGroup::Overhead, "fragmentation", allocated * constants.fragmentation, "share of allocated",
        "reference_configs.json verification_cards: reserved over allocated", false);
    add(TermGroup::Overhead, "NCCL and workspaces", constants.runtimeBytes, "constant", kAssumption, false);
    return std::move(m_memory);
  }

 private:
  void add(TermGroup group, std::string name, double bytes, std::string formula, std::string source, bool allocator = true) {
    if (bytes > 0) m_memory.terms.push_back({group, std::move(name), bytes, std::move(formula), std::move(source), allocator});
  }

  /// "w ..." is for inputs of linear layers, whose width the precision decides.
  std::string withWidth(std::string formula) const {
    if (formula.starts_with("w ")) formula[0] = m_options.fp8Activations ? '1' : '2';
    return formula;
  }

  template <class Visit>
  void forEachLayer(Visit visit) const {
    for (std::size_t chunk = 0; chunk < m_chunks.size(); ++chunk) {
      for (const std::int64_t layer : m_chunks[chunk].layers) visit(chunk, layer);
      for (std::int64_t i = 0; i < m_chunks[chunk].mtpLayers; ++i) visit(chunk, m_s.numLayers);
    }
  }

  void addState() {
    double dense = 0;
    double experts = 0;
    const double tp = d(m_layout.tp);
    const double h = d(m_s.hiddenSize);
    forEachLayer([&](std::size_t, std::int64_t layer) {
      const LayerParameters parts = layerParameters(m_s, layer);
      dense += parts.tensorSharded() / tp + parts.onEveryRank();
      experts += parts.routedExperts / d(m_layout.ep * m_layout.expertTp());
      if (layer >= m_s.numLayers) dense += 2 * h * h / tp + 3 * h * (m_s.layerNorm ? 2 : 1);
    });
    const double vocab = d(m_layout.shouldPadVocab ? m_s.paddedVocab(m_layout.tp) : m_s.vocabSize);
    bool inputTable = false;
    bool outputTable = false;
    for (const StageContent& chunk : m_chunks) {
      inputTable = inputTable || chunk.embedding || chunk.mtpLayers > 0;
      outputTable = outputTable || chunk.loss || chunk.mtpLayers > 0;
      if (chunk.loss) dense += h * (m_s.layerNorm ? 2 : 1);
    }
    const bool shared = m_s.shareEmbeddingsAndOutputWeights && inputTable && outputTable;
    dense += ((inputTable ? 1 : 0) + (outputTable && !shared ? 1 : 0)) * h * vocab / tp;

    const bool distributed = m_layout.useDistributedOptimizer;
    const double denseShard = distributed ? d(m_layout.dataParallel() * m_layout.cp) : 1;
    const double expertShard = distributed ? d(m_layout.expertDataParallel()) : 1;
    const double sharded = dense / denseShard + experts / expertShard;
    add(TermGroup::Parameters, "dense weights", dense * m_options.weightBytes, "2 (layers / TP + replicated + embeddings / TP)",
        kBytes);
    add(TermGroup::Parameters, "expert weights", experts * m_options.weightBytes, "2 experts / (EP ETP)", kBytes);
    if (m_options.gradientsFreed) {
      m_freedGradients = (dense + experts) * m_options.gradientBytes;
    } else {
      add(TermGroup::Gradients, "dense gradients", dense * m_options.gradientBytes,
          "4 (2 with BF16 gradients) per dense parameter", kBytes);
      add(TermGroup::Gradients, "expert gradients", experts * m_options.gradientBytes,
          "4 (2 with BF16 gradients) per expert parameter", kBytes);
    }
    add(TermGroup::Optimizer, "main weights", sharded * m_options.mainWeightBytes, "4 (dense / (DP CP) + experts / EDP)", kBytes);
    add(TermGroup::Optimizer, "Adam moments", sharded * m_options.momentBytes * (1 - m_options.offloadedOptimizer),
        "8 (4 with BF16 moments) (dense / (DP CP) + experts / EDP), less the offloaded share", kBytes);
  }

  void addActivations() {
    const double input = m_sharded * d(m_s.hiddenSize) * 2;
    double checkpoints = 0;
    double working = 0;  // of the layer with the largest backward pass
    std::vector<MemoryTerm> kept;
    std::vector<std::int64_t> seen(m_chunks.size(), 0);
    forEachLayer([&](std::size_t chunk, std::int64_t layer) {
      const LayerKind kind = m_s.kind(layer);
      const std::int64_t index = seen[chunk]++;
      const double passes = d(m_passes[chunk]);
      const bool full = m_options.fullRecompute && (!m_options.recomputeBlock || index < m_options.recomputeLayers);
      double again = backwardBytes(m_s, kind, m_layout, m_tokens, m_options) * (m_options.epOverlap ? 2 : 1);
      if (full && (m_options.recomputeBlock || index % m_options.recomputeLayers == 0)) checkpoints += passes * input;
      const double layers = full && !m_options.recomputeBlock ? d(m_options.recomputeLayers) : 1;
      for (const SavedTensor& tensor : savedTensors(m_s, kind, m_layout, m_tokens, m_options)) {
        again += tensor.recomputed + (full ? tensor.bytes * layers : 0);
        if (full || tensor.bytes <= 0) continue;
        const auto same =
            std::find_if(kept.begin(), kept.end(), [&](const MemoryTerm& term) { return term.name == tensor.name; });
        if (same == kept.end()) {
          kept.push_back({TermGroup::Activations, tensor.name, passes * tensor.bytes,
                          withWidth(tensor.formula) + ", per layer and pass", kPaper, true});
        } else {
          same->bytes += passes * tensor.bytes;
        }
      }
      working = std::max(working, again);
    });
    for (MemoryTerm& term : kept) m_memory.terms.push_back(std::move(term));
    add(TermGroup::Activations, "layer inputs for full recompute", checkpoints, "2 T' h, per recomputed unit and pass", kPaper);
    double embedding = 0;
    double loss = 0;
    const double vocab = d(m_layout.shouldPadVocab ? m_s.paddedVocab(m_layout.tp) : m_s.vocabSize);
    for (std::size_t chunk = 0; chunk < m_chunks.size(); ++chunk) {
      if (m_chunks[chunk].embedding) embedding += d(m_passes[chunk]) * m_tokens * 8;
      if (m_chunks[chunk].loss) loss = m_tokens * vocab / d(m_layout.tp) * m_options.bytesPerLogit * d(1 + m_s.mtpNumLayers);
    }
    add(TermGroup::Activations, "token ids", embedding, "8 T, per pass", kPaper);
    if (loss >= working) {
      add(TermGroup::Activations, "logits and loss", loss,
          "8 T V / TP (BF16 logits, FP32 softmax, BF16 gradient), 4 when fused; per output head",
          "NVIDIA/Megatron-LM core/tensor_parallel/cross_entropy.py");
    } else {
      add(TermGroup::Activations, "backward pass of one layer", working,
          "gradients 2 k T' (2h + f P) (twice with EP overlap) and tensors made again; where it exceeds logits and loss", kPaper);
    }
  }

  void addDispatcher() {
    bool moe = false;
    forEachLayer([&](std::size_t, std::int64_t layer) { moe = moe || m_s.kind(layer).feedForward == FeedForward::Moe; });
    if (!moe || m_layout.ep * m_layout.expertTp() <= 1) return;
    const double row = d(m_s.expertWidth()) * 2;
    switch (m_options.dispatcher) {
      case Dispatcher::AllGather:
        add(TermGroup::Dispatcher, "gathered tokens", m_sharded * d(m_layout.ep * m_layout.expertTp()) * row, "2 T' h EP ETP",
            kAssumption);
        break;
      case Dispatcher::AllToAll:
        add(TermGroup::Dispatcher, "send and receive buffers",
            2 * m_sharded * d(m_s.moeRouterTopk) * m_options.routingImbalance * row, "2 x 2 k T' h",
            "models.json ep_all_to_all_volume");
        break;
      case Dispatcher::DeepEp: add(TermGroup::Dispatcher, "DeepEP buffers", kGiB, "constant", kAssumption, false); break;
      case Dispatcher::HybridEp:
        add(TermGroup::Dispatcher, "HybridEP buffers", 2 * m_sharded * d(m_layout.ep) * row,
            "dispatch and combine: 2 x 2 T' h EP", kAssumption, false);
        break;
    }
  }

  void addGraphs() {
    const auto graphed = [&](const char* module) { return m_options.graphModules.contains(module); };
    double inputs = 0;
    forEachLayer([&](std::size_t chunk, std::int64_t layer) {
      const LayerKind kind = m_s.kind(layer);
      const bool attention = graphed("attn") && (kind.mixer == Mixer::Attention || kind.mixer == Mixer::LinearAttention);
      const bool mamba = graphed("mamba") && kind.mixer == Mixer::Mamba;
      const bool moe =
          (graphed("moe") || graphed("moe_router") || graphed("moe_preprocess")) && kind.feedForward == FeedForward::Moe;
      const bool dense = graphed("mlp") && kind.feedForward == FeedForward::Dense;
      const int graphs = (attention ? 1 : 0) + (mamba ? 1 : 0) + (moe ? 1 : 0) + (dense ? 1 : 0);
      inputs += graphs * d(m_passes[chunk]) * m_sharded * d(m_s.hiddenSize) * 2;
    });
    add(TermGroup::Graph, "static inputs of layer graphs", inputs, "2 T' h, per captured module, layer and pass", kAssumption);
  }

  const ModelShape& m_s;
  const Layout& m_layout;
  const StepOptions& m_options;
  const std::vector<StageContent>& m_chunks;
  double m_tokens = 0;
  double m_sharded = 0;
  double m_freedGradients = 0;
  std::vector<std::int64_t> m_passes;
  StageMemory m_memory;
};

}  // namespace

std::string_view toText(TermGroup group) {
  switch (group) {
    case TermGroup::Parameters: return "parameters";
    case TermGroup::Gradients: return "gradients";
    case TermGroup::Optimizer: return "optimizer";
    case TermGroup::Activations: return "activations";
    case TermGroup::Dispatcher: return "dispatcher";
    case TermGroup::Graph: return "graph";
    case TermGroup::Overhead: return "overhead";
  }
  return "";
}

double StageMemory::sum(TermGroup group) const {
  double bytes = 0;
  for (const MemoryTerm& term : terms) bytes += term.group == group ? term.bytes : 0;
  return bytes;
}

double StageMemory::allocated() const {
  double bytes = 0;
  for (const MemoryTerm& term : terms) bytes += term.allocator ? term.bytes : 0;
  return bytes;
}

double StageMemory::total() const {
  double bytes = 0;
  for (const MemoryTerm& term : terms) bytes += term.bytes;
  return bytes;
}

std::int64_t inFlightPasses(std::int64_t pp, std::int64_t virtualStages, std::int64_t rank, std::int64_t microbatches,
                            bool epOverlap) {
  const std::int64_t limit = microbatches > 0 ? microbatches * virtualStages : std::int64_t{1} << 40;
  if (pp == 1 || virtualStages == 1) return std::min(pp - rank, limit) * (pp == 1 ? virtualStages : 1);
  return std::min(2 * (pp - rank - 1) + (virtualStages - 1) * pp + 1 + (epOverlap ? 1 : 0), limit);
}

std::vector<StageMemory> stageMemory(const ModelShape& shape, const Layout& layout, const Batch& batch,
                                     const StepOptions& options, const StageContents& contents,
                                     const OverheadConstants& constants) {
  std::int64_t microbatches = layout.numMicrobatches.value_or(0);
  if (microbatches == 0 && batch.globalBatchGiven) {
    microbatches = std::max<std::int64_t>(1, batch.globalBatchSize / (layout.microBatchSize * layout.dataParallel()));
  }
  std::vector<StageMemory> stages;
  for (std::size_t rank = 0; rank < contents.size(); ++rank) {
    const auto index = static_cast<std::int64_t>(rank);
    const std::int64_t passes =
        inFlightPasses(layout.pp, static_cast<std::int64_t>(contents[rank].size()), index, microbatches, options.epOverlap);
    stages.push_back(Rank(shape, layout, batch, options, contents[rank], index, passes).estimate(constants));
  }
  return stages;
}

}  // namespace threewalls::training

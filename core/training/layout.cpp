#include "training/layout.h"

#include "training/field_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace threewalls::training {
namespace {

constexpr std::int64_t kMostRanks = std::int64_t{1} << 24;

std::vector<std::string> readModules(FieldReader& reader) {
  const nlohmann::json* list = reader.find({"recompute_modules"});
  std::vector<std::string> modules;
  if (list == nullptr) return modules;
  if (!list->is_array()) reader.reject("recompute_modules", "must be a list of module names");
  for (const auto& entry : *list) {
    if (!entry.is_string()) {
      reader.reject("recompute_modules", "must be a list of module names");
      break;
    }
    modules.push_back(entry.get<std::string>());
  }
  return modules;
}

/// The fewest GPUs on which both meshes are whole: PP lcm(TP CP, EP ETP).
std::int64_t smallestWorld(const Layout& layout) {
  const std::int64_t attention = layout.tp * layout.cp;
  const std::int64_t expert = layout.ep * layout.expertTp();
  const std::int64_t factor = expert / std::gcd(attention, expert);
  const double product = static_cast<double>(attention) * static_cast<double>(factor) * static_cast<double>(layout.pp);
  return product > static_cast<double>(kMostRanks) ? kMostRanks : attention * factor * layout.pp;
}

}  // namespace

std::int64_t Layout::dataParallel() const {
  return std::max<std::int64_t>(1, worldSize / (tp * pp * cp));
}

std::int64_t Layout::expertDataParallel() const {
  return std::max<std::int64_t>(1, worldSize / (expertTp() * ep * pp));
}

double Batch::squaredLengths() const {
  if (seqlenSquaredSum) return *seqlenSquaredSum;
  return tokens() * static_cast<double>(seqLength);
}

base::Result<Layout> readLayout(const nlohmann::json& json) {
  FieldReader reader(json, "layout");
  Layout layout;
  layout.tp = reader.integerOr({"tp", "tensor_model_parallel_size"}, 1, 1, 1 << 20);
  layout.pp = reader.integerOr({"pp", "pipeline_model_parallel_size"}, 1, 1, 1 << 14);
  layout.vpp = reader.integer({"vpp", "virtual_pipeline_model_parallel_size"}, 1, 1 << 14);
  layout.cp = reader.integerOr({"cp", "context_parallel_size"}, 1, 1, 1 << 20);
  layout.ep = reader.integerOr({"ep", "expert_model_parallel_size"}, 1, 1, 1 << 20);
  layout.etp = reader.integer({"etp", "expert_tensor_parallel_size"}, 1, 1 << 20);
  layout.worldSize = reader.integerOr({"world_size"}, smallestWorld(layout), 0, kMostRanks);
  layout.microBatchSize = reader.integerOr({"mbs", "micro_batch_size"}, 1, 1, 1 << 24);
  layout.numMicrobatches = reader.integer({"num_microbatches"}, 1, 1 << 24);
  layout.seqLength = reader.integer({"seq_length"}, 1, std::int64_t{1} << 31);
  layout.useDistributedOptimizer = reader.boolean({"use_distributed_optimizer"}, true);
  layout.sequenceParallel = reader.boolean({"sequence_parallel"}, false);
  layout.recomputeGranularity = reader.text({"recompute_granularity"}).value_or("");
  if (!layout.recomputeGranularity.empty() && layout.recomputeGranularity != "selective" &&
      layout.recomputeGranularity != "full") {
    reader.reject("recompute_granularity", "must be selective, full or null");
  }
  layout.recomputeModules = readModules(reader);
  layout.shouldPadVocab = reader.boolean({"should_pad_vocab"}, true);
  layout.firstStageLayers = reader.integer({"num_layers_in_first_pipeline_stage"}, -1'000'000, 1'000'000);
  layout.lastStageLayers = reader.integer({"num_layers_in_last_pipeline_stage"}, -1'000'000, 1'000'000);
  layout.accountForEmbedding = reader.boolean({"account_for_embedding_in_pipeline_split"}, false);
  layout.accountForLoss = reader.boolean({"account_for_loss_in_pipeline_split"}, false);
  layout.pipelineLayout = reader.text({"pipeline_model_parallel_layout"}).value_or("");
  layout.order = reader.text({"order"}).value_or(layout.order);
  if (reader.error()) return base::fail(*reader.error());
  return layout;
}

base::Result<Batch> readBatch(const nlohmann::json& json, const Layout& layout) {
  FieldReader reader(json, "training");
  Batch batch;
  batch.seqLength = reader.integerOr({"seq_length"}, layout.seqLength.value_or(4096), 1, std::int64_t{1} << 31);
  batch.globalBatchSize = reader.integerOr({"global_batch_size", "gbs"}, 1, 1, std::int64_t{1} << 31);
  batch.globalBatchGiven = reader.given({"global_batch_size", "gbs"});
  batch.seqlenSum = reader.number({"seqlen_sum"}, 0, 1e18);
  batch.seqlenSquaredSum = reader.number({"seqlen_squared_sum"}, 0, 1e30);
  if (reader.error()) return base::fail(*reader.error());
  return batch;
}

}  // namespace threewalls::training

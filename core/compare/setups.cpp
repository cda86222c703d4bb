#include "compare/setups.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace threewalls::compare {
namespace {

using analysis::Analysis;

/// Arguments that make two runs different tasks, in the words of the dump.
constexpr std::array<std::string_view, 22> kTask = {"num_layers",
                                                    "hidden_size",
                                                    "ffn_hidden_size",
                                                    "num_attention_heads",
                                                    "num_query_groups",
                                                    "kv_channels",
                                                    "num_experts",
                                                    "moe_ffn_hidden_size",
                                                    "moe_router_topk",
                                                    "moe_shared_expert_intermediate_size",
                                                    "moe_layer_freq",
                                                    "mtp_num_layers",
                                                    "vocab_size",
                                                    "padded_vocab_size",
                                                    "seq_length",
                                                    "global_batch_size",
                                                    "world_size",
                                                    "multi_latent_attention",
                                                    "untie_embeddings_and_output_weights",
                                                    "normalization",
                                                    "swiglu",
                                                    "group_query_attention"};

constexpr std::array<std::string_view, 7> kLayout = {"tensor_model_parallel_size",
                                                     "pipeline_model_parallel_size",
                                                     "context_parallel_size",
                                                     "expert_model_parallel_size",
                                                     "expert_tensor_parallel_size",
                                                     "data_parallel_size",
                                                     "transformer_pipeline_model_parallel_size"};

template <class Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Paths, hosts, ports and names say where a run happened, not what it did.
bool isPlace(std::string_view name) {
  constexpr std::array<std::string_view, 12> kEnds = {"_path", "_dir",  "_file",   "_folder",  "_addr",   "_port",
                                                      "_host", "_name", "_prefix", "_project", "_entity", "_cache"};
  constexpr std::array<std::string_view, 6> kNames = {"save", "load", "rank", "local_rank", "tokenizer_model", "data_args_path"};
  return holds(kNames, name) ||
         std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return name.ends_with(end); });
}

std::optional<std::string> argument(const run::TrainingLog& log, const std::string& name) {
  const auto found = log.arguments.find(name);
  if (found == log.arguments.end()) return std::nullopt;
  return found->second;
}

/// Names of the devices that did work, as the file calls them; empty when it does not say.
std::set<std::string> deviceNames(const Analysis& analysis) {
  std::set<std::string> names;
  std::set<std::string> all;
  for (const trace::Device& device : analysis.trace->info().devices) {
    if (device.name.empty()) continue;
    all.insert(device.name);
    const auto works = [&](const analysis::DeviceLane& lane) { return lane.device == device.id; };
    if (std::any_of(analysis.lanes.begin(), analysis.lanes.end(), works)) names.insert(device.name);
  }
  // ROCm writers can number the device that worked otherwise than the list: with one model in it there is no doubt.
  return names.empty() && all.size() == 1 ? all : names;
}

std::string joined(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// What the traces say about the GPUs.
void compareDevices(const Analysis& a, const Analysis& b, std::vector<std::string>& out, std::vector<std::string>& unknown) {
  const std::set<std::string> namesA = deviceNames(a);
  const std::set<std::string> namesB = deviceNames(b);
  if (namesA.empty() || namesB.empty()) {
    unknown.push_back("The GPU model of " + std::string(namesA.empty() ? (namesB.empty() ? "both sides" : "A") : "B") +
                      " is not in the trace: that both ran on the same one was not checked.");
  } else if (namesA != namesB) {
    out.push_back("The GPUs differ: A ran on " + joined(namesA) + ", B on " + joined(namesB) + ".");
  }
  if (a.lanes.size() != b.lanes.size()) {
    out.push_back("The number of GPUs differs: " + std::to_string(a.lanes.size()) + " in A, " + std::to_string(b.lanes.size()) +
                  " in B.");
  }
}

std::optional<int> worldSize(const RunSide& side) {
  if (side.analysis && side.analysis->trace->info().worldSize) return side.analysis->trace->info().worldSize;
  return side.log ? side.log->worldSize : std::nullopt;
}

/// "256" of the last iteration line; empty when it is not printed.
std::string printedBatch(const RunSide& side) {
  if (!side.log || side.log->iterations.empty()) return {};
  const run::LogField* field = side.log->iterations.back().field("global batch size");
  return field != nullptr ? field->text : std::string();
}

/// What the logs say about model and batch.
void compareTasks(const RunSide& a, const RunSide& b, std::vector<std::string>& out) {
  if (!a.log || !b.log) return;
  if (!a.log->arguments.empty() && !b.log->arguments.empty()) {
    for (const std::string_view name : kTask) {
      const auto valueA = argument(*a.log, std::string(name));
      const auto valueB = argument(*b.log, std::string(name));
      if (valueA && valueB && *valueA != *valueB) {
        out.push_back("The runs are different tasks: " + std::string(name) + " is " + *valueA + " in A and " + *valueB +
                      " in B.");
      }
    }
    return;
  }
  const std::string batchA = printedBatch(a);
  const std::string batchB = printedBatch(b);
  if (!batchA.empty() && !batchB.empty() && batchA != batchB) {
    out.push_back("The global batch sizes differ: " + batchA + " in A, " + batchB + " in B.");
  }
}

}  // namespace

std::vector<std::string> obstacles(const RunSide& a, const RunSide& b, std::vector<std::string>& unknown) {
  std::vector<std::string> out;
  if (a.analysis && b.analysis) {
    compareDevices(*a.analysis, *b.analysis, out, unknown);
  } else {
    unknown.push_back("The GPU model is not in a log: that both ran on the same one was not checked.");
  }
  const auto worldA = worldSize(a);
  const auto worldB = worldSize(b);
  if (worldA && worldB && *worldA != *worldB) {
    out.push_back("The world sizes differ: " + std::to_string(*worldA) + " ranks in A, " + std::to_string(*worldB) + " in B.");
  } else if (!worldA || !worldB) {
    const std::string who = worldA ? "B" : worldB ? "A" : "both sides";
    unknown.push_back("The world size of " + who + " is not in the trace: that both used as many ranks was not checked.");
  }
  compareTasks(a, b, out);
  return out;
}

std::optional<std::vector<ChangedVariable>> changedVariables(const RunSide& a, const RunSide& b) {
  if (!a.log || !b.log || a.log->arguments.empty() || b.log->arguments.empty()) return std::nullopt;
  std::set<std::string> names;
  for (const auto& [name, value] : a.log->arguments) names.insert(name);
  for (const auto& [name, value] : b.log->arguments) names.insert(name);
  std::vector<ChangedVariable> changed;
  for (const std::string& name : names) {
    ChangedVariable variable{name, argument(*a.log, name), argument(*b.log, name)};
    if (variable.a != variable.b && !isPlace(name)) changed.push_back(std::move(variable));
  }
  return changed;
}

bool isSingleVariable(const std::vector<ChangedVariable>& changed) {
  const auto layout =
      std::count_if(changed.begin(), changed.end(), [](const auto& variable) { return holds(kLayout, variable.field); });
  const auto others = static_cast<std::ptrdiff_t>(changed.size()) - layout;
  return others + (layout > 0 ? 1 : 0) == 1;
}

}  // namespace threewalls::compare

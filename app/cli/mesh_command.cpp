#include "mesh_command.h"

#include "common_output.h"
#include "exit_code.h"
#include "layout_output.h"
#include "table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

namespace threewalls::cli {
namespace {

using nlohmann::ordered_json;

ordered_json meshJson(const parallel::Mesh& mesh, std::int64_t gpusPerNode, std::int64_t nvlinkDomain) {
  ordered_json groups = ordered_json::object();
  ordered_json crossings = ordered_json::object();
  for (const parallel::GroupKind& kind : mesh.kinds) {
    groups[kind.name] = kind.groups;
    const parallel::Crossing crossing = parallel::crossing(kind, gpusPerNode, nvlinkDomain);
    crossings[kind.name] = {
        {"groups", crossing.groups}, {"crossing_node", crossing.crossingNode}, {"crossing_domain", crossing.crossingDomain}};
  }
  return {{"derived", {{"dp", mesh.dp}, {"etp", mesh.etp}, {"expert_dp", mesh.expertDp}}},
          {"groups", std::move(groups)},
          {"crossing", std::move(crossings)}};
}

/// "0 2 4 6", shortened after eight ranks.
std::string ranksText(const parallel::RankGroup& group) {
  std::string out;
  for (std::size_t i = 0; i < group.size() && i < 8; ++i) out += (i > 0 ? " " : "") + std::to_string(group[i]);
  return group.size() > 8 ? out + " ... " + std::to_string(group.back()) : out;
}

}  // namespace

CLI::App* addMesh(CLI::App& app, MeshRequest& request) {
  CLI::App* command =
      app.add_subcommand("mesh", "Process groups of a layout: which ranks talk to which, and which groups leave a node.");
  parallel::MeshSpec& spec = request.spec;
  command->add_option("--world", spec.worldSize, "GPUs")->required()->type_name("N");
  command->add_option("--tp", spec.tp, "Tensor parallel size")->type_name("N");
  command->add_option("--cp", spec.cp, "Context parallel size")->type_name("N");
  command->add_option("--pp", spec.pp, "Pipeline parallel size")->type_name("N");
  command->add_option("--ep", spec.ep, "Expert parallel size")->type_name("N");
  command->add_option("--etp", spec.etp, "Expert tensor parallel size; TP when not given")->type_name("N");
  command->add_option("--vpp", spec.vpp, "Virtual pipeline stages per rank")->type_name("N");
  command->add_option("--order", spec.order, "Axes of the rank grid, leftmost fastest")->capture_default_str();
  command->add_option("--optimizer-instances", spec.distributedOptimizerInstances, "Distributed optimizer instances")
      ->type_name("N");
  command->add_option("--hierarchical-cp", spec.hierarchicalCpSizes, "Sizes of hierarchical context parallelism")
      ->delimiter(',')
      ->type_name("N,N");
  command->add_flag("--hybrid-cp", spec.hybridContextParallel, "Add the groups of hybrid context parallelism");
  command->add_option("--gpus-per-node", request.gpusPerNode, "GPUs of a node")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--nvlink-domain", request.nvlinkDomain, "GPUs of an NVLink domain; a node when not given")
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("--json", request.json, "Print one JSON object and nothing else on standard output");
  return command;
}

int runMesh(const MeshRequest& request) {
  const auto mesh = parallel::buildMesh(request.spec);
  if (!mesh) {
    if (request.json) {
      printJson({{"violations", toJson(mesh.error())}});
    } else {
      printViolations(std::cout, mesh.error());
    }
    return kAnswerIsNo;
  }
  const std::int64_t domain = request.nvlinkDomain.value_or(request.gpusPerNode);
  if (request.json) {
    printJson(meshJson(*mesh, request.gpusPerNode, domain));
    return kDone;
  }
  std::cout << "DP " << mesh->dp << ", ETP " << mesh->etp << ", expert DP " << mesh->expertDp << "\n";
  Table table({{"kind", Table::Align::Left},
               {"groups"},
               {"size"},
               {"leave a node"},
               {"leave the domain"},
               {"first group", Table::Align::Left}});
  for (const parallel::GroupKind& kind : mesh->kinds) {
    const parallel::Crossing crossing = parallel::crossing(kind, request.gpusPerNode, domain);
    table.add({kind.name, std::to_string(crossing.groups), std::to_string(kind.groups.front().size()),
               std::to_string(crossing.crossingNode), std::to_string(crossing.crossingDomain), ranksText(kind.groups.front())});
  }
  table.print(std::cout);
  return kDone;
}

}  // namespace threewalls::cli

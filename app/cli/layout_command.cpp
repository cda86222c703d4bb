#include "layout_command.h"

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

ordered_json stageJson(const parallel::Stage& stage) {
  ordered_json items = ordered_json::array();
  for (const parallel::StageItem item : stage) items.push_back(std::string(parallel::toText(item)));
  return items;
}

ordered_json layoutJson(const parallel::PipelineCheck& check) {
  ordered_json out = ordered_json::object();
  if (check.layout) {
    const parallel::PipelineLayout& layout = *check.layout;
    const auto ids = layout.decoderLayerIds();
    ordered_json flat = ordered_json::array();
    for (const parallel::Stage& stage : layout.stages) flat.push_back(stageJson(stage));
    ordered_json dealt = ordered_json::array();
    ordered_json perRank = ordered_json::array();
    for (std::int64_t rank = 0; rank < layout.pp; ++rank) {
      ordered_json row = ordered_json::array();
      std::size_t decoders = 0;
      for (std::int64_t v = 0; v < layout.vpp(); ++v) {
        row.push_back(stageJson(layout.stage(rank, v)));
        decoders += ids[static_cast<std::size_t>(rank)][static_cast<std::size_t>(v)].size();
      }
      dealt.push_back(std::move(row));
      perRank.push_back(decoders);
    }
    out = {{"pp", layout.pp},
           {"vpp", layout.vpp()},
           {"flat_stages", std::move(flat)},
           {"layout_pp_vpp", std::move(dealt)},
           {"decoder_layer_ids", ids},
           {"decoder_layers_per_pp_rank", std::move(perRank)},
           {"num_decoder", layout.count(parallel::StageItem::Decoder)},
           {"num_mtp", layout.count(parallel::StageItem::Mtp)},
           {"mtp_standalone", layout.mtpStandalone()}};
  }
  out["error_stage"] = check.refusedAt ? ordered_json(std::string(parallel::toText(*check.refusedAt))) : ordered_json();
  out["violations"] = toJson(check.violations);
  return out;
}

/// "E t*3 m L": the letters of a stage, runs counted.
std::string stageText(const parallel::Stage& stage) {
  std::string out;
  for (std::size_t i = 0; i < stage.size();) {
    std::size_t run = i;
    while (run < stage.size() && stage[run] == stage[i]) ++run;
    out += (out.empty() ? "" : " ") + std::string(parallel::toText(stage[i]));
    if (run - i > 1) out += " x" + std::to_string(run - i);
    i = run;
  }
  return out.empty() ? "(empty)" : out;
}

void printLayout(std::ostream& out, const parallel::PipelineLayout& layout) {
  std::vector<Table::Column> columns = {{"rank"}};
  for (std::int64_t v = 0; v < layout.vpp(); ++v) columns.push_back({"virtual stage " + std::to_string(v), Table::Align::Left});
  Table table(std::move(columns));
  for (std::int64_t rank = 0; rank < layout.pp; ++rank) {
    std::vector<std::string> row = {std::to_string(rank)};
    for (std::int64_t v = 0; v < layout.vpp(); ++v) row.push_back(stageText(layout.stage(rank, v)));
    table.add(std::move(row));
  }
  table.print(out);
}

}  // namespace

CLI::App* addLayout(CLI::App& app, LayoutRequest& request) {
  CLI::App* command = app.add_subcommand("layout", "A pipeline layout string, expanded, dealt to ranks and checked.");
  command
      ->add_option("STRING", request.text,
                   "E embedding, t decoder layer, m MTP layer, L loss, | ends a stage, (...)*n and x*n repeat")
      ->required();
  command->add_option("--pp", request.expected.pp, "Pipeline parallel size")->required()->check(CLI::Range(1, 100'000));
  command->add_option("--vpp", request.expected.vpp, "Virtual stages per rank; as many as the string has when not given")
      ->check(CLI::Range(1, 100'000));
  command->add_option("--layers", request.expected.numLayers, "Decoder layers of the model")
      ->required()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--mtp", request.expected.mtpNumLayers, "Multi-token prediction layers of the model")
      ->check(CLI::Range(0, 100'000));
  command->add_flag("--json", request.json, "Print one JSON object and nothing else on standard output");
  return command;
}

int runLayout(const LayoutRequest& request) {
  const parallel::PipelineCheck check = parallel::checkPipelineLayout(request.text, request.expected);
  if (request.json) {
    printJson(layoutJson(check));
  } else {
    printViolations(std::cout, check.violations);
    if (check.layout) printLayout(std::cout, *check.layout);
  }
  return check.violations.empty() ? kDone : kAnswerIsNo;
}

}  // namespace threewalls::cli

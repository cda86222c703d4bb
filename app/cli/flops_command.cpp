#include "flops_command.h"

#include "base/format.h"
#include "common_output.h"
#include "exit_code.h"
#include "table.h"
#include "training/flops.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace threewalls::cli {
namespace {

/// Three significant digits with a unit of 1000: "94.2 TFLOP".
std::string formatFlops(double flops) {
  constexpr const char* kUnits[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP", "ZFLOP"};
  std::size_t unit = 0;
  while (flops >= 1000 && unit + 1 < std::size(kUnits)) {
    flops /= 1000;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.4g %s", flops, kUnits[unit]);
  return text;
}

}  // namespace

CLI::App* addFlops(CLI::App& app, FlopsRequest& request) {
  CLI::App* command = app.add_subcommand("flops", "Floating point operations of one optimizer step, by part of the model.");
  addSpecArguments(*command, request.spec);
  command->add_option("--as", request.as, "The number of that code itself: bridge or megatron-lm")
      ->check(CLI::IsMember({"bridge", "megatron-lm"}));
  command->add_flag("--json", request.json, "Print one JSON object and nothing else on standard output");
  return command;
}

int runFlops(const FlopsRequest& request) {
  const auto spec = readSpecArguments(request.spec);
  if (!spec) {
    printError(spec.error());
    return specExitCode(spec.error());
  }
  const auto convention = request.as == "bridge"        ? training::FlopsConvention::Bridge
                          : request.as == "megatron-lm" ? training::FlopsConvention::MegatronLm
                                                        : training::FlopsConvention::Model;
  const auto estimate = training::flops(spec->shape, spec->batch, spec->flopsTensorParallel, convention);
  if (!estimate) {
    printError(estimate.error());
    return kWrongUsage;
  }
  if (request.json) {
    nlohmann::ordered_json parts = nlohmann::ordered_json::object();
    for (const auto& [name, value] : estimate->parts) parts[name] = value;
    printJson({{"flops_per_step", estimate->perStep},
               {"flops_per_token", estimate->perToken},
               {"by_part", parts},
               {"tokens_per_step", spec->batch.tokens()},
               {"padded_vocab_size", spec->shape.paddedVocab(spec->flopsTensorParallel)},
               {"as", request.as.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(request.as)}});
    return kDone;
  }
  std::cout << formatFlops(estimate->perStep) << " a step, " << formatFlops(estimate->perToken) << " a token ("
            << base::formatCount(static_cast<std::uint64_t>(spec->batch.tokens())) << " tokens)\n";
  Table table({{"part", Table::Align::Left}, {"a step"}, {"share"}});
  for (const auto& [name, value] : estimate->parts) {
    if (value > 0) table.add({name, formatFlops(value), base::formatPercent(value / estimate->perStep)});
  }
  table.print(std::cout);
  return kDone;
}

}  // namespace threewalls::cli

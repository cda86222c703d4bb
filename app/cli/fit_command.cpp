#include "fit_command.h"

#include "base/format.h"
#include "common_output.h"
#include "exit_code.h"
#include "layout_output.h"
#include "parallel/fit.h"
#include "table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace threewalls::cli {
namespace {

using nlohmann::ordered_json;
using training::TermGroup;

constexpr TermGroup kGroups[] = {TermGroup::Parameters, TermGroup::Gradients, TermGroup::Optimizer, TermGroup::Activations,
                                 TermGroup::Dispatcher, TermGroup::Graph,     TermGroup::Overhead};

std::int64_t whole(double value) {
  return std::llround(std::clamp(value, 0.0, 9e18));
}

std::string bytes(double value) {
  return base::formatBytes(static_cast<std::uint64_t>(whole(value)));
}

ordered_json stageJson(const training::StageMemory& stage, const parallel::FitEstimate& fit) {
  ordered_json out = {{"stage", stage.stage}};
  std::int64_t total = 0;
  for (const TermGroup group : kGroups) {
    const std::int64_t sum = whole(stage.sum(group));
    out[std::string(training::toText(group)) + "_bytes"] = sum;
    total += sum;
  }
  out["total_bytes"] = total;
  out["fits"] = fit.usableBytes ? ordered_json(stage.total() <= *fit.usableBytes) : ordered_json();
  out["allocated_bytes"] = whole(stage.allocated());
  out["in_flight_passes"] = stage.inFlight;
  ordered_json terms = ordered_json::array();
  for (const training::MemoryTerm& term : stage.terms) {
    terms.push_back({{"group", std::string(training::toText(term.group))},
                     {"name", term.name},
                     {"value_bytes", whole(term.bytes)},
                     {"formula", term.formula},
                     {"source", term.source},
                     {"in_allocator", term.allocator}});
  }
  out["terms"] = std::move(terms);
  return out;
}

template <class T>
ordered_json orNull(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json fitJson(const parallel::FitEstimate& fit) {
  ordered_json stages = ordered_json::array();
  for (const training::StageMemory& stage : fit.stages) stages.push_back(stageJson(stage, fit));
  ordered_json out = {{"stages", std::move(stages)},
                      {"usable_bytes", fit.usableBytes ? ordered_json(whole(*fit.usableBytes)) : ordered_json()},
                      {"worst_stage", orNull(fit.worstStage)},
                      {"fits", orNull(fit.fits)},
                      {"headroom_ratio", orNull(fit.headroom)},
                      {"parameters_total", whole(fit.parameters.total)},
                      {"parameters_active", whole(fit.parameters.active)},
                      {"upstream",
                       {{"bridge_bytes", fit.bridgeBytes ? ordered_json(whole(*fit.bridgeBytes)) : ordered_json()},
                        {"megatron_lm_bytes", whole(fit.megatronBytes)}}},
                      {"assumptions", fit.assumptions},
                      {"violations", toJson(fit.violations)}};
  if (!fit.bridgeRefusal.empty()) out["upstream"]["bridge_refusal"] = fit.bridgeRefusal;
  return out;
}

void printStages(std::ostream& out, const parallel::FitEstimate& fit) {
  std::vector<Table::Column> columns = {{"stage"}};
  for (const TermGroup group : kGroups) columns.push_back({std::string(training::toText(group))});
  columns.push_back({"total"});
  columns.push_back({"passes in flight"});
  Table table(std::move(columns));
  for (const training::StageMemory& stage : fit.stages) {
    std::vector<std::string> row = {std::to_string(stage.stage)};
    for (const TermGroup group : kGroups) row.push_back(bytes(stage.sum(group)));
    row.push_back(bytes(stage.total()));
    row.push_back(std::to_string(stage.inFlight));
    table.add(std::move(row));
  }
  table.print(out);
  const training::StageMemory& worst = fit.stages[*fit.worstStage];
  out << "\nLargest: stage " << worst.stage << ", " << bytes(worst.total()) << ", of it " << bytes(worst.allocated())
      << " in PyTorch's allocator";
  if (fit.usableBytes) {
    out << (*fit.fits ? "; fits into " : "; does not fit into ") << bytes(*fit.usableBytes) << " usable";
    if (*fit.fits) out << ", headroom " << base::formatPercent(*fit.headroom);
  }
  out << "\n\nTerms of that stage\n";
  Table terms({{"term", Table::Align::Left}, {"bytes"}, {"formula", Table::Align::Left}, {"source", Table::Align::Left}});
  for (const training::MemoryTerm& term : worst.terms) terms.add({term.name, bytes(term.bytes), term.formula, term.source});
  terms.print(out);
}

}  // namespace

CLI::App* addFit(CLI::App& app, FitRequest& request) {
  CLI::App* command =
      app.add_subcommand("fit", "Predicted GPU memory of every pipeline stage, term by term, and whether it fits.");
  addSpecArguments(*command, request.spec);
  command->add_flag("--json", request.json, "Print one JSON object and nothing else on standard output");
  return command;
}

int runFit(const FitRequest& request) {
  const auto spec = readSpecArguments(request.spec);
  if (!spec) {
    printError(spec.error());
    return specExitCode(spec.error());
  }
  const parallel::FitEstimate fit = parallel::fit(*spec);
  if (request.json) {
    printJson(fitJson(fit));
  } else {
    printViolations(std::cout, fit.violations);
    if (!fit.stages.empty()) printStages(std::cout, fit);
    std::cout << "\nThe trainers' own estimates: Bridge "
              << (fit.bridgeBytes ? bytes(*fit.bridgeBytes) : "none (" + fit.bridgeRefusal + ")") << ", Megatron-LM "
              << bytes(fit.megatronBytes) << "\n\nAssumptions\n";
    for (const std::string& line : fit.assumptions) printWrapped(std::cout, "  - ", line);
  }
  return fit.violations.empty() && fit.fits.value_or(true) ? kDone : kAnswerIsNo;
}

}  // namespace threewalls::cli

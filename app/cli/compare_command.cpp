#include "compare_command.h"

#include "base/format.h"
#include "common_output.h"
#include "compare/open_run.h"
#include "exit_code.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

namespace threewalls::cli {

CLI::App* addCompare(CLI::App& app, CompareRequest& request) {
  CLI::App* command = app.add_subcommand(
      "compare", "What changed from run A to run B: step time, a waterfall that adds up exactly, and the kernels behind it.");
  command
      ->add_option("A", request.a,
                   "Baseline: a trace (Kineto or other Chrome JSON, Nsight Systems SQLite), a training log, or a folder with a "
                   "log and traces")
      ->required();
  command->add_option("B", request.b, "Candidate: likewise")->required();
  command->add_flag("--json", request.json, "Print one JSON object (times in ns) and nothing else on standard output");
  command
      ->add_option(
          "--max-regression", request.maxRegression,
          "Exit with 1 when B is slower than A by more than this share (0.03 is 3 %) and the whole 95 % interval is beyond it")
      ->type_name("R")
      ->check(CLI::NonNegativeNumber);
  return command;
}

bool regressed(const compare::Comparison& comparison, double limit) {
  if (comparison.claim == compare::Claim::NotComparable || !comparison.stepTime.ratioCi95) return false;
  return *comparison.stepTime.ratio > 1.0 + limit && (*comparison.stepTime.ratioCi95)[0] > 1.0 + limit;
}

int runCompare(const CompareRequest& request) {
  const auto a = compare::openRun(request.a);
  if (!a) {
    printError(a.error());
    return kCannotRead;
  }
  const auto b = compare::openRun(request.b);
  if (!b) {
    printError(b.error());
    return kCannotRead;
  }
  const compare::Comparison comparison = compare::compare(*a, *b);
  if (request.json) {
    printJson(compareJson(comparison));
  } else {
    printCompareTables(std::cout, comparison);
  }
  if (!request.maxRegression || !regressed(comparison, *request.maxRegression)) return kDone;
  std::cerr << "threewalls-cli: B is slower than A by more than " << base::formatPercent(*request.maxRegression)
            << ", with the whole 95 % interval beyond that.\n";
  return kAnswerIsNo;
}

}  // namespace threewalls::cli

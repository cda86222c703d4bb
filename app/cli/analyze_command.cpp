#include "analyze_command.h"

#include "common_output.h"
#include "exit_code.h"
#include "number_range.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace threewalls::cli {
namespace {

namespace fs = std::filesystem;

base::Error cannotRead(const std::string& file, std::string message) {
  base::Error error;
  error.code = base::ErrorCode::CannotRead;
  error.file = file;
  error.message = std::move(message);
  return error;
}

/// Two files of one rank are mostly a slip: totals count both.
void noteSharedRanks(AnalyzeReport& report) {
  std::set<int> seen;
  for (const auto& analysis : report.traces) {
    const trace::TraceInfo& info = analysis->trace->info();
    if (!info.rank || seen.insert(*info.rank).second) continue;
    base::Diagnostic entry;
    entry.severity = base::Severity::Warning;
    entry.code = "rank_twice";
    entry.message = "An earlier file is of rank " + std::to_string(*info.rank) + ", too; totals count both.";
    entry.file = info.file;
    report.diagnostics.note(std::move(entry));
  }
}

/// Regular files of a folder, by name.
base::Result<std::vector<std::string>> filesIn(const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> files;
  fs::directory_iterator it(folder, failure);
  for (; !failure && it != fs::directory_iterator(); it.increment(failure)) {
    if (it->is_regular_file(failure)) files.push_back(it->path().string());
  }
  if (failure) return base::fail(cannotRead(folder, "The folder cannot be read: " + failure.message() + "."));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

analysis::Ledger AnalyzeReport::totals() const {
  analysis::Ledger sum;
  for (const auto& analysis : traces) sum += analysis->totals;
  return sum;
}

std::vector<AnalyzeReport::Kernel> AnalyzeReport::kernels() const {
  std::map<std::string_view, Kernel> byName;
  for (const auto& analysis : traces) {
    for (const analysis::KernelRow& row : analysis->kernels) {
      const std::string_view name = analysis->trace->names()[row.name];
      Kernel& kernel = byName[name];
      kernel.name = name;
      kernel.classId = analysis->classes.table()[row.classId].id;
      kernel.count += row.count;
      kernel.sum += row.sum;
      kernel.max = std::max(kernel.max, row.max);
    }
  }
  std::vector<Kernel> out;
  for (auto& [name, kernel] : byName) out.push_back(std::move(kernel));
  std::stable_sort(out.begin(), out.end(), [](const Kernel& x, const Kernel& y) { return x.sum > y.sum; });
  return out;
}

std::vector<analysis::ClassRow> AnalyzeReport::classes() const {
  std::vector<analysis::ClassRow> out;
  for (const auto& analysis : traces) mergeRows(out, analysis->classRows);
  return out;
}

const analysis::Analysis& AnalyzeReport::slowest() const {
  const auto duration = [](const analysis::Analysis& analysis) {
    if (!analysis.wall.lane) return base::Nanoseconds{-1};
    return analysis.lanes[*analysis.wall.lane].steps[*analysis.wall.step].interval.length();
  };
  return **std::max_element(traces.begin(), traces.end(),
                            [&](const auto& x, const auto& y) { return duration(*x) < duration(*y); });
}

CLI::App* addAnalyze(CLI::App& app, AnalyzeRequest& request) {
  CLI::App* command =
      app.add_subcommand("analyze", "Where the time of each step went: ledger per step and GPU, kernels, classes, and the wall.");
  command->add_option(
      "FILE", request.files,
      "Trace files, one rank each: PyTorch profiler (Kineto) or other Chrome JSON, Nsight Systems SQLite; plain or gzipped");
  command
      ->add_option("--ranks", request.ranksFolder,
                   "Folder of trace files, one rank each; files in it that are no trace are named and skipped")
      ->type_name("DIR");
  CLI::Option* steps =
      command->add_option("--steps", request.steps, "Only the steps numbered A to B, both included")->type_name("A:B");
  command
      ->add_flag(
          "--whole", request.whole,
          "Per GPU one step named \"all\", from the first start to the last end of GPU work, instead of the recorded steps")
      ->excludes(steps);
  addTimeRange(*command, request.range, "Only the stretch from this time on, as one step named \"range\"");
  command->add_flag("--json", request.json, "Print one JSON object (times in ns) and nothing else on standard output");
  return command;
}

int runAnalyze(const AnalyzeRequest& request) {
  analysis::AnalysisOptions options;
  options.whole = request.whole;
  if (request.range.given() && (request.whole || !request.steps.empty())) {
    std::cerr << "threewalls-cli: --from and --to cannot be combined with --steps or --whole.\n";
    return kWrongUsage;
  }
  if (const auto wrong = wrongTime(request.range)) {
    std::cerr << "threewalls-cli: " << *wrong << '\n';
    return kWrongUsage;
  }
  if (!request.steps.empty()) {
    options.steps = numberRange(request.steps);
    if (!options.steps) {
      std::cerr << "threewalls-cli: --steps takes two step numbers, the smaller one first, such as 61:63.\n";
      return kWrongUsage;
    }
  }
  if (request.files.empty() && request.ranksFolder.empty()) {
    std::cerr << "threewalls-cli: analyze needs a trace file or --ranks DIR. See threewalls-cli analyze --help.\n";
    return kWrongUsage;
  }

  AnalyzeReport report;
  const auto take = [&](std::shared_ptr<const analysis::Analysis> analysis) {
    report.diagnostics.merge(analysis->diagnostics);
    report.traces.push_back(std::move(analysis));
  };
  for (const std::string& file : request.files) {
    auto analysis = load(file, options, request.range);
    if (!analysis) {
      printError(analysis.error());
      return analysis.error().code == base::ErrorCode::InvalidArgument ? kWrongUsage : kCannotRead;
    }
    take(std::move(*analysis));
  }
  if (!request.ranksFolder.empty()) {
    const auto files = filesIn(request.ranksFolder);
    if (!files) {
      printError(files.error());
      return kCannotRead;
    }
    for (const std::string& file : *files) {
      auto analysis = load(file, options, request.range);
      if (analysis) {
        take(std::move(*analysis));
        continue;
      }
      base::Diagnostic skipped;
      skipped.severity = base::Severity::Warning;
      skipped.code = "file_skipped";
      skipped.message = analysis.error().message;
      skipped.file = file;
      report.diagnostics.note(std::move(skipped));
    }
  }
  if (report.traces.empty()) {
    printError(cannotRead(request.ranksFolder, "The folder holds no file that can be read as a trace."));
    for (const base::Diagnostic& entry : report.diagnostics.entries()) {
      printError(cannotRead(entry.file, entry.message));
    }
    return kCannotRead;
  }

  noteSharedRanks(report);
  if (request.json) {
    printJson(analyzeJson(report));
  } else {
    printAnalyzeTables(std::cout, report);
  }
  return kDone;
}

}  // namespace threewalls::cli

#include "extract_command.h"

#include "analysis/range_extract.h"
#include "base/format.h"
#include "common_output.h"
#include "exit_code.h"
#include "table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <set>

namespace threewalls::cli {
namespace {

/// "Steps of the trace: 61 to 63."
std::string stepsThereAre(const analysis::Analysis& analysis) {
  std::set<std::int64_t> numbers;
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    for (const analysis::Step& step : lane.steps) {
      if (step.number) numbers.insert(*step.number);
    }
  }
  if (numbers.empty()) return "No step of the trace has a number; use --from and --to.";
  return "Its steps are numbered " + std::to_string(*numbers.begin()) + " to " + std::to_string(*numbers.rbegin()) + ".";
}

nlohmann::ordered_json extractJson(const ExtractRequest& request, const analysis::Analysis& analysis, base::Interval range,
                                   const analysis::RangeExtract& extract) {
  const trace::TraceInfo& info = analysis.trace->info();
  return {{"file", request.output},
          {"bytes", extract.bytes},
          {"events", extract.events},
          {"gpu_events", extract.selection.gpuEvents},
          {"launches_outside", extract.selection.launchesBefore},
          {"others_outside", extract.selection.atTheEdges},
          {"from_ns", range.start.count()},
          {"to_ns", range.end.count()},
          {"same_ledger", extract.sameLedger},
          {"source", {{"file", info.file}, {"content_hash", info.contentHash}}},
          {"diagnostics", toJson(analysis.diagnostics)}};
}

}  // namespace

CLI::App* addExtract(CLI::App& app, ExtractRequest& request) {
  CLI::App* command = app.add_subcommand(
      "extract",
      "Write a range of a trace as a small trace of its own, which other viewers open.\n"
      "It holds every event that overlaps the range, whole and at its own time, the launch calls of its GPU events, the markers "
      "of "
      "its steps, and what is needed so that the ledger of the range stays the same to the ns: the file is opened again to "
      "check. "
      "Analyse it with the same --from and --to, or the same step. "
      "Instants, counters and other arrows than those from launch calls are left out, and so are names of hosts and users.");
  command->add_option("TRACE", request.file, "The trace: all that analyze reads")->required();
  command
      ->add_option("-o,--output", request.output,
                   "The file to write: Chrome JSON as the PyTorch profiler writes it; gzipped when the name ends in .gz. "
                   "A file of that name is replaced, the trace itself never")
      ->required()
      ->type_name("FILE");
  addTimeRange(*command, request.range, "The range starts here");
  command->add_option("--step", request.step, "The range is what the GPUs do of the step with this number")->type_name("N");
  command->add_flag("--json", request.json, "Print one JSON object (times in ns) and nothing else on standard output");
  return command;
}

int runExtract(const ExtractRequest& request) {
  const auto wrong = [](const std::string& why) {
    std::cerr << "threewalls-cli: " << why << '\n';
    return kWrongUsage;
  };
  if (request.step.has_value() == request.range.given()) {
    return wrong("extract needs either --step N, or --from and --to or one of them. See threewalls-cli extract --help.");
  }
  if (const auto time = wrongTime(request.range)) return wrong(*time);

  const auto analysis = load(request.file);
  if (!analysis) {
    printError(analysis.error());
    return kCannotRead;
  }
  const auto range = request.step ? analysis::stepRange(**analysis, *request.step) : std::nullopt;
  if (request.step && !range) {
    return wrong("The trace has no step " + std::to_string(*request.step) + ". " + stepsThereAre(**analysis));
  }
  const auto stretch = range ? base::Result<base::Interval>(*range) : intervalOf(request.range, *(*analysis)->trace);
  if (!stretch) {
    printError(stretch.error());
    return kWrongUsage;
  }
  const auto extract = analysis::extractRange(**analysis, *stretch, request.output, "threewalls-cli " THREEWALLS_VERSION);
  if (!extract) {
    printError(extract.error());
    return extract.error().code == base::ErrorCode::InvalidArgument ? kWrongUsage : kCannotRead;
  }
  if (request.json) {
    printJson(extractJson(request, **analysis, *stretch, *extract));
    return kDone;
  }
  using base::formatCount;
  std::cout << printable(request.output) << '\n';
  printWrapped(std::cout, "  ",
               base::formatBytes(extract->bytes) + " | " + formatCount(extract->events) + " events, " +
                   formatCount(extract->selection.gpuEvents) + " on the GPU | " + base::formatDuration(stretch->length()) +
                   " of " + printable(request.file));
  if (const std::uint64_t outside = extract->selection.launchesBefore + extract->selection.atTheEdges; outside > 0) {
    printWrapped(std::cout, "  ",
                 formatCount(outside) +
                     " of the events are from outside the range: launch calls belong to their kernels, and idle "
                     "time depends on its neighbours.");
  }
  printWrapped(std::cout, "  ",
               extract->sameLedger ? std::string("Opened again: the ledger of the range is the same to the ns.")
                                   : std::string("Opened again: the ledger of the range is NOT the same as in the whole trace."));
  std::cout << "  analyze it with --from " << stretch->start.count() << " --to " << stretch->end.count() << '\n';
  return kDone;
}

}  // namespace threewalls::cli

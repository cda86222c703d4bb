#include "log_command.h"

#include "common_output.h"
#include "exit_code.h"
#include "number_range.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

namespace threewalls::cli {

CLI::App* addLog(CLI::App& app, LogRequest& request) {
  CLI::App* command = app.add_subcommand(
      "log", "What a training log says: iterations with marks, the steady window with its statistics, memory.");
  command
      ->add_option("FILE", request.files,
                   "Output of Megatron-LM, Megatron-Bridge or NeMo; several files are one run, in the order of its restarts")
      ->required();
  command
      ->add_option("--steady", request.steady,
                   "The iterations that stand for the run, A to B, both included; default: the last 10")
      ->type_name("A:B");
  command->add_flag("--json", request.json, "Print one JSON object (times in ns) and nothing else on standard output");
  return command;
}

int runLog(const LogRequest& request) {
  std::optional<NumberRange> declared;
  if (!request.steady.empty()) {
    declared = numberRange(request.steady);
    if (!declared) {
      std::cerr << "threewalls-cli: --steady takes two iterations, the smaller one first, such as 51:60.\n";
      return kWrongUsage;
    }
  }
  auto log = run::readTrainingLog(request.files);
  if (!log) {
    printError(log.error());
    return kCannotRead;
  }
  if (log->empty()) {
    printError({base::ErrorCode::UnknownFormat,
                "No line of a Megatron, Bridge or NeMo training log was found.",
                request.files.front(),
                {},
                {},
                "Name what the trainer prints on standard output."});
    return kCannotRead;
  }
  const auto window = run::steadyWindow(*log, declared);
  for (base::Diagnostic& note : run::windowNotes(*log, window)) log->diagnostics.note(std::move(note));
  if (request.json) {
    printJson(logJson(*log, window));
  } else {
    printLogTables(std::cout, *log, window);
  }
  return kDone;
}

}  // namespace threewalls::cli

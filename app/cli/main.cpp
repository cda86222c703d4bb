#include "analyze_command.h"
#include "compare_command.h"
#include "exit_code.h"
#include "extract_command.h"
#include "fit_command.h"
#include "flops_command.h"
#include "layout_command.h"
#include "log_command.h"
#include "mesh_command.h"

#include <CLI/CLI.hpp>

#include <exception>
#include <functional>
#include <iostream>

namespace {

using namespace threewalls::cli;

int run(int argc, char** argv) {
  CLI::App app(
      "What limits a training run: the figures of the Threewalls workbench as text or JSON.\n"
      "Exit codes: 0 done; 1 done, and the answer is no; 2 wrong usage; 3 an input could not be read at all; "
      "4 internal error.",
      "threewalls-cli");
  app.set_version_flag("--version", "threewalls-cli " THREEWALLS_VERSION);
  app.require_subcommand(1);
  AnalyzeRequest analyzeRequest;
  CompareRequest compareRequest;
  ExtractRequest extractRequest;
  FlopsRequest flopsRequest;
  FitRequest fitRequest;
  MeshRequest meshRequest;
  LayoutRequest layoutRequest;
  LogRequest logRequest;
  std::function<int()> chosen;
  const auto command = [&chosen](CLI::App* added, auto runCommand, auto& request) {
    added->callback([&chosen, runCommand, &request] { chosen = [runCommand, &request] { return runCommand(request); }; });
  };
  command(addAnalyze(app, analyzeRequest), runAnalyze, analyzeRequest);
  command(addCompare(app, compareRequest), runCompare, compareRequest);
  command(addExtract(app, extractRequest), runExtract, extractRequest);
  command(addFlops(app, flopsRequest), runFlops, flopsRequest);
  command(addFit(app, fitRequest), runFit, fitRequest);
  command(addMesh(app, meshRequest), runMesh, meshRequest);
  command(addLayout(app, layoutRequest), runLayout, layoutRequest);
  command(addLog(app, logRequest), runLog, logRequest);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors; everything else has one code here, whatever CLI11 calls it.
    return app.exit(error) == 0 ? kDone : kWrongUsage;
  }
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "threewalls-cli: internal error: " << error.what() << '\n';
    return kInternalError;
  }
}

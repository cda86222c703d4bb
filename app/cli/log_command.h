#pragma once

#include "run/steady_window.h"
#include "run/training_log.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace threewalls::cli {

/// What `log` was asked for.
struct LogRequest {
  std::vector<std::string> files;
  std::string steady;  ///< "A:B"; empty for the default window
  bool json = false;
};

/// Adds `log` to the program; `request` must outlive it.
CLI::App* addLog(CLI::App& app, LogRequest& request);
/// Runs it: an ExitCode.
int runLog(const LogRequest& request);

nlohmann::ordered_json logJson(const run::TrainingLog& log, const std::optional<run::SteadyWindow>& window);
void printLogTables(std::ostream& out, const run::TrainingLog& log, const std::optional<run::SteadyWindow>& window);

}  // namespace threewalls::cli

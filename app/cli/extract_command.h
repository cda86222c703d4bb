#pragma once

#include "time_range.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace threewalls::cli {

/// What `extract` was asked for.
struct ExtractRequest {
  std::string file;
  std::string output;
  TimeRangeArguments range;
  std::optional<std::int64_t> step;
  bool json = false;
};

/// Adds `extract` to the program; `request` must outlive it.
CLI::App* addExtract(CLI::App& app, ExtractRequest& request);
/// Runs it: an ExitCode.
int runExtract(const ExtractRequest& request);

}  // namespace threewalls::cli

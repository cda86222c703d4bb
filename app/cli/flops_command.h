#pragma once

#include "spec_arguments.h"

#include <string>

namespace threewalls::cli {

/// What `flops` was asked for.
struct FlopsRequest {
  SpecArguments spec;
  std::string as;
  bool json = false;
};

/// Adds `flops` to the program; `request` must outlive it.
CLI::App* addFlops(CLI::App& app, FlopsRequest& request);
/// Runs it: an ExitCode.
int runFlops(const FlopsRequest& request);

}  // namespace threewalls::cli

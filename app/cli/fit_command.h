#pragma once

#include "spec_arguments.h"

namespace threewalls::cli {

/// What `fit` was asked for.
struct FitRequest {
  SpecArguments spec;
  bool json = false;
};

/// Adds `fit` to the program; `request` must outlive it.
CLI::App* addFit(CLI::App& app, FitRequest& request);
/// Runs it: an ExitCode.
int runFit(const FitRequest& request);

}  // namespace threewalls::cli

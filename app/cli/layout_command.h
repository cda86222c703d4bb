#pragma once

#include "parallel/pipeline_layout.h"

#include <string>

namespace CLI {
class App;
}

namespace threewalls::cli {

/// What `layout` was asked for.
struct LayoutRequest {
  std::string text;
  parallel::PipelineExpectation expected;
  bool json = false;
};

/// Adds `layout` to the program; `request` must outlive it.
CLI::App* addLayout(CLI::App& app, LayoutRequest& request);
/// Runs it: an ExitCode.
int runLayout(const LayoutRequest& request);

}  // namespace threewalls::cli

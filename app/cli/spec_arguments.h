#pragma once

#include "training/spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace threewalls::cli {

/// What `flops` and `fit` are asked about: a specification file, or a model with flags.
struct SpecArguments {
  std::string file;
  std::string model;
  std::optional<std::int64_t> tp, pp, vpp, cp, ep, etp, mbs, gbs, seq, gpus;
  std::vector<std::string> recompute;
  std::string precision;
  std::string dispatcher;
  std::string pipelineLayout;
  std::string hardware;
};

/// Adds --spec, --model and the flags to a command; `arguments` must outlive it.
void addSpecArguments(CLI::App& command, SpecArguments& arguments);

/// The specification. Errors of a file name it; errors of flags have no file.
base::Result<training::Spec> readSpecArguments(const SpecArguments& arguments);

/// The exit code for such an error: a file that could not be used, or flags that are wrong.
int specExitCode(const base::Error& error);

}  // namespace threewalls::cli

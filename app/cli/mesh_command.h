#pragma once

#include "parallel/mesh.h"

#include <cstdint>
#include <optional>

namespace CLI {
class App;
}

namespace threewalls::cli {

/// What `mesh` was asked for.
struct MeshRequest {
  parallel::MeshSpec spec;
  std::int64_t gpusPerNode = 8;
  std::optional<std::int64_t> nvlinkDomain;  ///< not given: a node
  bool json = false;
};

/// Adds `mesh` to the program; `request` must outlive it.
CLI::App* addMesh(CLI::App& app, MeshRequest& request);
/// Runs it: an ExitCode.
int runMesh(const MeshRequest& request);

}  // namespace threewalls::cli

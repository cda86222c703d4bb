#pragma once

#include "parallel/violation.h"
#include "training/layout.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace threewalls::parallel {

/// What decides the process groups of a job.
struct MeshSpec {
  std::int64_t worldSize = 1;
  std::int64_t tp = 1;
  std::int64_t cp = 1;
  std::int64_t pp = 1;
  std::int64_t ep = 1;
  std::optional<std::int64_t> etp;  ///< not given: TP
  std::optional<std::int64_t> vpp;
  std::string order = "tp-cp-ep-dp-pp";  ///< axes of both grids, leftmost fastest
  std::int64_t distributedOptimizerInstances = 1;
  std::vector<std::int64_t> hierarchicalCpSizes;
  bool hybridContextParallel = false;

  std::int64_t expertTp() const { return etp.value_or(tp); }
};

MeshSpec meshSpec(const training::Layout& layout);

using RankGroup = std::vector<std::int64_t>;

/// All groups of one kind, in the order in which Megatron-LM creates them.
struct GroupKind {
  std::string name;
  std::vector<RankGroup> groups;
};

struct Mesh {
  std::int64_t dp = 1;
  std::int64_t etp = 1;
  std::int64_t expertDp = 1;
  std::vector<GroupKind> kinds;

  /// Null when there is no such kind.
  const GroupKind* find(const std::string& name) const;
};

/// Every rule of process-group creation that the sizes break (NVIDIA/Megatron-LM core/parallel_state.py
/// initialize_model_parallel); empty: legal. Worlds over 131,072 ranks are refused.
std::vector<Violation> meshViolations(const MeshSpec& spec);

/// The two grids over one world, attention (tp, cp, dp, pp) and expert (expert-tp, ep, expert-dp, pp), both laid out in `order`.
/// A group of axes T is every set of ranks that agree on all other axes; groups are numbered with the other axes, leftmost
/// fastest. Kinds: dp-cp, dp, cp, mp (tp-pp), tp, pp, embedding (first and last of a pp group), position-embedding, tp-dp-cp,
/// tp-dp, tp-cp, ep, expert-tp, expert-tp-ep, expert-tp-ep-pp, expert-dp, intra-dist-opt-instance; where asked for:
/// intra-partial-dp-cp, hybrid-dp-cp-N, cp-hier-LN, expert-dp-hier-LN. The error lists every violation.
tl::expected<Mesh, std::vector<Violation>> buildMesh(const MeshSpec& spec);

/// How many groups of a kind leave a node, and how many leave an NVLink domain; consecutive ranks fill nodes and domains.
struct Crossing {
  std::int64_t groups = 0;
  std::int64_t crossingNode = 0;
  std::int64_t crossingDomain = 0;
};
Crossing crossing(const GroupKind& kind, std::int64_t gpusPerNode, std::int64_t nvlinkDomain);

}  // namespace threewalls::parallel

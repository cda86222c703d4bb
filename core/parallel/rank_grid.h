#pragma once

#include "parallel/mesh.h"

#include <string>
#include <utility>
#include <vector>

namespace threewalls::parallel {

/// Ranks 0 .. n-1 on named axes, the first axis fastest.
class RankGrid {
 public:
  using Axis = std::pair<std::string, std::int64_t>;
  explicit RankGrid(std::vector<Axis> axes) : m_axes(std::move(axes)) {}

  /// Every set of ranks that agree on the axes that are not in `names`; numbered with those axes, first fastest; within a group
  /// the named axes run, first fastest (Megatron-LM: generate_masked_orthogonal_rank_groups).
  std::vector<RankGroup> groups(const std::vector<std::string>& names) const;

 private:
  std::vector<Axis> m_axes;
};

/// Level `level` of a hierarchy of sizes over each group: rank i of a group has digits in these sizes, first fastest, and a
/// sub-group agrees on all digits but its level's (Megatron-LM: create_hierarchical_groups).
std::vector<RankGroup> hierarchyLevel(const std::vector<RankGroup>& groups, const std::vector<std::int64_t>& sizes,
                                      std::size_t level);

/// Each group cut into consecutive pieces of `size`; the last may be shorter.
std::vector<RankGroup> slices(const std::vector<RankGroup>& groups, std::int64_t size);

}  // namespace threewalls::parallel

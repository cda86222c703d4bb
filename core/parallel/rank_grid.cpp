#include "parallel/rank_grid.h"

#include <algorithm>

namespace threewalls::parallel {
namespace {

/// Rank offsets of every position on some axes (size and stride), first axis fastest.
std::vector<std::int64_t> offsets(const std::vector<std::pair<std::int64_t, std::int64_t>>& axes) {
  std::vector<std::int64_t> all = {0};
  for (const auto& [size, stride] : axes) {
    const std::vector<std::int64_t> inner = all;
    for (std::int64_t i = 1; i < size; ++i) {
      for (const std::int64_t offset : inner) all.push_back(offset + i * stride);
    }
  }
  return all;
}

}  // namespace

std::vector<RankGroup> RankGrid::groups(const std::vector<std::string>& names) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> within;
  std::vector<std::pair<std::int64_t, std::int64_t>> across;
  std::int64_t stride = 1;
  for (const auto& [name, size] : m_axes) {
    const bool named = std::find(names.begin(), names.end(), name) != names.end();
    (named ? within : across).emplace_back(size, stride);
    stride *= size;
  }
  const std::vector<std::int64_t> members = offsets(within);
  std::vector<RankGroup> all;
  for (const std::int64_t base : offsets(across)) {
    RankGroup group = members;
    for (std::int64_t& rank : group) rank += base;
    all.push_back(std::move(group));
  }
  return all;
}

std::vector<RankGroup> hierarchyLevel(const std::vector<RankGroup>& groups, const std::vector<std::int64_t>& sizes,
                                      std::size_t level) {
  std::int64_t below = 1;
  for (std::size_t i = 0; i < level; ++i) below *= sizes[i];
  const std::int64_t size = sizes[level];
  std::vector<RankGroup> all;
  for (const RankGroup& group : groups) {
    const auto count = static_cast<std::int64_t>(group.size());
    for (std::int64_t above = 0; above < count; above += size * below) {
      for (std::int64_t digit = 0; digit < below; ++digit) {
        RankGroup sub;
        for (std::int64_t i = 0; i < size; ++i) sub.push_back(group[static_cast<std::size_t>(above + i * below + digit)]);
        all.push_back(std::move(sub));
      }
    }
  }
  return all;
}

std::vector<RankGroup> slices(const std::vector<RankGroup>& groups, std::int64_t size) {
  std::vector<RankGroup> all;
  for (const RankGroup& group : groups) {
    const auto count = static_cast<std::int64_t>(group.size());
    for (std::int64_t start = 0; start < count; start += size) {
      all.emplace_back(group.begin() + start, group.begin() + std::min(count, start + size));
    }
  }
  return all;
}

}  // namespace threewalls::parallel

#pragma once

#include <algorithm>
#include <limits>

// Template code of Pyramid; included by pyramid.h only.

namespace threewalls::trace {

template <class Duration>
Pyramid::Pyramid(std::uint32_t count, const Duration& duration) {
  if (count <= kFanOut) return;
  std::vector<Node> level((count + kFanOut - 1) / kFanOut);
  for (std::uint32_t i = 0; i < count; ++i) {
    Node& node = level[i / kFanOut];
    const std::int64_t length = duration(i);
    if (i % kFanOut == 0 || length > exactLongest(node, duration)) node = {node.busy, saturated(length), i};
    node.busy += length;
  }
  while (level.size() > kFanOut) {
    std::vector<Node> above((level.size() + kFanOut - 1) / kFanOut);
    for (std::size_t i = 0; i < level.size(); ++i) {
      Node& node = above[i / kFanOut];
      const Node& below = level[i];
      const bool longer = i % kFanOut == 0 || exactLongest(below, duration) > exactLongest(node, duration);
      if (longer) node = {node.busy, below.longest, below.longestIndex};
      node.busy += below.busy;
    }
    m_levels.push_back(std::move(level));
    level = std::move(above);
  }
  m_levels.push_back(std::move(level));
}

template <class Duration>
RangeSummary Pyramid::summary(std::uint32_t first, std::uint32_t last, const Duration& duration) const {
  RangeSummary out;
  if (first >= last) return out;
  out.count = last - first;
  std::int64_t busy = 0;
  std::int64_t longest = -1;
  // Parts come from both ends inwards: the lower index wins a tie.
  const auto take = [&](std::int64_t partBusy, std::int64_t partLongest, std::uint32_t partIndex) {
    busy += partBusy;
    if (partLongest < longest || (partLongest == longest && partIndex > out.longestIndex)) return;
    longest = partLongest;
    out.longestIndex = partIndex;
  };
  const auto takeEvent = [&](std::uint32_t i) { take(duration(i), duration(i), i); };
  const auto takeNode = [&](const Node& node) { take(node.busy, exactLongest(node, duration), node.longestIndex); };

  while (first < last && (first % kFanOut != 0 || m_levels.empty())) takeEvent(first++);
  while (first < last && last % kFanOut != 0) takeEvent(--last);
  std::size_t from = first / kFanOut;
  std::size_t to = last / kFanOut;
  for (std::size_t k = 0; from < to; ++k) {
    const std::vector<Node>& level = m_levels[k];
    const bool top = k + 1 == m_levels.size();
    while (from < to && (top || from % kFanOut != 0)) takeNode(level[from++]);
    while (from < to && to % kFanOut != 0) takeNode(level[--to]);
    from /= kFanOut;
    to /= kFanOut;
  }
  out.busy = base::Nanoseconds(busy);
  out.longest = base::Nanoseconds(longest);
  return out;
}

inline std::uint32_t Pyramid::saturated(std::int64_t length) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(length, 0, std::numeric_limits<std::uint32_t>::max()));
}

template <class Duration>
std::int64_t Pyramid::exactLongest(const Node& node, const Duration& duration) {
  return node.longest == std::numeric_limits<std::uint32_t>::max() ? duration(node.longestIndex) : node.longest;
}

}  // namespace threewalls::trace

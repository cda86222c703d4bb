#include "analysis/interval_set.h"

#include <algorithm>
#include <cstddef>

namespace threewalls::analysis {
namespace {

using base::Interval;
using base::Nanoseconds;

/// Appends `next`, which starts no earlier than the last interval of `out`, merging what overlaps or touches.
void appendMerged(std::vector<Interval>& out, const Interval& next) {
  if (next.empty()) return;
  if (!out.empty() && next.start <= out.back().end) {
    out.back().end = std::max(out.back().end, next.end);
  } else {
    out.push_back(next);
  }
}

}  // namespace

IntervalSet::IntervalSet(std::vector<Interval> intervals) {
  if (!std::is_sorted(intervals.begin(), intervals.end())) std::sort(intervals.begin(), intervals.end());
  for (const Interval& interval : intervals) appendMerged(m_intervals, interval);
  finish();
}

IntervalSet IntervalSet::fromDisjoint(std::vector<Interval> intervals) {
  IntervalSet set;
  set.m_intervals = std::move(intervals);
  set.finish();
  return set;
}

void IntervalSet::finish() {
  m_before.reserve(m_intervals.size());
  Nanoseconds sum{0};
  for (const Interval& interval : m_intervals) {
    m_before.push_back(sum);
    sum += interval.length();
  }
}

Nanoseconds IntervalSet::total() const {
  return empty() ? Nanoseconds{0} : m_before.back() + m_intervals.back().length();
}

Nanoseconds IntervalSet::totalBefore(Nanoseconds time) const {
  // The last interval that starts before `time` is the only one that `time` can cut.
  const auto after = std::partition_point(m_intervals.begin(), m_intervals.end(),
                                          [time](const Interval& interval) { return interval.start < time; });
  if (after == m_intervals.begin()) return Nanoseconds{0};
  const auto last = after - 1;
  return m_before[static_cast<std::size_t>(last - m_intervals.begin())] + std::min(time, last->end) - last->start;
}

Nanoseconds IntervalSet::totalWithin(Interval range) const {
  return range.empty() ? Nanoseconds{0} : totalBefore(range.end) - totalBefore(range.start);
}

IntervalSet IntervalSet::clipped(Interval range) const {
  std::vector<Interval> out;
  if (!range.empty()) {
    auto it = std::partition_point(m_intervals.begin(), m_intervals.end(),
                                   [range](const Interval& interval) { return interval.end <= range.start; });
    for (; it != m_intervals.end() && it->start < range.end; ++it) {
      out.push_back({std::max(it->start, range.start), std::min(it->end, range.end)});
    }
  }
  return fromDisjoint(std::move(out));
}

IntervalSet unite(const IntervalSet& a, const IntervalSet& b) {
  std::vector<Interval> out;
  auto i = a.m_intervals.begin();
  auto j = b.m_intervals.begin();
  while (i != a.m_intervals.end() || j != b.m_intervals.end()) {
    const bool takeA = j == b.m_intervals.end() || (i != a.m_intervals.end() && i->start <= j->start);
    appendMerged(out, takeA ? *i++ : *j++);
  }
  return IntervalSet::fromDisjoint(std::move(out));
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b) {
  std::vector<Interval> out;
  auto i = a.m_intervals.begin();
  auto j = b.m_intervals.begin();
  while (i != a.m_intervals.end() && j != b.m_intervals.end()) {
    const Interval common{std::max(i->start, j->start), std::min(i->end, j->end)};
    if (!common.empty()) out.push_back(common);
    if (i->end < j->end) {
      ++i;
    } else {
      ++j;
    }
  }
  return IntervalSet::fromDisjoint(std::move(out));
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b) {
  std::vector<Interval> out;
  auto cut = b.m_intervals.begin();
  for (Interval rest : a.m_intervals) {
    while (cut != b.m_intervals.end() && cut->end <= rest.start) ++cut;
    for (auto it = cut; it != b.m_intervals.end() && it->start < rest.end; ++it) {
      if (it->start > rest.start) out.push_back({rest.start, it->start});
      rest.start = it->end;
    }
    if (!rest.empty()) out.push_back(rest);
  }
  return IntervalSet::fromDisjoint(std::move(out));
}

std::vector<Interval> longest(const IntervalSet& set, std::size_t count) {
  std::vector<Interval> sorted = set.intervals();
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(count, sorted.size()));
  std::partial_sort(sorted.begin(), middle, sorted.end(), [](const Interval& x, const Interval& y) {
    return x.length() != y.length() ? x.length() > y.length() : x.start < y.start;
  });
  sorted.erase(middle, sorted.end());
  return sorted;
}

}  // namespace threewalls::analysis

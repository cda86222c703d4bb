#pragma once

#include "base/units.h"

#include <cstddef>
#include <vector>

namespace threewalls::analysis {

/// A set of points in time as sorted, disjoint, non-touching half-open intervals. Empty intervals vanish.
class IntervalSet {
 public:
  IntervalSet() = default;
  /// Union of intervals in any order.
  explicit IntervalSet(std::vector<base::Interval> intervals);

  const std::vector<base::Interval>& intervals() const { return m_intervals; }
  bool empty() const { return m_intervals.empty(); }
  base::Nanoseconds total() const;
  /// Length of the part inside `range`, in O(log n).
  base::Nanoseconds totalWithin(base::Interval range) const;
  IntervalSet clipped(base::Interval range) const;

  /// In O(|a| + |b|) each.
  friend IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);
  bool operator==(const IntervalSet& other) const { return m_intervals == other.m_intervals; }

 private:
  /// Takes intervals that already are sorted, disjoint, non-touching and not empty.
  static IntervalSet fromDisjoint(std::vector<base::Interval> intervals);
  void finish();
  base::Nanoseconds totalBefore(base::Nanoseconds time) const;

  std::vector<base::Interval> m_intervals;
  std::vector<base::Nanoseconds> m_before;  ///< total length of all intervals before each
};

IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);

/// The `count` longest intervals of a set, longest first, the earlier one first among equals.
std::vector<base::Interval> longest(const IntervalSet& set, std::size_t count);

}  // namespace threewalls::analysis

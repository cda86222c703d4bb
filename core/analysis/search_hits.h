#pragma once

#include "analysis/search_query.h"
#include "base/units.h"
#include "trace/trace.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace threewalls::analysis {

/// Where a search looks.
struct SearchScope {
  std::optional<base::Interval> range;  ///< events that overlap it; none: the whole trace
  bool gpuStreamsOnly = false;
};

/// The events that a search found, ordered by (start, lane, sub-lane, index): 4 bytes a hit. Kept by sub-lane, where they already
/// are in that order; questions on the whole cost the number of sub-lanes with hits times the logarithm of theirs.
class SearchHits {
 public:
  /// Hits of one sub-lane: indices of its events, ascending.
  struct Row {
    trace::LaneId lane{0};
    std::uint32_t subLane = 0;
    std::vector<std::uint32_t> events;
  };

  SearchHits(std::shared_ptr<const trace::Trace> trace, std::vector<Row> rows, std::size_t names);

  const trace::Trace& trace() const { return *m_trace; }
  std::size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  /// Distinct names that the query means, whether or not an event of the scope has one.
  std::size_t names() const { return m_names; }
  /// Only sub-lanes with hits, by (lane, sub-lane).
  const std::vector<Row>& rows() const { return m_rows; }
  /// Hits of one sub-lane; empty when it has none.
  std::span<const std::uint32_t> in(trace::LaneId lane, std::uint32_t subLane) const;

  bool contains(const trace::EventRef& event) const;
  /// Hits before an event, which need not be one.
  std::size_t rank(const trace::EventRef& event) const;
  /// The hit with `rank` hits before it, rank < size().
  trace::EventRef at(std::size_t rank) const;
  /// The first hit after an event, which need not be one, and the last before it; none when there is no more.
  std::optional<trace::EventRef> after(const trace::EventRef& event) const;
  std::optional<trace::EventRef> before(const trace::EventRef& event) const;
  /// The first hit that starts at or after a time.
  std::optional<trace::EventRef> from(base::Nanoseconds time) const;
  /// For each of `buckets` equal parts of `range`: how many hits start there.
  std::vector<std::uint32_t> density(base::Interval range, std::size_t buckets) const;

 private:
  std::size_t startingBefore(const Row& row, base::Nanoseconds time) const;
  std::size_t placeIn(const Row& row, const trace::EventRef& event) const;
  trace::EventRef event(const Row& row, std::size_t place) const { return {row.lane, row.subLane, row.events[place]}; }
  bool less(const trace::EventRef& a, const trace::EventRef& b) const;

  std::shared_ptr<const trace::Trace> m_trace;
  std::vector<Row> m_rows;
  std::size_t m_size = 0;
  std::size_t m_names = 0;
};

/// All events of a trace whose name is one that the query means. Errors as matchingNames.
base::Result<SearchHits> search(std::shared_ptr<const trace::Trace> trace, const SearchQuery& query,
                                const SearchScope& scope = {}, const base::Progress& progress = {});

}  // namespace threewalls::analysis

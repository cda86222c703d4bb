#include "analysis/search_hits.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace threewalls::analysis {

using base::Nanoseconds;
using trace::EventRef;

namespace {

/// Events looked at between two questions whether to stop.
constexpr std::uint32_t kChunk = 4096;

}  // namespace

SearchHits::SearchHits(std::shared_ptr<const trace::Trace> trace, std::vector<Row> rows, std::size_t names)
    : m_trace(std::move(trace)), m_rows(std::move(rows)), m_names(names) {
  for (const Row& row : m_rows) m_size += row.events.size();
}

std::span<const std::uint32_t> SearchHits::in(trace::LaneId lane, std::uint32_t subLane) const {
  const auto row = std::lower_bound(m_rows.begin(), m_rows.end(), std::pair(lane, subLane),
                                    [](const Row& r, const auto& key) { return std::pair(r.lane, r.subLane) < key; });
  if (row == m_rows.end() || row->lane != lane || row->subLane != subLane) return {};
  return row->events;
}

bool SearchHits::less(const EventRef& a, const EventRef& b) const {
  return std::tuple(m_trace->interval(a).start, a) < std::tuple(m_trace->interval(b).start, b);
}

bool SearchHits::contains(const EventRef& event) const {
  const auto hits = in(event.lane, event.subLane);
  return std::binary_search(hits.begin(), hits.end(), event.index);
}

std::size_t SearchHits::startingBefore(const Row& row, Nanoseconds time) const {
  const trace::SubLane& lane = m_trace->lane(row.lane).subLanes[row.subLane];
  return static_cast<std::size_t>(
      std::partition_point(row.events.begin(), row.events.end(), [&](std::uint32_t i) { return lane.start(i) < time; }) -
      row.events.begin());
}

/// Hits of a row before an event of any row.
std::size_t SearchHits::placeIn(const Row& row, const EventRef& event) const {
  return static_cast<std::size_t>(std::partition_point(row.events.begin(), row.events.end(),
                                                       [&](std::uint32_t i) {
                                                         return less({row.lane, row.subLane, i}, event);
                                                       }) -
                                  row.events.begin());
}

std::size_t SearchHits::rank(const EventRef& event) const {
  std::size_t before = 0;
  for (const Row& row : m_rows) before += placeIn(row, event);
  return before;
}

EventRef SearchHits::at(std::size_t rank) const {
  const auto count = [&](Nanoseconds time) {
    std::size_t before = 0;
    for (const Row& row : m_rows) before += startingBefore(row, time);
    return before;
  };
  // The last time with at most `rank` hits before it is the start of the one that is asked for.
  std::int64_t low = m_trace->span().start.count();
  std::int64_t high = m_trace->span().end.count();
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (count(Nanoseconds(middle)) <= rank) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  // Hits that start together stand by row.
  std::size_t left = rank - count(Nanoseconds(low));
  for (const Row& row : m_rows) {
    const std::size_t first = startingBefore(row, Nanoseconds(low));
    const std::size_t here = startingBefore(row, Nanoseconds(low + 1)) - first;
    if (left < here) return event(row, first + left);
    left -= here;
  }
  return {};
}

std::optional<EventRef> SearchHits::after(const EventRef& from) const {
  std::optional<EventRef> best;
  for (const Row& row : m_rows) {
    std::size_t place = placeIn(row, from);
    if (place < row.events.size() && event(row, place) == from) ++place;
    if (place == row.events.size()) continue;
    const EventRef candidate = event(row, place);
    if (!best || less(candidate, *best)) best = candidate;
  }
  return best;
}

std::optional<EventRef> SearchHits::before(const EventRef& from) const {
  std::optional<EventRef> best;
  for (const Row& row : m_rows) {
    const std::size_t place = placeIn(row, from);
    if (place == 0) continue;
    const EventRef candidate = event(row, place - 1);
    if (!best || less(*best, candidate)) best = candidate;
  }
  return best;
}

std::optional<EventRef> SearchHits::from(Nanoseconds time) const {
  std::optional<EventRef> best;
  for (const Row& row : m_rows) {
    const std::size_t place = startingBefore(row, time);
    if (place == row.events.size()) continue;
    const EventRef candidate = event(row, place);
    if (!best || less(candidate, *best)) best = candidate;
  }
  return best;
}

std::vector<std::uint32_t> SearchHits::density(base::Interval range, std::size_t buckets) const {
  std::vector<std::uint32_t> out(buckets);
  if (range.empty() || buckets == 0) return out;
  const double size = static_cast<double>(range.length().count()) / static_cast<double>(buckets);
  const auto edge = [&](std::size_t k) {
    return range.start + Nanoseconds(static_cast<std::int64_t>(static_cast<double>(k) * size + 0.5));
  };
  const auto bucketOf = [&](Nanoseconds start) {
    auto k = std::min(static_cast<std::size_t>(static_cast<double>((start - range.start).count()) / size), buckets - 1);
    while (k > 0 && start < edge(k)) --k;
    while (k + 1 < buckets && start >= edge(k + 1)) ++k;
    return k;
  };
  for (const Row& row : m_rows) {
    const trace::SubLane& lane = m_trace->lane(row.lane).subLanes[row.subLane];
    const std::size_t last = startingBefore(row, range.end);
    std::size_t place = startingBefore(row, range.start);
    // From bucket to bucket: a row costs what it has, or one search for each bucket that it fills.
    while (place < last) {
      const std::size_t k = bucketOf(lane.start(row.events[place]));
      const Nanoseconds end = k + 1 < buckets ? edge(k + 1) : range.end;
      std::size_t stride = 1;
      std::size_t next = place + 1;
      while (next < last && lane.start(row.events[next]) < end) {
        next = std::min(next + stride, last);
        stride *= 2;
      }
      const auto from = row.events.begin() + static_cast<std::ptrdiff_t>(place);
      const auto to = row.events.begin() + static_cast<std::ptrdiff_t>(next);
      const auto found = std::partition_point(from, to, [&](std::uint32_t i) { return lane.start(i) < end; });
      out[k] += static_cast<std::uint32_t>(found - from);
      place += static_cast<std::size_t>(found - from);
    }
  }
  return out;
}

base::Result<SearchHits> search(std::shared_ptr<const trace::Trace> trace, const SearchQuery& query, const SearchScope& scope,
                                const base::Progress& progress) {
  const auto names = matchingNames(trace->names(), query, progress);
  if (!names) return base::fail(names.error());
  std::vector<SearchHits::Row> rows;
  if (names->empty()) return SearchHits(std::move(trace), {}, 0);
  std::array<std::uint32_t, kChunk> found;
  for (std::size_t l = 0; l < trace->lanes().size(); ++l) {
    const trace::Lane& lane = trace->lanes()[l];
    if (scope.gpuStreamsOnly && lane.key.kind != trace::LaneKind::GpuStream) continue;
    for (std::size_t s = 0; s < lane.subLanes.size(); ++s) {
      const trace::SubLane& sub = lane.subLanes[s];
      const auto ids = sub.names();
      std::uint32_t first = scope.range ? sub.firstEndingAfter(scope.range->start) : 0;
      const std::uint32_t last = scope.range ? std::max(first, sub.firstStartingAt(scope.range->end)) : sub.size();
      SearchHits::Row row{trace::LaneId(static_cast<std::uint32_t>(l)), static_cast<std::uint32_t>(s), {}};
      for (; first < last; first += kChunk) {
        if (progress.stopRequested()) {
          return base::fail({.code = base::ErrorCode::Cancelled, .message = "The search was cancelled"});
        }
        // Written always and counted on a hit: no branch to mispredict, however the hits lie.
        std::size_t count = 0;
        const std::uint32_t end = std::min(last, first + kChunk);
        for (std::uint32_t i = first; i < end; ++i) {
          found[count] = i;
          count += names->contains(ids[i]) ? 1 : 0;
        }
        row.events.insert(row.events.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
      }
      if (!row.events.empty()) rows.push_back(std::move(row));
    }
  }
  return SearchHits(std::move(trace), std::move(rows), names->size());
}

}  // namespace threewalls::analysis

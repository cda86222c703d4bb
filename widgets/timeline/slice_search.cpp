#include "timeline/slice_search.h"

#include "timeline/lane_pixels.h"

#include <algorithm>
#include <tuple>

namespace threewalls::timeline {
namespace {

using base::Nanoseconds;
using trace::EventRef;
using trace::Trace;

/// A short stretch is looked through one by one.
constexpr std::uint32_t kScan = 32;

/// Order of events of one lane: by start, outer before inner.
using Place = std::tuple<Nanoseconds, std::uint32_t, std::uint32_t>;

Place place(const Trace& trace, const EventRef& event) {
  return {trace.subLane(event).start(event.index), event.subLane, event.index};
}

}  // namespace

std::optional<std::vector<std::uint32_t>> longEvents(const trace::SubLane& lane, base::Interval range, Nanoseconds minimum,
                                                     std::size_t cap) {
  std::vector<std::uint32_t> found;
  if (range.empty()) return found;
  const auto take = [&](std::uint32_t i) {
    found.push_back(i);
    return found.size() <= cap;
  };
  // Stretches still to look at, the leftmost last.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{
      {lane.firstEndingAfter(range.start), lane.firstStartingAt(range.end)}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    if (first >= last) continue;
    if (last - first <= kScan) {
      for (std::uint32_t i = first; i < last; ++i) {
        if (lane.duration(i) >= minimum && !take(i)) return std::nullopt;
      }
      continue;
    }
    const trace::RangeSummary summary = lane.summary(first, last);
    if (summary.longest < minimum) continue;
    open.emplace_back(summary.longestIndex + 1, last);
    open.emplace_back(summary.longestIndex, summary.longestIndex + 1);
    open.emplace_back(first, summary.longestIndex);
  }
  return found;
}

std::optional<std::uint32_t> longestWithin(const trace::SubLane& lane, base::Interval range) {
  BucketCursor cursor(lane);
  const BucketShare share = cursor.next(range.start, std::max(range.end, range.start + Nanoseconds(1)));
  if (share.count == 0) return std::nullopt;
  return share.longest;
}

std::optional<std::uint32_t> nearest(const trace::SubLane& lane, Nanoseconds time) {
  if (lane.size() == 0) return std::nullopt;
  const std::uint32_t after = std::min(lane.firstEndingAfter(time), lane.size() - 1);
  if (after == 0 || lane.start(after) <= time) return after;
  return time - lane.end(after - 1) < lane.start(after) - time ? after - 1 : after;
}

std::optional<EventRef> neighbourOfSameName(const Trace& trace, const EventRef& event, int direction) {
  const trace::Lane& lane = trace.lane(event.lane);
  const trace::NameId name = trace.subLane(event).name(event.index);
  const Nanoseconds start = trace.subLane(event).start(event.index);
  const Place from = place(trace, event);
  std::optional<EventRef> best;
  for (std::uint32_t k = 0; k < lane.subLanes.size(); ++k) {
    const trace::SubLane& sub = lane.subLanes[k];
    std::int64_t i = sub.firstStartingAt(start);
    if (direction < 0) {
      while (i < sub.size() && sub.start(static_cast<std::uint32_t>(i)) == start) ++i;
      --i;
    }
    for (; i >= 0 && i < sub.size(); i += direction) {
      const EventRef candidate{event.lane, k, static_cast<std::uint32_t>(i)};
      const Place at = place(trace, candidate);
      // Beyond what another sub-lane has offered there is nothing closer.
      if (best && (direction > 0 ? at > place(trace, *best) : at < place(trace, *best))) break;
      if (sub.name(candidate.index) != name || (direction > 0 ? at <= from : at >= from)) continue;
      best = candidate;
      break;
    }
  }
  return best;
}

}  // namespace threewalls::timeline

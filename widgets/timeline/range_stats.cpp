#include "timeline/range_stats.h"

#include <algorithm>

namespace threewalls::timeline {
namespace {

/// `total` shared by `count` GPUs, each part for itself: the parts still add up to within a nanosecond each.
analysis::Ledger mean(analysis::Ledger total, std::size_t count) {
  if (count <= 1) return total;
  const auto n = static_cast<std::int64_t>(count);
  for (base::Nanoseconds* part : {&total.duration, &total.compute, &total.graph, &total.communication, &total.hidden,
                                  &total.exposed, &total.memory, &total.idle, &total.hostBoundIdle, &total.profilerIdle}) {
    *part /= n;
  }
  return total;
}

}  // namespace

RangeStats rangeStats(const analysis::Analysis& analysis, base::Interval range, std::uint64_t mostEvents) {
  RangeStats out;
  if (range.empty()) return out;
  const trace::Trace& trace = *analysis.trace;
  analysis::Ledger total;
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    total += lane.occupancy.ledger(range);
    ++out.gpus;
  }
  out.ledger = mean(total, out.gpus);

  std::vector<std::pair<const trace::SubLane*, trace::RangeSummary>> parts;
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.key.kind != trace::LaneKind::GpuStream) continue;
    for (const trace::SubLane& sub : lane.subLanes) {
      parts.emplace_back(&sub, sub.summary(range));
      out.count += parts.back().second.count;
    }
  }
  if (out.count > mostEvents) return out;

  std::vector<NameTime> byName(trace.names().size());
  for (const auto& [sub, summary] : parts) {
    const std::uint32_t first = sub->firstEndingAfter(range.start);
    for (std::uint32_t i = first; i < first + summary.count; ++i) {
      NameTime& entry = byName[trace::index(sub->name(i))];
      entry.name = sub->name(i);
      entry.sum += std::max(base::Nanoseconds(0), std::min(sub->end(i), range.end) - std::max(sub->start(i), range.start));
      ++entry.count;
    }
  }
  std::erase_if(byName, [](const NameTime& entry) { return entry.count == 0; });
  std::stable_sort(byName.begin(), byName.end(), [](const NameTime& a, const NameTime& b) { return a.sum > b.sum; });
  out.names = std::move(byName);
  return out;
}

}  // namespace threewalls::timeline

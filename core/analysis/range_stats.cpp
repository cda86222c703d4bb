#include "analysis/range_stats.h"

#include "trace/stop_check.h"

#include <algorithm>

namespace threewalls::analysis {
namespace {

using base::Interval;
using base::Nanoseconds;

/// `total` shared by `count` GPUs, each part for itself: the parts still add up to within a nanosecond each.
Ledger mean(Ledger total, std::size_t count) {
  if (count <= 1) return total;
  const auto n = static_cast<std::int64_t>(count);
  for (Nanoseconds* part : {&total.duration, &total.compute, &total.graph, &total.communication, &total.hidden, &total.exposed,
                            &total.memory, &total.idle, &total.hostBoundIdle, &total.profilerIdle}) {
    *part /= n;
  }
  return total;
}

/// Calls `visit(subLane, first, count)` with the events of each GPU row that overlap `range`.
template <class Visit>
void forEachGpuRow(const trace::Trace& trace, Interval range, const Visit& visit) {
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.key.kind != trace::LaneKind::GpuStream) continue;
    for (const trace::SubLane& row : lane.subLanes) visit(row, row.firstEndingAfter(range.start), row.summary(range).count);
  }
}

}  // namespace

RangeStats rangeStats(const Analysis& analysis, Interval range) {
  RangeStats out;
  if (range.empty()) return out;
  Ledger total;
  for (const DeviceLane& lane : analysis.lanes) {
    total += lane.occupancy.ledger(range);
    ++out.gpus;
  }
  out.ledger = mean(total, out.gpus);
  forEachGpuRow(*analysis.trace, range, [&](const trace::SubLane&, std::uint32_t, std::uint64_t count) { out.count += count; });
  return out;
}

base::Result<std::vector<NameTime>> timesByName(const trace::Trace& trace, Interval range, const base::Progress& progress) {
  if (range.empty()) return std::vector<NameTime>{};
  std::vector<NameTime> byName(trace.names().size());
  const trace::StopCheck check(progress);
  try {
    forEachGpuRow(trace, range, [&](const trace::SubLane& row, std::uint32_t first, std::uint64_t count) {
      for (std::uint32_t i = first; i < first + count; ++i) {
        check.tick();
        NameTime& entry = byName[trace::index(row.name(i))];
        entry.name = row.name(i);
        entry.sum += std::max(Nanoseconds(0), std::min(row.end(i), range.end) - std::max(row.start(i), range.start));
        ++entry.count;
      }
    });
  } catch (const trace::StopCheck::Stopped&) {
    return base::fail({base::ErrorCode::Cancelled, "Cancelled."});
  }
  std::erase_if(byName, [](const NameTime& entry) { return entry.count == 0; });
  std::stable_sort(byName.begin(), byName.end(), [](const NameTime& a, const NameTime& b) { return a.sum > b.sum; });
  return byName;
}

}  // namespace threewalls::analysis

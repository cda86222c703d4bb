#include "analysis/analysis.h"
#include "analysis/gpu_events.h"

#include <algorithm>

namespace threewalls::analysis {
namespace {

using base::Interval;
using base::Nanoseconds;

bool startsInside(const std::vector<Interval>& ranges, Nanoseconds time) {
  const auto after =
      std::partition_point(ranges.begin(), ranges.end(), [time](const Interval& range) { return range.start <= time; });
  return after != ranges.begin() && time < (after - 1)->end;
}

}  // namespace

std::vector<KernelRow> kernelRows(const trace::Trace& trace, const Classification& classes,
                                  const std::vector<trace::LaneId>& streams, const std::vector<Interval>& ranges) {
  std::vector<KernelRow> byName(trace.names().size());
  forEachGpuEvent(trace, streams, [&](const GpuEvent& event) {
    if (!startsInside(ranges, event.interval.start)) return;
    KernelRow& row = byName[trace::index(event.name)];
    ++row.count;
    row.sum += event.interval.length();
    row.max = std::max(row.max, event.interval.length());
  });
  std::vector<KernelRow> rows;
  for (std::size_t i = 0; i < byName.size(); ++i) {
    if (byName[i].count == 0) continue;
    rows.push_back(byName[i]);
    rows.back().name = trace::NameId(i);
    rows.back().classId = classes.of(rows.back().name);
  }
  return rows;
}

std::vector<ClassRow> classRows(const trace::Trace& trace, const Classification& classes,
                                const std::vector<trace::LaneId>& streams, const std::vector<Interval>& ranges) {
  const std::size_t classCount = classes.table().classes().size();
  std::vector<ClassRow> byClass(classCount);
  std::vector<std::vector<Interval>> intervals(classCount);
  forEachGpuEvent(trace, streams, [&](const GpuEvent& event) {
    const ClassId id = classes.of(event.name);
    intervals[id].push_back(event.interval);
    if (!startsInside(ranges, event.interval.start)) return;
    ++byClass[id].count;
    byClass[id].sum += event.interval.length();
  });
  std::vector<ClassRow> rows;
  for (std::size_t i = 0; i < classCount; ++i) {
    if (byClass[i].count == 0) continue;
    rows.push_back(byClass[i]);
    rows.back().classId = static_cast<ClassId>(i);
    const IntervalSet busy(std::move(intervals[i]));
    for (const Interval& range : ranges) rows.back().unionTime += busy.totalWithin(range);
  }
  return rows;
}

void mergeRows(std::vector<KernelRow>& into, const std::vector<KernelRow>& more) {
  for (const KernelRow& row : more) {
    const auto same = std::find_if(into.begin(), into.end(), [&](const KernelRow& other) { return other.name == row.name; });
    if (same == into.end()) {
      into.push_back(row);
      continue;
    }
    same->count += row.count;
    same->sum += row.sum;
    same->max = std::max(same->max, row.max);
  }
  std::stable_sort(into.begin(), into.end(), [](const KernelRow& x, const KernelRow& y) { return x.sum > y.sum; });
}

void mergeRows(std::vector<ClassRow>& into, const std::vector<ClassRow>& more) {
  for (const ClassRow& row : more) {
    const auto same = std::find_if(into.begin(), into.end(), [&](const ClassRow& other) { return other.classId == row.classId; });
    if (same == into.end()) {
      into.push_back(row);
      continue;
    }
    same->count += row.count;
    same->sum += row.sum;
    same->unionTime += row.unionTime;
  }
  std::stable_sort(into.begin(), into.end(), [](const ClassRow& x, const ClassRow& y) { return x.sum > y.sum; });
}

}  // namespace threewalls::analysis

#include "analysis/gpu_events.h"
#include "analysis/ledger.h"

#include <algorithm>

namespace threewalls::analysis {
namespace {

using base::Interval;
using base::Nanoseconds;

struct TimedEvent {
  Interval interval;
  Nanoseconds launch;  ///< start of the launch call; kNoLaunchTime when it was not recorded
};

/// Gaps before an event whose launch call began after all earlier events had ended: the device had nothing to do.
IntervalSet gapsThatWaitForTheHost(std::vector<TimedEvent> events) {
  std::sort(events.begin(), events.end(), [](const TimedEvent& x, const TimedEvent& y) {
    return x.interval.start != y.interval.start ? x.interval.start < y.interval.start : x.launch < y.launch;
  });
  std::vector<Interval> gaps;
  Nanoseconds ended = events.empty() ? Nanoseconds{0} : events.front().interval.end;
  for (const TimedEvent& event : events) {
    if (event.interval.start > ended && event.launch != kNoLaunchTime && event.launch >= ended) {
      gaps.push_back({ended, event.interval.start});
    }
    ended = std::max(ended, event.interval.end);
  }
  return IntervalSet(std::move(gaps));
}

/// Rows of the profiler in `process`; in every process where either side does not say whose it is.
IntervalSet overheadRows(const trace::Trace& trace, const std::string& process) {
  std::vector<Interval> rows;
  for (const trace::Lane& lane : trace.lanes()) {
    const bool own = process.empty() || lane.key.process.empty() || lane.key.process == process;
    if (lane.key.kind != trace::LaneKind::Overhead || !own) continue;
    for (const trace::SubLane& subLane : lane.subLanes) {
      for (std::uint32_t i = 0; i < subLane.size(); ++i) {
        if (subLane.kind(i) == trace::EventKind::Overhead) rows.push_back({subLane.start(i), subLane.end(i)});
      }
    }
  }
  return IntervalSet(std::move(rows));
}

}  // namespace

DeviceOccupancy::DeviceOccupancy(const trace::Trace& trace, const std::vector<trace::LaneId>& streams,
                                 const Classification& classes) {
  std::vector<Interval> kernels, graphs, communication, memory;
  std::vector<TimedEvent> events;
  forEachGpuEvent(trace, streams, [&](const GpuEvent& event) {
    events.push_back({event.interval, event.launch});
    if (event.kind == trace::EventKind::GraphSpan) {
      graphs.push_back(event.interval);
    } else if (classes.classOf(event.name).isCommunication) {
      communication.push_back(event.interval);
    } else if (event.kind == trace::EventKind::Kernel) {
      kernels.push_back(event.interval);
    } else {
      memory.push_back(event.interval);
    }
  });
  if (events.empty()) return;

  m_span = events.front().interval;
  for (const TimedEvent& event : events) {
    m_span = {std::min(m_span.start, event.interval.start), std::max(m_span.end, event.interval.end)};
  }
  const IntervalSet k(std::move(kernels));
  const IntervalSet g(std::move(graphs));
  m_compute = unite(k, g);
  m_graphOnly = subtract(g, k);
  m_communication = IntervalSet(std::move(communication));
  m_exposed = subtract(m_communication, m_compute);
  const IntervalSet working = unite(m_compute, m_communication);
  const IntervalSet m(std::move(memory));
  m_memory = subtract(m, working);
  const IntervalSet busy = unite(working, m);
  m_idle = subtract(IntervalSet({m_span}), busy);
  const IntervalSet overhead = overheadRows(trace, trace.lane(streams.front()).key.process);
  // Not cut to the span: a step bounded by markers can begin before the first event of the device.
  m_profilerIdle = subtract(overhead, busy);
  m_hostBoundIdle = subtract(gapsThatWaitForTheHost(std::move(events)), overhead);
}

Ledger DeviceOccupancy::ledger(Interval range) const {
  Ledger out;
  if (range.empty()) return out;
  out.duration = range.length();
  out.compute = m_compute.totalWithin(range);
  out.graph = m_graphOnly.totalWithin(range);
  out.communication = m_communication.totalWithin(range);
  out.exposed = m_exposed.totalWithin(range);
  out.hidden = out.communication - out.exposed;
  out.memory = m_memory.totalWithin(range);
  out.idle = out.duration - out.compute - out.exposed - out.memory;
  out.hostBoundIdle = m_hostBoundIdle.totalWithin(range);
  out.profilerIdle = m_profilerIdle.totalWithin(range);
  return out;
}

}  // namespace threewalls::analysis

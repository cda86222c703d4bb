#include "analysis/range_extract.h"

#include "trace/extract_writer.h"
#include "trace/open.h"
#include "trace/stop_check.h"

#include <algorithm>
#include <set>
#include <utility>

namespace threewalls::analysis {
namespace {

using base::Interval;
using base::Nanoseconds;
using trace::EventRef;

class Selector {
 public:
  Selector(const Analysis& analysis, Interval range, const base::Progress& progress)
      : m_analysis(analysis), m_trace(*analysis.trace), m_range(range), m_check(progress) {}

  RangeSelection run() {
    for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) takeLane(trace::LaneId(static_cast<std::uint32_t>(l)));
    for (const DeviceLane& lane : m_analysis.lanes) takeNeighbours(lane);
    takeSteps();
    takeLaunches();
    m_out.atTheEdges = m_outside.size() - m_out.launchesBefore;
    m_out.events.insert(m_out.events.end(), m_outside.begin(), m_outside.end());
    return std::move(m_out);
  }

 private:
  struct Stretch {
    std::uint32_t first, end;
  };

  /// Events of a row that overlap the range or lie in it without length.
  Stretch inRange(const trace::SubLane& row) const {
    std::uint32_t first = row.firstEndingAfter(m_range.start);
    while (first > 0 && row.start(first - 1) >= m_range.start) --first;
    return {first, std::max(first, row.firstStartingAt(m_range.end))};
  }

  void takeLane(trace::LaneId lane) {
    const auto& rows = m_trace.lane(lane).subLanes;
    for (std::uint32_t s = 0; s < rows.size(); ++s) {
      const Stretch stretch = inRange(rows[s]);
      for (std::uint32_t i = stretch.first; i < stretch.end; ++i) {
        m_check.tick();
        m_out.events.push_back({lane, s, i});
        m_out.gpuEvents += trace::isGpuEvent(rows[s].kind(i)) ? 1 : 0;
      }
    }
  }

  void takeOutside(const EventRef& event) {
    const Interval time = m_trace.interval(event);
    const bool inside = time.start < m_range.end && (time.end > m_range.start || time.start >= m_range.start);
    if (!inside) m_outside.insert(event);
  }

  /// All GPU events of a lane that start at `time`.
  void takeStartingAt(const DeviceLane& lane, Nanoseconds time) {
    for (const trace::LaneId id : lane.streams) {
      const auto& rows = m_trace.lane(id).subLanes;
      for (std::uint32_t s = 0; s < rows.size(); ++s) {
        for (std::uint32_t i = rows[s].firstStartingAt(time); i < rows[s].size() && rows[s].start(i) == time; ++i) {
          if (trace::isGpuEvent(rows[s].kind(i))) takeOutside({id, s, i});
        }
      }
    }
  }

  void takeNeighbours(const DeviceLane& lane) {
    std::optional<std::pair<Nanoseconds, EventRef>> before;
    std::optional<Nanoseconds> after;
    for (const trace::LaneId id : lane.streams) {
      const auto& rows = m_trace.lane(id).subLanes;
      for (std::uint32_t s = 0; s < rows.size(); ++s) {
        const auto gpu = [&](std::uint32_t i) { return trace::isGpuEvent(rows[s].kind(i)); };
        const Stretch stretch = inRange(rows[s]);
        std::uint32_t left = stretch.first;
        while (left > 0 && !gpu(left - 1)) --left;
        if (left > 0 && (!before || rows[s].end(left - 1) > before->first)) before = {rows[s].end(left - 1), {id, s, left - 1}};
        std::uint32_t right = stretch.end;
        while (right < rows[s].size() && !gpu(right)) ++right;
        if (right < rows[s].size()) after = std::min(after.value_or(rows[s].start(right)), rows[s].start(right));
      }
    }
    if (before) takeOutside(before->second);
    if (after) takeStartingAt(lane, *after);
  }

  /// A step ends where the next one starts.
  void takeSteps() {
    std::set<std::string_view> wanted;
    for (const DeviceLane& lane : m_analysis.lanes) {
      for (std::size_t i = 0; i < lane.steps.size(); ++i) {
        const Step& step = lane.steps[i];
        if (step.interval.start >= m_range.end || step.interval.end <= m_range.start) continue;
        wanted.insert(step.name);
        if (i + 1 == lane.steps.size()) continue;
        wanted.insert(lane.steps[i + 1].name);
        if (lane.steps[i + 1].interval.start >= m_range.end) takeStartingAt(lane, lane.steps[i + 1].interval.start);
      }
    }
    std::set<trace::NameId> names;
    for (std::size_t n = 0; n < m_trace.names().size(); ++n) {
      if (wanted.contains(m_trace.names()[trace::NameId(n)])) names.insert(trace::NameId(n));
    }
    if (names.empty()) return;
    for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) {
      const trace::Lane& lane = m_trace.lanes()[l];
      if (lane.key.kind != trace::LaneKind::HostThread && lane.key.kind != trace::LaneKind::GpuAnnotation) continue;
      for (std::uint32_t s = 0; s < lane.subLanes.size(); ++s) {
        const auto all = lane.subLanes[s].names();
        for (std::uint32_t i = 0; i < all.size(); ++i) {
          m_check.tick();
          if (names.contains(all[i])) takeOutside({trace::LaneId(static_cast<std::uint32_t>(l)), s, i});
        }
      }
    }
  }

  void takeLaunches() {
    std::set<EventRef> calls;
    const auto take = [&](const EventRef& event) {
      m_check.tick();
      if (const auto call = m_trace.launchOf(event)) calls.insert(*call);
    };
    for (const EventRef& event : m_out.events) take(event);
    for (const EventRef& event : m_outside) take(event);
    const std::size_t others = m_outside.size();
    for (const EventRef& call : calls) takeOutside(call);
    m_out.launchesBefore = m_outside.size() - others;
  }

  const Analysis& m_analysis;
  const trace::Trace& m_trace;
  Interval m_range;
  trace::StopCheck m_check;
  RangeSelection m_out;
  std::set<EventRef> m_outside;
};

base::Error cancelled() {
  return {base::ErrorCode::Cancelled, "Saving the range was cancelled."};
}

bool sameLedgers(const Analysis& whole, const Analysis& part, Interval range) {
  return std::equal(whole.lanes.begin(), whole.lanes.end(), part.lanes.begin(), part.lanes.end(),
                    [range](const DeviceLane& x, const DeviceLane& y) {
                      return x.process == y.process && x.device == y.device &&
                             x.occupancy.ledger(range) == y.occupancy.ledger(range);
                    });
}

}  // namespace

base::Result<RangeSelection> selectRange(const Analysis& analysis, Interval range, const base::Progress& progress) {
  try {
    return Selector(analysis, range, progress).run();
  } catch (const trace::StopCheck::Stopped&) {
    return base::fail(cancelled());
  }
}

base::Result<RangeExtract> extractRange(const Analysis& analysis, Interval range, const std::string& path,
                                        const std::string& program, const base::Progress& progress) {
  const trace::Trace& trace = *analysis.trace;
  if (range.empty())
    return base::fail({base::ErrorCode::InvalidArgument, "The range is empty: its end must lie behind its start."});
  if (range.start >= trace.span().end || range.end <= trace.span().start) {
    return base::fail({base::ErrorCode::InvalidArgument, "The range lies outside the recording.", trace.info().file});
  }
  auto selection = selectRange(analysis, range, progress);
  if (!selection) return base::fail(selection.error());
  auto file = trace::OutputFile::create(path, trace.info().file);
  if (!file) return base::fail(file.error());
  trace::OutputFile& out = **file;

  RangeExtract result;
  result.events = selection->events.size();
  auto written =
      trace::writeExtract(trace, std::exchange(selection->events, {}), {range, program}, out, progress.part(0, 60, 100));
  if (written) written = out.finish();
  if (!written) return base::fail(written.error());
  result.bytes = out.bytes();
  result.selection = std::move(*selection);

  auto again = trace::openTrace(out.temporaryPath(), progress.part(60, 100, 100));
  if (progress.stopRequested()) return base::fail(cancelled());
  if (again) {
    const auto part = analyze(*again);
    result.sameLedger = sameLedgers(analysis, *part, range);
  }
  if (written = out.commit(); !written) return base::fail(written.error());
  return result;
}

std::optional<Interval> stepRange(const Analysis& analysis, std::int64_t number) {
  std::optional<Interval> out;
  for (const DeviceLane& lane : analysis.lanes) {
    for (const Step& step : lane.steps) {
      if (step.number != number) continue;
      if (!out) out = step.interval;
      out = Interval{std::min(out->start, step.interval.start), std::max(out->end, step.interval.end)};
    }
  }
  return out;
}

}  // namespace threewalls::analysis

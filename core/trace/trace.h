#pragma once

#include "base/diagnostics.h"
#include "base/result.h"
#include "base/units.h"
#include "trace/lane.h"
#include "trace/name_table.h"
#include "trace/raw_text.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace threewalls::trace {

struct Device {
  int id = -1;
  std::string name;  ///< may be empty: ROCm writers leave it out
  std::uint64_t memoryBytes = 0;
  int multiprocessors = 0;
};

/// Where a trace comes from and what the file says about itself.
struct TraceInfo {
  std::string file;    ///< path as given
  std::string format;  ///< "kineto", "chrome"
  std::optional<int> rank;
  std::optional<int> worldSize;
  std::vector<Device> devices;
  std::optional<std::int64_t> baseTimeNanoseconds;  ///< Unix time that event times count from, when the file says so
  std::uint64_t fileBytes = 0;                      ///< as stored
  std::uint64_t textBytes = 0;                      ///< plain
  std::string contentHash;                          ///< base::ContentHash of the file as stored
  std::map<std::string, std::string>
      metadata;  ///< further top-level keys as text (cupti_version, trace_id, ...); no host or user names
};

/// One process' recording as columns: immutable, shared between threads.
class Trace {
 public:
  const TraceInfo& info() const { return m_info; }
  const NameTable& names() const { return m_names; }
  const std::vector<Lane>& lanes() const { return m_lanes; }  ///< in display order
  const Lane& lane(LaneId id) const { return m_lanes[index(id)]; }
  const base::Diagnostics& diagnostics() const { return m_diagnostics; }

  /// First start to last end of all events; empty for a trace without events.
  base::Interval span() const { return m_span; }
  std::uint64_t eventCount() const { return m_eventCount; }
  std::uint64_t gpuEventCount() const { return m_gpuEventCount; }
  /// Bytes of columns, pyramids and names.
  std::size_t bytes() const;

  const SubLane& subLane(const EventRef& event) const { return m_lanes[index(event.lane)].subLanes[event.subLane]; }
  base::Interval interval(const EventRef& event) const;
  std::string_view name(const EventRef& event) const { return m_names[subLane(event).name(event.index)]; }
  EventKind kind(const EventRef& event) const { return subLane(event).kind(event.index); }

  /// Calls that launched at least one GPU event; SubLane::launch() indexes it.
  const std::vector<EventRef>& launches() const { return m_launches; }
  /// The call that launched a GPU event; none when it was not recorded.
  std::optional<EventRef> launchOf(const EventRef& gpuEvent) const;
  /// All GPU events of a launch call, by start; several for a graph launch. Scans the GPU lanes.
  std::vector<EventRef> launchedBy(const EventRef& call) const;

  /// The event as it stands in the file; an error for traces that were not read from text.
  base::Result<std::string> rawJson(const EventRef& event) const;

 private:
  friend class TraceBuilder;
  TraceInfo m_info;
  NameTable m_names;
  std::vector<Lane> m_lanes;
  std::vector<EventRef> m_launches;
  base::Diagnostics m_diagnostics;
  base::Interval m_span;
  std::uint64_t m_eventCount = 0;
  std::uint64_t m_gpuEventCount = 0;
  std::shared_ptr<const RawText> m_text;
};

}  // namespace threewalls::trace

#pragma once

#include "trace/nsys/nsys_strings.h"
#include "trace/trace_builder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace threewalls::trace::nsys {

/// Bits of a globalTid or globalPid: host or VM above, process in bits 24-47, thread in bits 0-23.
constexpr std::int64_t processPart(std::int64_t global) {
  return global & ~std::int64_t{0xFFFFFF};
}
constexpr std::int64_t processNumber(std::int64_t global) {
  return (global >> 24) & 0xFFFFFF;
}
constexpr std::int64_t threadNumber(std::int64_t global) {
  return global & 0xFFFFFF;
}

/// Lanes by process, device, stream and thread, with names for people.
class Lanes {
 public:
  Lanes(TraceBuilder& builder, const Strings& strings) : m_builder(builder), m_strings(strings) {}
  void readProcesses(SqliteRows rows);    ///< columns globalPid, name
  void readThreadNames(SqliteRows rows);  ///< columns nameId, globalTid

  /// Lane of a stream or of sync markers; no process when the export does not name one.
  std::uint32_t gpu(LaneKind kind, std::optional<std::int64_t> globalPid, std::int64_t device, std::int64_t stream);
  /// Lane of a host thread; kind is HostThread, Overhead or Other.
  std::uint32_t host(LaneKind kind, std::int64_t globalTid);
  /// Lane for ranges that may begin and end on different threads.
  std::uint32_t processRanges(std::int64_t globalTid);

  /// Rows that were put into a common lane since the file names more lanes than anybody could look at.
  std::uint64_t overflow() const { return m_overflow; }
  /// Sets labels; call once after all events.
  void finish();

 private:
  struct Place {
    LaneKind kind = LaneKind::Other;
    std::optional<std::int64_t> global;
    std::int64_t device = -1;
    std::int64_t thread = 0;
    bool wholeProcess = false;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };
  std::uint32_t lane(Place place);
  std::string processKey(std::int64_t global) const;
  std::string processLabel(std::int64_t global) const;

  TraceBuilder& m_builder;
  const Strings& m_strings;
  std::map<std::int64_t, std::string> m_processNames;
  std::unordered_map<std::int64_t, std::string> m_threadNames;
  std::optional<std::int64_t> m_machine;  ///< upper bits of the first process seen
  std::unordered_map<Place, std::uint32_t, PlaceHash> m_lanes;
  Place m_last;
  std::uint32_t m_lastLane = 0;
  std::uint64_t m_overflow = 0;
};

}  // namespace threewalls::trace::nsys

#pragma once

#include "base/units.h"
#include "trace/event.h"
#include "trace/pyramid.h"

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace threewalls::trace {

/// An event as an importer reads it, before it has a place in a sub-lane.
struct RawEvent {
  std::int64_t start = 0;         ///< ns on the file's clock
  std::int64_t duration = 0;      ///< ns, not negative
  std::uint64_t byteOffset = 0;   ///< of the event's text in the plain file; kNoOffset when there is none
  std::int64_t correlation = -1;  ///< ties a launch call to its GPU events within one correlation space; -1 when there is none
  NameId name{0};
  EventKind kind = EventKind::Other;
  std::uint8_t flags = 0;
};

constexpr std::uint64_t kNoOffset = (std::uint64_t{1} << 40) - 1;
constexpr std::uint32_t kNoLaunch = std::numeric_limits<std::uint32_t>::max();

/// Columns of events that never overlap, sorted by start (so by end, too): 26 bytes an event and the pyramid.
class SubLane {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(m_start.size()); }
  base::Nanoseconds start(std::uint32_t i) const { return base::Nanoseconds(m_start[i]); }
  base::Nanoseconds duration(std::uint32_t i) const;
  base::Nanoseconds end(std::uint32_t i) const { return start(i) + duration(i); }
  NameId name(std::uint32_t i) const { return m_name[i]; }
  EventKind kind(std::uint32_t i) const { return static_cast<EventKind>(m_kindAndFlags[i] & 0x1F); }
  std::uint8_t flags(std::uint32_t i) const { return static_cast<std::uint8_t>(m_kindAndFlags[i] >> 5); }
  /// Index into Trace::launches(): of the call that launched a GPU event, or of this call itself; kNoLaunch when unknown.
  std::uint32_t launch(std::uint32_t i) const { return m_launch[i]; }
  /// Of the event's text in the plain file, or kNoOffset.
  std::uint64_t byteOffset(std::uint32_t i) const;

  /// First event that ends after `time`; size() when there is none.
  std::uint32_t firstEndingAfter(base::Nanoseconds time) const;
  /// First event that starts at or after `time`; size() when there is none.
  std::uint32_t firstStartingAt(base::Nanoseconds time) const;
  /// Summary of whole events [first, last).
  RangeSummary summary(std::uint32_t first, std::uint32_t last) const;
  /// Summary of a stretch of time: `busy` counts only what lies inside `range`; `count` and `longest` are of the events that
  /// overlap it, `longest` with its full duration.
  RangeSummary summary(base::Interval range) const;

  std::span<const NameId> names() const { return m_name; }
  std::span<const std::uint32_t> launches() const { return m_launch; }
  std::size_t bytes() const;

 private:
  friend class TraceBuilder;
  void reserve(std::uint32_t count);
  void append(const RawEvent& event);
  void finish();

  static constexpr std::uint32_t kLong = std::numeric_limits<std::uint32_t>::max();  ///< look in m_longDurations
  std::vector<std::int64_t> m_start;
  std::vector<std::uint32_t> m_duration;
  std::vector<NameId> m_name;
  std::vector<std::uint32_t> m_launch;
  std::vector<std::uint8_t> m_kindAndFlags;
  std::vector<std::uint8_t> m_offsetHigh;  ///< byte offset: 40 bits in two columns
  std::vector<std::uint32_t> m_offsetLow;
  std::vector<std::pair<std::uint32_t, std::int64_t>> m_longDurations;  ///< (index, ns) of 4.29 s and more, by index
  Pyramid m_pyramid;
};

}  // namespace threewalls::trace

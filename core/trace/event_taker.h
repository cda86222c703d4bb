#pragma once

#include "trace/event_fields.h"
#include "trace/piece_events.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace threewalls::trace {

struct EventOptions {
  std::int64_t originMicroseconds = 0;  ///< subtracted from every time
  bool keepFlows = false;               ///< launch flows are needed only where GPU events lack a correlation
};

/// Makes events, marks, labels and flows of the fields of events, and finds their lanes.
class EventTaker {
 public:
  explicit EventTaker(const EventOptions& options) : m_options(options) {}

  /// What follows stands in `text`, `offset` bytes into the file, and goes into `out`.
  void begin(const char* text, std::uint64_t offset, PieceEvents& out);
  void take(const EventFields& fields);

 private:
  struct LaneCache {
    std::string_view process;
    std::string_view thread;
    LaneKind kind = LaneKind::Other;
    std::uint32_t lane = 0;
    bool filled = false;
  };

  void takeComplete(const EventFields& fields);
  void takeMark(const EventFields& fields);
  void takeLabel(const EventFields& fields);
  void takeFlow(const EventFields& fields);
  bool readTime(std::string_view token, std::int64_t origin, const EventFields& fields, std::int64_t& out);
  std::uint32_t laneFor(LaneKind kind, std::string_view process, std::string_view thread);
  std::uint64_t placeOf(const char* at) const { return m_offset + static_cast<std::uint64_t>(at - m_text); }

  EventOptions m_options;
  const char* m_text = nullptr;
  std::uint64_t m_offset = 0;
  PieceEvents* m_out = nullptr;
  std::array<LaneCache, 64> m_cache;                        ///< by tokens as they stand in the text
  std::unordered_map<std::string, std::uint32_t> m_laneOf;  ///< by kind, process and thread
};

}  // namespace threewalls::trace

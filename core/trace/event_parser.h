#pragma once

#include "trace/event_category.h"
#include "trace/piece_events.h"

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace threewalls::trace {

/// How a piece of the event list was read.
struct ParseOutcome {
  enum class Status : std::uint8_t {
    Complete,    ///< all of it: the text begins and ends between two events
    ArrayEnded,  ///< the list's own closing bracket stands at `end`
    BadText,     ///< control characters or bytes that are no UTF-8: repairText helps
    Failed,      ///< damaged, or not cut between two events
  };
  Status status = Status::Failed;
  std::size_t end = 0;
};

/// Reads the content of an event list with simdjson on demand. One per thread.
class EventParser {
 public:
  struct Options {
    std::int64_t originMicroseconds = 0;  ///< subtracted from every time
    bool keepFlows = false;               ///< launch flows are needed only where GPU events lack a correlation
  };
  static constexpr std::size_t kPadding = simdjson::SIMDJSON_PADDING + 1;

  explicit EventParser(Options options) : m_options(options) {}

  /// `text` holds whole events with commas between them and stands `offset` bytes into the file. The byte before it and kPadding
  /// bytes behind it are overwritten. Adds to `out`, which is of no use unless the status is Complete or ArrayEnded.
  ParseOutcome parse(char* text, std::size_t size, std::uint64_t offset, PieceEvents& out);

 private:
  using Value = simdjson::ondemand::value;
  struct Fields;
  struct LaneCache {
    std::string_view process;
    std::string_view thread;
    LaneKind kind = LaneKind::Other;
    std::uint32_t lane = 0;
    bool filled = false;
  };

  bool readEvent(Value element);
  bool readArguments(Value value, Fields& fields);
  void take(const Fields& fields);
  void takeComplete(const Fields& fields);
  void takeMark(const Fields& fields);
  void takeLabel(const Fields& fields);
  void takeFlow(const Fields& fields);
  bool readTime(std::string_view token, std::int64_t origin, const Fields& fields, std::int64_t& out);
  std::uint32_t laneFor(LaneKind kind, std::string_view process, std::string_view thread);
  std::uint64_t placeOf(const char* at) const { return m_offset + static_cast<std::uint64_t>(at - m_text); }

  Options m_options;
  simdjson::ondemand::parser m_parser;
  const char* m_text = nullptr;
  std::uint64_t m_offset = 0;
  PieceEvents* m_out = nullptr;
  std::array<LaneCache, 64> m_cache;
  std::unordered_map<std::string, std::uint32_t> m_laneOf;  ///< by kind, process and thread
};

}  // namespace threewalls::trace

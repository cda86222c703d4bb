#pragma once

#include "trace/event_taker.h"
#include "trace/piece_events.h"

#include <simdjson.h>

#include <cstddef>
#include <cstdint>

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
  static constexpr std::size_t kPadding = simdjson::SIMDJSON_PADDING + 1;

  explicit EventParser(const EventOptions& options) : m_events(options) {}

  /// `text` holds whole events with commas between them and stands `offset` bytes into the file. The byte before it and kPadding
  /// bytes behind it are overwritten. Adds to `out`, which is of no use unless the status is Complete or ArrayEnded.
  ParseOutcome parse(char* text, std::size_t size, std::uint64_t offset, PieceEvents& out);

 private:
  using Value = simdjson::ondemand::value;

  bool readEvent(Value element);
  bool readArguments(Value value, EventFields& fields);
  std::uint64_t placeOf(const char* at) const { return m_offset + static_cast<std::uint64_t>(at - m_text); }

  EventTaker m_events;
  simdjson::ondemand::parser m_parser;
  const char* m_text = nullptr;
  std::uint64_t m_offset = 0;
  PieceEvents* m_out = nullptr;
};

}  // namespace threewalls::trace

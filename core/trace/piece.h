#pragma once

#include "trace/event_parser.h"
#include "trace/piece_events.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace threewalls::trace {

/// A stretch of the event list with room around it, as EventParser wants it, and what was read from it.
struct Piece {
  enum class Status : std::uint8_t {
    Queued,
    Reading,
    Complete,    ///< `events` holds all of it
    ArrayEnded,  ///< so does it, and the list ends with the bracket at text() + end
    Failed,      ///< not cut between two events, or damaged; to be cut exactly
  };

  char* text() { return m_buffer.get() + 1; }
  std::size_t capacity() const { return m_capacity; }
  /// Makes room for `size` bytes of text, keeping the first `kept`.
  void reserve(std::size_t size, std::size_t kept);

  std::size_t size = 0;
  std::uint64_t offset = 0;  ///< of text() in the file
  bool last = false;         ///< the file ends with it
  bool exact = false;        ///< its cuts are as good as can be had: read what can be read, it never fails
  Status status = Status::Queued;
  std::size_t end = 0;
  PieceEvents events;

 private:
  std::unique_ptr<char[]> m_buffer;
  std::size_t m_capacity = 0;
};

/// Reads the piece into `events`, lanes in LaneOrder, and returns its new status without setting it: who shares the piece between
/// threads does that. Control characters and bad UTF-8 are repaired in place. An exact piece is salvaged
/// event by event where it is damaged.
Piece::Status readPiece(EventParser& parser, Piece& piece);

}  // namespace threewalls::trace

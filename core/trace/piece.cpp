#include "trace/piece.h"

#include "trace/element_scanner.h"
#include "trace/json_repair.h"
#include "trace/sub_lane_split.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace threewalls::trace {
namespace {

using Status = ParseOutcome::Status;

// A damaged event may leave a string open, so that it seems to last to the end of the piece: what one try may look at.
constexpr std::size_t kLargestElement = std::size_t{1} << 20;
constexpr std::size_t kLooksPerByte = 64;

constexpr bool isSeparator(char c) {
  return c == ',' || c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

std::size_t skipSeparators(std::string_view text, std::size_t at) {
  while (at < text.size() && isSeparator(text[at])) ++at;
  return at;
}

/// Whether the ']' at `at` looks like the end of the list: the document goes on with a key or ends.
bool endsList(std::string_view text, std::size_t at) {
  at = skipSeparators(text, at + 1);
  return at == text.size() || text[at] == '"' || text[at] == '}';
}

/// Parses [first, last) of the piece and adds to `events`; the text around it is left as it was.
ParseOutcome parseInto(EventParser& parser, Piece& piece, std::size_t first, std::size_t last, PieceEvents& events) {
  while (last > first && isSeparator(piece.text()[last - 1])) --last;
  char* const text = piece.text() + first;
  const char before = text[-1];
  char behind[EventParser::kPadding];
  std::memcpy(behind, text + (last - first), sizeof(behind));
  ParseOutcome outcome = parser.parse(text, last - first, piece.offset + first, events);
  text[-1] = before;
  std::memcpy(text + (last - first), behind, sizeof(behind));
  outcome.end += first;
  return outcome;
}

void repair(Piece& piece, std::size_t first, std::size_t last, Findings& findings) {
  const TextRepairs repairs = repairText(piece.text() + first, last - first);
  const std::uint64_t offset = piece.offset + first;
  if (repairs.controls > 0) findings.note(Finding::ControlCharacter, offset + *repairs.firstControl, repairs.controls);
  if (repairs.badBytes > 0) findings.note(Finding::InvalidUtf8, offset + *repairs.firstBadByte, repairs.badBytes);
}

/// Parses the first `size` bytes into `piece.events`, repairing the text when that is what it needs.
Piece::Status parseWhole(EventParser& parser, Piece& piece, std::size_t size, bool mayRepair) {
  piece.events = PieceEvents();
  ParseOutcome outcome = parseInto(parser, piece, 0, size, piece.events);
  if (outcome.status == Status::BadText && mayRepair) {
    piece.events = PieceEvents();
    repair(piece, 0, size, piece.events.findings);
    outcome = parseInto(parser, piece, 0, size, piece.events);
  }
  piece.end = outcome.end;
  if (outcome.status == Status::ArrayEnded) return Piece::Status::ArrayEnded;
  return outcome.status == Status::Complete ? Piece::Status::Complete : Piece::Status::Failed;
}

bool parseElement(EventParser& parser, Piece& piece, std::size_t first, std::size_t last) {
  ParseOutcome outcome = parseInto(parser, piece, first, last, piece.events);
  if (outcome.status == Status::BadText) {
    repair(piece, first, last, piece.events.findings);
    outcome = parseInto(parser, piece, first, last, piece.events);
  }
  return outcome.status == Status::Complete;
}

/// Looks for events in damaged text, within a budget: an open string makes an event seem to last for ever.
class EventFinder {
 public:
  explicit EventFinder(std::string_view text) : m_text(text), m_budget(kLooksPerByte * text.size()) {}

  /// Length of the element at `at`; none when it does not end in reach.
  std::optional<std::size_t> length(std::size_t at) {
    const std::size_t look = std::min({m_text.size() - at, kLargestElement, m_budget});
    const auto length = elementEnd(m_text.substr(at, look));
    m_budget -= length.value_or(look);
    return length;
  }

  /// Where the next object behind `at` begins that looks like an event, and not like an object within one.
  std::optional<std::size_t> next(std::size_t at) {
    while (const auto step = guessNextStart(m_text.substr(at))) {
      at += *step;
      const auto size = length(at);
      if (size && m_text.substr(at, *size).find("\"ph\"") != std::string_view::npos) return at;
      if (m_budget == 0) break;
    }
    return std::nullopt;
  }

 private:
  std::string_view m_text;
  std::size_t m_budget;
};

/// Reads a damaged piece event by event: what does not parse is left out, and reading goes on at the next likely event.
Piece::Status salvage(EventParser& parser, Piece& piece) {
  const std::string_view text(piece.text(), piece.size);
  piece.events = PieceEvents();
  EventFinder finder(text);
  std::size_t at = 0;
  while ((at = skipSeparators(text, at)) < text.size()) {
    if (text[at] == ']' && endsList(text, at)) {
      piece.end = at;
      return Piece::Status::ArrayEnded;
    }
    const auto length = finder.length(at);
    if (length && *length > 0 && parseElement(parser, piece, at, at + *length)) {
      at += *length;
      continue;
    }
    const auto next = finder.next(at);
    const bool cutOff = piece.last && !length && !next;
    piece.events.findings.note(cutOff ? Finding::TruncatedText : Finding::DamagedEvent, piece.offset + at);
    if (!next) break;
    at = *next;
  }
  return Piece::Status::Complete;
}

/// A piece that is known to begin between two events, as far as that can be known.
Piece::Status readExactly(EventParser& parser, Piece& piece) {
  const std::string_view text(piece.text(), piece.size);
  const ElementScan scan = scanElements(text);
  const std::size_t size = scan.arrayEnd ? *scan.arrayEnd : piece.last ? scan.lastEnd : text.size();
  const Piece::Status status = parseWhole(parser, piece, size, true);
  if (status == Piece::Status::Failed) return salvage(parser, piece);
  if (scan.arrayEnd) {
    piece.end = *scan.arrayEnd;
    return Piece::Status::ArrayEnded;
  }
  const std::size_t rest = skipSeparators(text, size);
  if (rest == text.size()) return status;
  if (EventFinder(text).next(rest)) return salvage(parser, piece);
  piece.events.findings.note(Finding::TruncatedText, piece.offset + rest);
  return status;
}

}  // namespace

void Piece::reserve(std::size_t wanted, std::size_t kept) {
  if (wanted <= m_capacity) return;
  std::unique_ptr<char[]> wider(new char[wanted + 1 + EventParser::kPadding]);
  if (m_buffer) std::memcpy(wider.get() + 1, text(), kept);
  m_buffer = std::move(wider);
  m_capacity = wanted;
}

Piece::Status readPiece(EventParser& parser, Piece& piece) {
  // The last piece may end in the middle of an event, even of a character: that is no bad UTF-8.
  const Piece::Status status = piece.exact ? readExactly(parser, piece) : parseWhole(parser, piece, piece.size, !piece.last);
  for (PieceLane& lane : piece.events.lanes) {
    if (!std::is_sorted(lane.events.begin(), lane.events.end(), LaneOrder())) {
      std::sort(lane.events.begin(), lane.events.end(), LaneOrder());
    }
  }
  return status;
}

}  // namespace threewalls::trace

#include "trace/event_list_reader.h"

#include "trace/element_scanner.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace threewalls::trace {
namespace {

/// An event longer than this is none: the text is damaged, and is cut wherever it may be.
constexpr std::size_t kLargestEvent = std::size_t{16} << 20;

base::Error cancelled() {
  return {base::ErrorCode::Cancelled, "Opening the trace was cancelled."};
}

}  // namespace

EventListReader::EventListReader(TextSource& source, TraceAssembly& assembly, PiecePool& pool, unsigned threads,
                                 std::size_t pieceBytes)
    : m_source(source), m_assembly(assembly), m_pool(pool), m_inFlight(threads > 1 ? threads + 1 : 1), m_pieceBytes(pieceBytes) {}

base::Result<std::optional<std::uint64_t>> EventListReader::read(std::uint64_t start, const base::Progress& progress) {
  startOver(start);
  m_exact = false;
  while (true) {
    if (progress.stopRequested()) {
      m_pool.discard();
      return base::fail(cancelled());
    }
    progress.report(m_source.storedPosition(), m_source.storedBytes());
    if (!m_atEnd) {
      auto piece = freePiece();
      if (const auto filled = fill(*piece); !filled) {
        m_pool.discard();
        return base::fail(filled.error());
      }
      m_pieces.push_back(std::move(piece));
      m_pool.submit(*m_pieces.back());
    }
    if (m_pieces.size() < m_inFlight && !m_atEnd) continue;
    const Outcome outcome = finishFirst();
    if (outcome.end) return outcome.end;
    if (!outcome.again && m_atEnd && m_pieces.empty()) {
      return std::optional<std::uint64_t>();
    }
  }
}

std::unique_ptr<Piece> EventListReader::freePiece() {
  if (m_free.empty()) return std::make_unique<Piece>();
  std::unique_ptr<Piece> piece = std::move(m_free.back());
  m_free.pop_back();
  return piece;
}

void EventListReader::startOver(std::uint64_t offset) {
  m_pool.discard();
  for (auto& piece : m_pieces) m_free.push_back(std::move(piece));
  m_pieces.clear();
  m_next = offset;
  m_carry.clear();
  m_atEnd = false;
}

base::Result<bool> EventListReader::fill(Piece& piece) {
  piece.offset = m_next;
  piece.exact = m_exact;
  piece.last = false;
  std::size_t held = m_carry.size();
  piece.reserve(std::max(m_pieceBytes, held), 0);
  std::copy(m_carry.begin(), m_carry.end(), piece.text());
  for (std::size_t wanted = std::max(m_pieceBytes, held);; wanted *= 2) {
    piece.reserve(wanted, held);
    const auto got = m_source.read(m_next + held, piece.text() + held, wanted - held);
    if (!got) return base::fail(got.error());
    piece.last = *got < wanted - held;
    held += *got;
    piece.size = held;
    if (piece.last) {
      m_atEnd = true;
      m_carry.clear();
      m_next += held;
      return true;
    }
    const std::size_t end = cut(piece);
    if (end == 0 && wanted < kLargestEvent) continue;
    piece.size = end > 0 ? end : held;
    const std::string_view text(piece.text(), held);
    // The comma behind an event belongs to neither piece.
    std::size_t next = std::min(text.find_first_not_of(" \t\r\n,", piece.size), held);
    m_carry.assign(piece.text() + next, piece.text() + held);
    m_next += next;
    return true;
  }
}

/// Where the piece may end; 0 when it holds no such place.
std::size_t EventListReader::cut(Piece& piece) const {
  const std::string_view text(piece.text(), piece.size);
  if (m_exact) {
    const ElementScan scan = scanElements(text);
    if (scan.arrayEnd) return text.size();  // the piece will say so
    if (scan.lastEnd > 0 || text.size() < kLargestEvent) return scan.lastEnd;
  }
  return guessLastEnd(text).value_or(0);
}

EventListReader::Outcome EventListReader::finishFirst() {
  Piece& piece = *m_pieces.front();
  const Piece::Status status = m_pool.finish(piece);
  if (status == Piece::Status::Failed) {
    m_exact = true;
    startOver(piece.offset);
    return {true, {}};
  }
  m_assembly.add(std::move(piece.events));
  piece.events = PieceEvents();
  if (status == Piece::Status::ArrayEnded) {
    const std::uint64_t end = piece.offset + piece.end + 1;
    startOver(end);
    return {false, end};
  }
  m_free.push_back(std::move(m_pieces.front()));
  m_pieces.pop_front();
  return {};
}

}  // namespace threewalls::trace

#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/piece_pool.h"
#include "trace/text_source.h"
#include "trace/trace_assembly.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace threewalls::trace {

/// Cuts an event list into pieces and has them read in parallel.
///
/// A cut is guessed near the end of a piece and proven by parsing: a piece that begins between two events and parses to its very
/// end also ends between two events, so by induction all cuts are true. A piece that does not (a name holds "},{", or the text is
/// damaged) is cut again, and everything behind it, by following strings and brackets, which is exact but slower.
class EventListReader {
 public:
  EventListReader(TextSource& source, TraceAssembly& assembly, PiecePool& pool, unsigned threads, std::size_t pieceBytes);

  /// Reads the list whose content begins at `start`. Gives the place behind its closing bracket, or none when the file ends
  /// before.
  base::Result<std::optional<std::uint64_t>> read(std::uint64_t start, const base::Progress& progress);

 private:
  struct Outcome {
    bool again = false;                ///< start over at m_next, with exact cuts
    std::optional<std::uint64_t> end;  ///< behind the closing bracket
  };

  base::Result<bool> fill(Piece& piece);
  std::size_t cut(Piece& piece) const;
  Outcome finishFirst();
  std::unique_ptr<Piece> freePiece();
  void startOver(std::uint64_t offset);

  TextSource& m_source;
  TraceAssembly& m_assembly;
  PiecePool& m_pool;
  std::size_t m_inFlight;
  std::size_t m_pieceBytes;
  std::uint64_t m_next = 0;  ///< where the next piece begins
  bool m_exact = false;
  bool m_atEnd = false;                         ///< the last piece was cut
  std::vector<char> m_carry;                    ///< text at m_next that was read already
  std::deque<std::unique_ptr<Piece>> m_pieces;  ///< submitted, in the order of the file
  std::vector<std::unique_ptr<Piece>> m_free;
};

}  // namespace threewalls::trace

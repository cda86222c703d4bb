#pragma once

#include "trace/piece.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace threewalls::trace {

/// Reads pieces on `threads` - 1 threads of its own and on the calling one, whenever that has to wait. A piece is touched by one
/// thread at a time: by the caller before submit() and after finish() or discard(), by the pool in between.
class PiecePool {
 public:
  PiecePool(unsigned threads, const EventOptions& options);
  ~PiecePool();
  PiecePool(const PiecePool&) = delete;
  PiecePool& operator=(const PiecePool&) = delete;

  void submit(Piece& piece);
  /// Returns when `piece` is read; meanwhile reads queued pieces.
  Piece::Status finish(Piece& piece);
  /// Takes all queued pieces back and waits for those that are being read.
  void discard();

 private:
  void work(const EventOptions& options);
  void read(std::unique_lock<std::mutex>& lock, EventParser& parser);

  EventParser m_parser;  ///< of the calling thread
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Piece*> m_queue;
  std::size_t m_reading = 0;
  bool m_stop = false;
  std::vector<std::thread> m_threads;
};

}  // namespace threewalls::trace

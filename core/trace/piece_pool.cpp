#include "trace/piece_pool.h"

namespace threewalls::trace {

PiecePool::PiecePool(unsigned threads, const EventOptions& options) : m_parser(options) {
  for (unsigned i = 1; i < threads; ++i) m_threads.emplace_back([this, options] { work(options); });
}

PiecePool::~PiecePool() {
  discard();
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_changed.notify_all();
  for (std::thread& thread : m_threads) thread.join();
}

void PiecePool::submit(Piece& piece) {
  piece.status = Piece::Status::Queued;
  {
    const std::lock_guard lock(m_mutex);
    m_queue.push_back(&piece);
  }
  m_changed.notify_all();
}

Piece::Status PiecePool::finish(Piece& piece) {
  std::unique_lock lock(m_mutex);
  while (piece.status == Piece::Status::Queued || piece.status == Piece::Status::Reading) {
    if (m_queue.empty()) {
      m_changed.wait(lock);
    } else {
      read(lock, m_parser);
    }
  }
  return piece.status;
}

void PiecePool::discard() {
  std::unique_lock lock(m_mutex);
  m_queue.clear();
  m_changed.wait(lock, [this] { return m_reading == 0; });
}

void PiecePool::work(const EventOptions& options) {
  EventParser parser(options);
  std::unique_lock lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [this] { return m_stop || !m_queue.empty(); });
    if (m_stop) return;
    read(lock, parser);
  }
}

void PiecePool::read(std::unique_lock<std::mutex>& lock, EventParser& parser) {
  Piece& piece = *m_queue.front();
  m_queue.pop_front();
  piece.status = Piece::Status::Reading;
  ++m_reading;
  lock.unlock();
  const Piece::Status status = readPiece(parser, piece);
  lock.lock();
  piece.status = status;
  --m_reading;
  m_changed.notify_all();
}

}  // namespace threewalls::trace

#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <utility>

namespace threewalls::base {

/// What a long call reports to, and asks whether to stop. A default one reports to nobody and never stops.
/// Both members may be called from any thread; the callback must cope with that.
class Progress {
 public:
  using Callback = std::function<void(std::uint64_t done, std::uint64_t total)>;

  Progress() = default;
  Progress(std::stop_token stop, Callback callback) : m_stop(std::move(stop)), m_callback(std::move(callback)) {}

  void report(std::uint64_t done, std::uint64_t total) const {
    if (m_callback) m_callback(done, total);
  }
  bool stopRequested() const { return m_stop.stop_requested(); }
  /// Stands for the part [from, to) of `total` that one of several calls in a row makes up, on the same stop token.
  Progress part(std::uint64_t from, std::uint64_t to, std::uint64_t total) const {
    if (!m_callback) return Progress(m_stop, {});
    return Progress(m_stop, [callback = m_callback, from, to, total](std::uint64_t done, std::uint64_t all) {
      const double share = all == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(all);
      callback(from + static_cast<std::uint64_t>(share * static_cast<double>(to - from)), total);
    });
  }

 private:
  std::stop_token m_stop;
  Callback m_callback;
};

}  // namespace threewalls::base

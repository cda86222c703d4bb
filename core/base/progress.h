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

 private:
  std::stop_token m_stop;
  Callback m_callback;
};

}  // namespace threewalls::base

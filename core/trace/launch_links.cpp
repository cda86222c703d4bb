#include "trace/launch_links.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>

namespace threewalls::trace {
namespace {

/// Correlations are unique within a process only.
struct Call {
  std::uint32_t space = 0;
  std::int64_t correlation = 0;
  std::int64_t start = 0;
  RawEvent* event = nullptr;

  bool sameLaunch(const Call& other) const { return space == other.space && correlation == other.correlation; }
  bool operator<(const Call& other) const {
    return std::tie(space, correlation, start) < std::tie(other.space, other.correlation, other.start);
  }
};

/// All launch calls, sorted. Look-ups come in time order, so that the next answer is mostly near the last one.
class CallTable {
 public:
  void add(const Call& call) { m_calls.push_back(call); }
  void sort(const StopCheck& check) {
    std::sort(m_calls.begin(), m_calls.end(), [&](const Call& a, const Call& b) {
      check.tick();
      return a < b;
    });
  }

  std::uint64_t sharedCorrelations() const {
    std::uint64_t shared = 0;
    for (std::size_t i = 1; i < m_calls.size(); ++i) {
      const bool again = m_calls[i].sameLaunch(m_calls[i - 1]);
      if (again && (i < 2 || !m_calls[i].sameLaunch(m_calls[i - 2]))) ++shared;
    }
    return shared;
  }

  /// `wanted.start` is the GPU event's.
  const Call* find(const Call& wanted) {
    if (m_calls.empty()) return nullptr;
    auto low = m_calls.begin();
    auto high = m_calls.end();
    if (wanted < m_calls[m_near]) {
      high = low + m_near;
    } else {
      std::size_t step = 1;
      low += m_near;
      while (static_cast<std::size_t>(high - low) > step && !(wanted < *(low + step))) {
        low += step;
        step *= 2;
      }
      if (static_cast<std::size_t>(high - low) > step) high = low + step;
    }
    const auto after = std::upper_bound(low, high, wanted);
    m_near = after == m_calls.begin() ? 0 : static_cast<std::size_t>(after - m_calls.begin() - 1);
    if (after != m_calls.begin() && (after - 1)->sameLaunch(wanted)) return &*(after - 1);
    return after != m_calls.end() && after->sameLaunch(wanted) ? &*after : nullptr;
  }

 private:
  std::vector<Call> m_calls;
  std::size_t m_near = 0;
};

}  // namespace

std::size_t linkLaunches(std::vector<SortedLane>& lanes, const std::string& file, base::Diagnostics& diagnostics,
                         const StopCheck& check) {
  CallTable calls;
  std::unordered_map<std::string, std::uint32_t> spaces;
  for (SortedLane& lane : lanes) {
    if (lane.key->kind != LaneKind::HostThread) continue;
    for (RawEvent& event : lane.events) {
      check.tick();
      if (event.correlation < 0 || !isLaunchCall(event.kind)) continue;
      const auto space = spaces.try_emplace(lane.key->process, static_cast<std::uint32_t>(spaces.size())).first->second;
      calls.add({space, event.correlation, event.start, &event});
    }
  }
  calls.sort(check);
  if (const std::uint64_t shared = calls.sharedCorrelations(); shared > 0) {
    diagnostics.note({base::Severity::Info,
                      "duplicate_correlation",
                      "Some correlation ids are shared by several calls; the last one that starts before the GPU event counts.",
                      file,
                      {},
                      {},
                      shared});
  }

  // From here on `correlation` of calls holds launch indices; the table keeps the file's values.
  for (SortedLane& lane : lanes) {
    if (lane.key->kind == LaneKind::GpuStream) continue;
    for (RawEvent& event : lane.events) event.correlation = -1;
  }
  std::size_t launches = 0;
  std::uint64_t unlaunched = 0;
  std::uint64_t early = 0;
  for (SortedLane& lane : lanes) {
    if (lane.key->kind != LaneKind::GpuStream) continue;
    const auto own = lane.key->process.empty() && spaces.size() == 1 ? spaces.begin() : spaces.find(lane.key->process);
    for (RawEvent& event : lane.events) {
      check.tick();
      const Call* call = nullptr;
      if (own != spaces.end() && event.correlation >= 0)
        call = calls.find({own->second, event.correlation, event.start, nullptr});
      event.correlation = -1;
      if (call == nullptr) {
        unlaunched += isGpuEvent(event.kind) ? 1 : 0;
        continue;
      }
      if (call->event->correlation < 0) call->event->correlation = static_cast<std::int64_t>(launches++);
      event.correlation = call->event->correlation;
      early += event.start < call->start ? 1 : 0;
    }
  }
  if (unlaunched > 0) {
    diagnostics.note({base::Severity::Info,
                      "gpu_event_without_launch",
                      "Some GPU events have no launch call in this trace; steps take them by time.",
                      file,
                      {},
                      {},
                      unlaunched});
  }
  if (early > 0) {
    diagnostics.note({base::Severity::Info,
                      "negative_launch_latency",
                      "Some GPU events start before the call that launched them: the clocks of host and GPU differ a little.",
                      file,
                      {},
                      {},
                      early});
  }
  return launches;
}

}  // namespace threewalls::trace

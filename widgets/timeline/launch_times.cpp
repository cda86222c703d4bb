#include "timeline/launch_times.h"

#include <algorithm>

namespace threewalls::timeline {

LaunchTimes::LaunchTimes(const trace::Trace& trace) {
  m_starts.reserve(trace.launches().size());
  for (const trace::EventRef& call : trace.launches()) m_starts.push_back(trace.subLane(call).start(call.index));
  if (!std::is_sorted(m_starts.begin(), m_starts.end())) std::sort(m_starts.begin(), m_starts.end());
}

std::vector<std::uint32_t> LaunchTimes::counts(const BucketGrid& grid, std::int64_t first, std::int64_t last) const {
  std::vector<std::uint32_t> out(static_cast<std::size_t>(last - first));
  auto from = std::lower_bound(m_starts.begin(), m_starts.end(), grid.edge(first));
  for (std::int64_t k = first; k < last; ++k) {
    const base::Nanoseconds edge = grid.edge(k + 1);
    auto to = from;
    std::ptrdiff_t stride = 1;
    while (to != m_starts.end() && *to < edge) {
      const std::ptrdiff_t reach = std::min<std::ptrdiff_t>(stride, m_starts.end() - to);
      if (reach < stride || *(to + (reach - 1)) >= edge) {
        to = std::lower_bound(to, to + reach, edge);
        break;
      }
      to += reach;
      stride *= 2;
    }
    out[static_cast<std::size_t>(k - first)] = static_cast<std::uint32_t>(to - from);
    from = to;
  }
  return out;
}

}  // namespace threewalls::timeline

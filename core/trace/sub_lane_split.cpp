#include "trace/sub_lane_split.h"

#include <algorithm>
#include <limits>

namespace threewalls::trace {
namespace {

/// The ends of the rows under a tournament tree of minima: finds the lowest free row without looking at all of them.
class FreeRows {
 public:
  /// Takes the lowest row whose end is not after `start`, opening a new row if there is none, and sets its end.
  std::uint32_t take(std::int64_t start, std::int64_t end) {
    if (m_earliest[1] > start) grow();
    std::size_t node = 1;
    while (node < m_rows) node = 2 * node + (m_earliest[2 * node] > start ? 1 : 0);
    const auto row = static_cast<std::uint32_t>(node - m_rows);
    m_earliest[node] = end;
    for (node /= 2; node > 0; node /= 2) m_earliest[node] = std::min(m_earliest[2 * node], m_earliest[2 * node + 1]);
    return row;
  }

 private:
  static constexpr std::int64_t kNeverUsed = std::numeric_limits<std::int64_t>::min();

  void grow() {
    std::vector<std::int64_t> wider(m_rows * 4, kNeverUsed);
    std::copy(m_earliest.begin() + m_rows, m_earliest.end(), wider.begin() + 2 * m_rows);
    m_rows *= 2;
    for (std::size_t node = m_rows - 1; node > 0; --node) wider[node] = std::min(wider[2 * node], wider[2 * node + 1]);
    m_earliest = std::move(wider);
  }

  std::size_t m_rows = 8;                                                            ///< power of two; the leaves
  std::vector<std::int64_t> m_earliest = std::vector<std::int64_t>(16, kNeverUsed);  ///< node k has children 2k and 2k + 1
};

}  // namespace

std::vector<std::uint32_t> rowsOf(std::span<const RawEvent> events, const StopCheck& check) {
  std::vector<std::uint32_t> rows(events.size());
  FreeRows free;
  for (std::size_t i = 0; i < events.size(); ++i) {
    check.tick();
    rows[i] = free.take(events[i].start, events[i].start + events[i].duration);
  }
  return rows;
}

std::vector<std::uint32_t> rowSizes(std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> sizes;
  for (const std::uint32_t row : rows) {
    if (row >= sizes.size()) sizes.resize(row + std::size_t{1});
    ++sizes[row];
  }
  return sizes;
}

}  // namespace threewalls::trace

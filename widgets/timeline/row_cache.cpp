#include "timeline/row_cache.h"

#include <cmath>

namespace threewalls::timeline {

std::int64_t RowCache::alignTo(TimeRange range, int columns) {
  const double size = range.length() / columns;
  // Ends of a range are added to separately while panning: allow for the rounding of that, a hundredth of a pixel over all.
  const bool sameSize = std::abs(size - m_size) * columns < 0.01 * size;
  const double place = sameSize ? (range.start - m_offset) / m_size : 0;
  if (sameSize && std::abs(place - std::round(place)) < 0.02) return std::llround(place);
  m_offset = range.start;
  m_size = size;
  m_rows.clear();
  return 0;
}

}  // namespace threewalls::timeline

#pragma once

#include "timeline/lane_pixels.h"
#include "timeline/time_axis.h"

#include <QRgb>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace threewalls::timeline {

/// Which painted row: side and sub-lane under one set of colours.
struct RowKey {
  std::uint8_t side = 0;
  std::uint32_t lane = 0;
  std::uint32_t subLane = 0;
  auto operator<=>(const RowKey&) const = default;
};

/// Painted rows of one zoom level. While the view pans by whole pixels its buckets stay where they are: rows are kept and only
/// new columns are painted. Any other change of the range starts a new grid.
class RowCache {
 public:
  /// Makes the grid fit a view of `columns` pixels over `range` and returns the bucket of its first column.
  std::int64_t alignTo(TimeRange range, int columns);
  /// Buckets of a side.
  BucketGrid grid(const SideClock& clock) const { return {clock, m_offset, m_size}; }

  /// Pixels of buckets [first, first + columns); `paint(from, to, out)` is asked for those that are missing.
  template <class Paint>
  std::span<const QRgb> row(const RowKey& key, std::int64_t first, int columns, const Paint& paint);

  /// Forgets all rows: other colours, another alignment.
  void clear() { m_rows.clear(); }

  std::uint64_t columnsPainted() const { return m_painted; }
  std::uint64_t columnsReused() const { return m_reused; }

 private:
  struct Painted {
    std::int64_t first = 0;
    std::vector<QRgb> pixels;
  };
  double m_offset = 0;
  double m_size = 0;
  std::map<RowKey, Painted> m_rows;
  std::uint64_t m_painted = 0;
  std::uint64_t m_reused = 0;
};

template <class Paint>
std::span<const QRgb> RowCache::row(const RowKey& key, std::int64_t first, int columns, const Paint& paint) {
  Painted& row = m_rows[key];
  const std::int64_t last = first + columns;
  const std::int64_t oldLast = row.first + static_cast<std::int64_t>(row.pixels.size());
  const std::int64_t keptFirst = std::max(first, row.first);
  const std::int64_t keptLast = std::min(last, oldLast);
  std::vector<QRgb> pixels(static_cast<std::size_t>(columns));
  const auto at = [&](std::int64_t k) { return pixels.data() + (k - first); };
  if (keptFirst < keptLast) {
    std::copy_n(row.pixels.data() + (keptFirst - row.first), keptLast - keptFirst, at(keptFirst));
    if (first < keptFirst) paint(first, keptFirst, at(first));
    if (keptLast < last) paint(keptLast, last, at(keptLast));
    m_reused += static_cast<std::uint64_t>(keptLast - keptFirst);
    m_painted += static_cast<std::uint64_t>(columns - (keptLast - keptFirst));
  } else {
    paint(first, last, pixels.data());
    m_painted += static_cast<std::uint64_t>(columns);
  }
  row = {first, std::move(pixels)};
  return row.pixels;
}

}  // namespace threewalls::timeline

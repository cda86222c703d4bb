#include "timeline/lane_pixels.h"

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
using base::Nanoseconds;

QRgb blended(QRgb under, QRgb over, double share) {
  const int weight = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * 256));
  const auto mix = [weight](int a, int b) { return a + ((b - a) * weight) / 256; };
  return qRgb(mix(qRed(under), qRed(over)), mix(qGreen(under), qGreen(over)), mix(qBlue(under), qBlue(over)));
}

Nanoseconds BucketGrid::edge(std::int64_t k) const {
  return clock.toClock(offset + static_cast<double>(k) * size);
}

std::uint32_t BucketCursor::startingAt(std::uint32_t from, Nanoseconds time) const {
  const std::uint32_t size = m_lane.size();
  std::uint32_t low = from;  // everything before it starts earlier
  std::uint32_t stride = 1;
  while (low < size && m_lane.start(low) < time) {
    const std::uint32_t probe = stride < size - low ? low + stride : size;
    if (probe == size || m_lane.start(probe) >= time) {
      std::uint32_t first = low + 1;
      std::uint32_t last = probe;
      while (first < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        if (m_lane.start(middle) < time) {
          first = middle + 1;
        } else {
          last = middle;
        }
      }
      return first;
    }
    low = probe;
    stride *= 2;
  }
  return low;
}

BucketShare BucketCursor::next(Nanoseconds start, Nanoseconds end) {
  BucketShare out;
  if (end <= start) return out;
  std::uint32_t first = startingAt(m_next, start);
  const std::uint32_t last = startingAt(first, end);
  m_next = first;
  if (first > 0 && m_lane.end(first - 1) > start) --first;
  if (first >= last) return out;
  out.count = last - first;

  // Only the first and the last event can reach over an edge: they are clipped here, the rest is the pyramid's.
  Nanoseconds busy{0};
  Nanoseconds longest{-1};
  const auto take = [&](std::uint32_t i, Nanoseconds length) {
    if (length > longest) {
      longest = length;
      out.longest = i;
    }
  };
  const auto takeClipped = [&](std::uint32_t i) {
    const Nanoseconds length = std::min(m_lane.end(i), end) - std::max(m_lane.start(i), start);
    busy += length;
    take(i, length);
  };
  takeClipped(first);
  if (out.count > 2) {
    const trace::RangeSummary inner = m_lane.summary(first + 1, last - 1);
    busy += inner.busy;
    take(inner.longestIndex, inner.longest);
  }
  if (out.count > 1) takeClipped(last - 1);
  out.covered = static_cast<double>(busy.count()) / static_cast<double>((end - start).count());
  return out;
}

SlicePalette::SlicePalette(const common::Theme& theme, const analysis::Classification& classes)
    : m_classes(&classes), m_background(theme.lane.rgb()) {
  for (std::size_t i = 0; i < m_classColours.size(); ++i) m_classColours[i] = theme.classes[i].rgb();
  // Host events have no class: a step of lightness by name tells neighbours apart, small enough for the same text colour on all.
  const QRgb other = theme.of(analysis::ColourClass::Other).rgb();
  for (std::size_t i = 0; i < kSteps; ++i) {
    m_hostColours[i] = blended(other, m_background, 0.08 * static_cast<double>(i));
    m_rangeColours[i] = blended(m_background, theme.text.rgb(), 0.14 + 0.03 * static_cast<double>(i));
  }
}

void paintBuckets(const trace::SubLane& lane, const BucketGrid& grid, std::int64_t first, std::int64_t last,
                  const SlicePalette& palette, QRgb* out) {
  const QRgb background = palette.background();
  BucketCursor cursor(lane);
  Nanoseconds start = grid.edge(first);
  for (std::int64_t k = first; k < last; ++k, ++out) {
    const Nanoseconds end = grid.edge(k + 1);
    // Below one nanosecond a pixel some buckets are empty after rounding: they repeat the nanosecond they lie in.
    const BucketShare share = cursor.next(start, std::max(end, start + Nanoseconds(1)));
    if (share.count == 0) {
      *out = background;
    } else {
      const QRgb colour = palette.colour(lane.name(share.longest), lane.kind(share.longest));
      *out = blended(background, colour, std::max(share.covered, kFaintest));
    }
    start = end;
  }
}

}  // namespace threewalls::timeline

#include "timeline/hit_overlay.h"

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

using common::Side;

constexpr int kBar = 3;        ///< over a hit
constexpr int kDensity = 4;    ///< height on ruler and minimap
constexpr double kBucket = 2;  ///< pixels
constexpr float kVeil = 0.88F;

}  // namespace

std::vector<std::pair<int, int>> pixelRuns(const trace::SubLane& lane, std::span<const std::uint32_t> events,
                                           const Alignment& alignment, Side side, const TimeAxis& axis, int apart) {
  std::vector<std::pair<int, int>> runs;
  const int width = static_cast<int>(axis.width());
  // An event without length still takes a pixel.
  const auto endOf = [&](std::uint32_t i) { return std::max(lane.end(i), lane.start(i) + base::Nanoseconds(1)); };
  const base::Interval visible = alignment.toClock(side, axis.range());
  auto next = std::partition_point(events.begin(), events.end(), [&](std::uint32_t i) { return endOf(i) <= visible.start; });
  while (next != events.end() && lane.start(*next) <= visible.end) {
    const double left = std::floor(axis.toPixel(alignment.toAligned(side, lane.start(*next))));
    const double right = std::ceil(axis.toPixel(alignment.toAligned(side, lane.end(*next))));
    const int x0 = static_cast<int>(std::clamp(left, 0.0, axis.width()));
    const int x1 = static_cast<int>(std::clamp(std::max(right, left + 1), 0.0, axis.width()));
    if (x0 >= width) break;
    if (x0 < x1) {
      const auto narrow = [apart](int from, int to) { return to - from < apart; };
      if (!runs.empty() && x0 <= runs.back().second && narrow(x0, x1) && narrow(runs.back().first, runs.back().second)) {
        runs.back().second = std::max(runs.back().second, x1);
      } else {
        runs.emplace_back(x0, x1);
      }
    }
    // Everything that ends within the pixels so far is drawn already.
    const base::Nanoseconds drawn = alignment.toClock(side, axis.toTime(x1));
    const auto following = next + 1;
    next = std::partition_point(following, events.end(), [&](std::uint32_t i) { return endOf(i) <= drawn; });
  }
  return runs;
}

void HitOverlay::paintRow(QPainter& painter, const Row& row, const QRect& rect, const TimeAxis& axis,
                          const common::Theme& theme) const {
  if (!row.holdsEvents() || (m_search.count() == 0 && !m_search.hidingRest())) return;
  std::vector<std::pair<int, int>> runs;
  if (const auto* hits = m_search.hits(row.side)) {
    const trace::Lane& lane = hits->trace().lane(row.lane);
    // A folded lane shows the hits of all its rows.
    const std::uint32_t last = row.kind == RowKind::Folded ? static_cast<std::uint32_t>(lane.subLanes.size()) : row.subLane + 1;
    for (std::uint32_t s = row.kind == RowKind::Folded ? 0 : row.subLane; s < last; ++s) {
      const auto more = pixelRuns(lane.subLanes[s], hits->in(row.lane, s), m_state.alignment(), row.side, axis);
      runs.insert(runs.end(), more.begin(), more.end());
    }
  }
  std::sort(runs.begin(), runs.end());
  if (m_search.hidingRest()) {
    QColor veil = theme.lane;
    veil.setAlphaF(kVeil);
    int x = 0;
    for (const auto& [first, second] : runs) {
      if (first > x) painter.fillRect(rect.left() + x, rect.top(), first - x, rect.height(), veil);
      x = std::max(x, second);
    }
    if (x < rect.width()) painter.fillRect(rect.left() + x, rect.top(), rect.width() - x, rect.height(), veil);
  }
  for (const auto& [first, second] : runs) {
    const QRect bar(rect.left() + first, rect.top(), second - first, kBar);
    painter.fillRect(bar.adjusted(0, 0, 0, 1), theme.window);
    painter.fillRect(bar, theme.accent);
  }
}

const std::vector<std::uint32_t>& HitOverlay::densityOf(Density& kept, const TimeAxis& axis) const {
  Density wanted;
  wanted.generation = m_search.generation();
  wanted.range = axis.range();
  for (const Side side : common::kSides) {
    wanted.hits[static_cast<std::size_t>(side)] = m_search.hits(side);
    wanted.clocks[static_cast<std::size_t>(side)] = m_state.alignment().clock(side);
  }
  const auto buckets = static_cast<std::size_t>(std::max(1.0, std::ceil(axis.width() / kBucket)));
  if (kept.generation == wanted.generation && kept.hits == wanted.hits && kept.clocks == wanted.clocks &&
      kept.range == wanted.range && kept.counts.size() == buckets) {
    return kept.counts;
  }
  wanted.counts.resize(buckets);
  for (const Side side : common::kSides) {
    const auto* hits = m_search.hits(side);
    if (hits == nullptr) continue;
    const auto counts = hits->density(m_state.alignment().toClock(side, axis.range()), buckets);
    for (std::size_t i = 0; i < buckets; ++i) wanted.counts[i] += counts[i];
  }
  kept = std::move(wanted);
  return kept.counts;
}

void HitOverlay::paintDensity(QPainter& painter, const QRect& rect, const std::vector<std::uint32_t>& counts,
                              const common::Theme& theme) {
  const std::uint32_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
  if (most == 0) return;
  // One hit must show beside thousands: strength grows with the logarithm.
  const double full = std::log2(1.0 + most);
  const double width = static_cast<double>(rect.width()) / static_cast<double>(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    QColor colour = theme.accent;
    colour.setAlphaF(static_cast<float>(0.45 + 0.55 * std::log2(1.0 + counts[i]) / full));
    painter.fillRect(QRectF(rect.left() + static_cast<double>(i) * width, rect.bottom() + 1 - kDensity, width, kDensity), colour);
  }
}

void HitOverlay::paintRuler(QPainter& painter, const QRect& rect, const TimeAxis& axis, const common::Theme& theme) {
  if (m_search.count() > 0) paintDensity(painter, rect, densityOf(m_ruler, axis), theme);
}

void HitOverlay::paintMinimap(QPainter& painter, const QRect& rect, const TimeAxis& axis, const common::Theme& theme) {
  if (m_search.count() == 0) return;
  painter.fillRect(QRect(rect.left(), rect.bottom() - kDensity, rect.width(), kDensity + 1), theme.window);
  paintDensity(painter, rect, densityOf(m_minimap, axis), theme);
}

}  // namespace threewalls::timeline

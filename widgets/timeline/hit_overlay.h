#pragma once

#include "common/theme.h"
#include "timeline/event_search.h"
#include "timeline/lane_layout.h"

#include <QPainter>

#include <limits>
#include <utility>
#include <vector>

namespace threewalls::timeline {

/// Stretches of whole pixels, [first, second) each, ascending and apart, that the given events of a lane touch between pixel 0
/// and the width of `axis`. Events at least `apart` pixels wide keep a stretch of their own, which others may touch. Costs the
/// hits or the pixels, whichever are fewer.
std::vector<std::pair<int, int>> pixelRuns(const trace::SubLane& lane, std::span<const std::uint32_t> events,
                                           const Alignment& alignment, common::Side side, const TimeAxis& axis,
                                           int apart = std::numeric_limits<int>::max());

/// Draws a search over the timeline: bars over its hits, a veil over the rest where that is wanted, and how many hits there are
/// along the ruler and the minimap.
class HitOverlay {
 public:
  HitOverlay(const EventSearch& search, const ViewState& state) : m_search(search), m_state(state) {}

  /// Over the row whose time part is `rect`.
  void paintRow(QPainter& painter, const Row& row, const QRect& rect, const TimeAxis& axis, const common::Theme& theme) const;
  /// Into the lower edge of `rect`, for the range of `axis`.
  void paintRuler(QPainter& painter, const QRect& rect, const TimeAxis& axis, const common::Theme& theme);
  void paintMinimap(QPainter& painter, const QRect& rect, const TimeAxis& axis, const common::Theme& theme);

 private:
  /// Hits of both sides that start in each bucket of an axis; kept while nothing it depends on changes.
  struct Density {
    std::uint64_t generation = 0;
    std::array<const analysis::SearchHits*, 2> hits{};
    std::array<SideClock, 2> clocks{};
    TimeRange range;
    std::vector<std::uint32_t> counts;
  };
  const std::vector<std::uint32_t>& densityOf(Density& kept, const TimeAxis& axis) const;
  static void paintDensity(QPainter& painter, const QRect& rect, const std::vector<std::uint32_t>& counts,
                           const common::Theme& theme);

  const EventSearch& m_search;
  const ViewState& m_state;
  Density m_ruler;
  Density m_minimap;
};

}  // namespace threewalls::timeline

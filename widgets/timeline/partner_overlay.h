#pragma once

#include "common/selection.h"
#include "common/theme.h"
#include "timeline/lane_layout.h"
#include "timeline/partner_links.h"

#include <QPainter>

namespace threewalls::timeline {

/// Draws what A and B have in common over the timeline: a line from the selected slice to its partner, and outlines around the
/// slices that have none where that is wanted.
class PartnerOverlay {
 public:
  /// Slices at least so many pixels wide get an outline of their own; narrower neighbours share one.
  static constexpr int kOwnOutline = 6;

  PartnerOverlay(const PartnerLinks& links, const ViewState& state) : m_links(links), m_state(state) {}
  const PartnerLinks& links() const { return m_links; }

  /// Outlines over the row whose time part is `rect`.
  void paintRow(QPainter& painter, const Row& row, const QRect& rect, const TimeAxis& axis, const common::Theme& theme) const;
  /// Between two slices, from the row of one to that of the other; `lanes` is the time part of the rows in widget pixels.
  void paintLink(QPainter& painter, const common::Document& document, const common::SelectedSlice& from,
                 const common::SelectedSlice& to, const LaneLayout& layout, const QRect& lanes, const common::Theme& theme) const;
  /// Outlines of a row in pixels of `axis`, [first, second) each.
  std::vector<std::pair<int, int>> outlines(const Row& row, const TimeAxis& axis) const;

 private:
  const PartnerLinks& m_links;
  const ViewState& m_state;
};

}  // namespace threewalls::timeline

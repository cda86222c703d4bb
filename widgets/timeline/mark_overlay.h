#pragma once

#include "common/theme.h"
#include "timeline/marks.h"
#include "timeline/view_state.h"

#include <QPainter>

#include <optional>
#include <vector>

namespace threewalls::timeline {

/// A flag in the band of marks: one mark, or several that start too close together to be told apart.
struct MarkFlag {
  QRect rect;
  QString text;  ///< elided; empty where there is no room
  std::vector<MarkOfSide> marks;
};

/// Draws the marks: flags with their notes in a band of their own, lines and shades over the lanes, ticks on the minimap. Nothing
/// but side A and B together names sides.
class MarkOverlay {
 public:
  MarkOverlay(const Marks& marks, const common::Selection& selection, const ViewState& state)
      : m_marks(marks), m_selection(selection), m_state(state) {}

  bool empty() const { return m_marks.count() == 0; }
  static int bandHeight(const QFontMetrics& metrics) { return metrics.height() + 6; }
  /// Flags of the marks that the axis shows, left to right; none overlaps another. `both`: they say whose they are.
  std::vector<MarkFlag> flags(const QRect& band, const TimeAxis& axis, const QFontMetrics& metrics, bool both) const;
  void paintBand(QPainter& painter, const QRect& band, const TimeAxis& axis, const common::Theme& theme, bool both) const;
  /// Over the rows of one side.
  void paintRows(QPainter& painter, const QRect& rows, common::Side side, const TimeAxis& axis, const common::Theme& theme) const;
  /// At the tip of a marked slice.
  static void paintSlice(QPainter& painter, const QRect& slice, common::Side side, const common::Theme& theme);
  void paintMinimap(QPainter& painter, const QRect& rect, const TimeAxis& axis, const common::Theme& theme, bool both) const;

 private:
  const Marks& m_marks;
  const common::Selection& m_selection;
  const ViewState& m_state;
};

/// What a flag says when it is pointed at: its notes in full.
QString flagToolTip(const Marks& marks, const MarkFlag& flag);

}  // namespace threewalls::timeline

#include "common/text.h"
#include "timeline/delta_lane.h"
#include "timeline/timeline_view.h"

#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace threewalls::timeline {

using common::SelectedRange;
using common::Side;

/// The time part of the row between A and B; empty when there is none.
QRect TimelineView::deltaRect() const {
  const QRect lanes = lanesRect();
  for (const Row& row : m_layout.rows()) {
    if (row.kind == RowKind::Delta) return {lanes.left(), lanes.top() + row.top - m_state.scroll(), lanes.width(), row.height};
  }
  return {};
}

DeltaLane TimelineView::deltaLane() const {
  return {m_state, axis(), deltaRect().size(), fontMetrics().height() + 2};
}

std::optional<StepDelta> TimelineView::deltaAt(const QPoint& point) const {
  const QRect row = deltaRect();
  if (!row.contains(point) || !lanesRect().contains(point)) return std::nullopt;
  return deltaLane().at(point.x() - row.left());
}

bool TimelineView::showDeltaTip(const QHelpEvent& event) {
  const auto delta = deltaAt(event.pos());
  if (!delta) return false;
  QToolTip::showText(event.globalPos(), common::literalToolTip(deltaText(*delta, m_state.alignment(), m_state.reference())),
                     this);
  return true;
}

/// The step that was clicked becomes the range: the ledgers of both sides stand beside each other below.
bool TimelineView::chooseDeltaAt(const QPoint& point) {
  const auto delta = deltaAt(point);
  if (!delta) return false;
  const Side side = m_state.reference();
  m_selection.setRange(SelectedRange{side, m_state.alignment().step(side, delta->pair)->interval});
  return true;
}

void TimelineView::paintDelta(QPainter& painter) {
  const QRect row = deltaRect();
  if (row.intersects(lanesRect())) deltaLane().paint(painter, row.topLeft(), m_theme);
}

/// The side that is not emphasised, its labels too, under a veil.
void TimelineView::paintVeil(QPainter& painter) {
  const auto emphasised = m_state.emphasised();
  if (!emphasised || !bothSides()) return;
  const QRect quiet = rowsRect(*emphasised == Side::A ? Side::B : Side::A);
  QColor veil = m_theme.window;
  veil.setAlphaF(0.62F);
  painter.fillRect(QRect(0, quiet.top(), quiet.right() + 1, quiet.height()), veil);
}

}  // namespace threewalls::timeline

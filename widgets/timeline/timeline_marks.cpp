#include "timeline/timeline_view.h"

#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace threewalls::timeline {

using common::SelectedSlice;
using common::Side;

void TimelineView::showMarks(const Marks& marks) {
  m_allMarks = &marks;
  m_marks.emplace(marks, m_selection, m_state);
  const auto refresh = [this] {
    // The first mark makes room for the band of flags, the last one gives it back.
    if (m_markBand != !m_marks->empty()) {
      m_markBand = !m_marks->empty();
      arrange();
    }
    update();
    m_minimap->update();
  };
  connect(&marks, &Marks::changed, this, refresh);
  refresh();
}

QRect TimelineView::marksRect() const {
  const QRect lanes = lanesRect();
  const int height = m_markBand ? MarkOverlay::bandHeight(fontMetrics()) : 0;
  return {lanes.left(), lanes.top() - height, lanes.width(), height};
}

std::vector<MarkFlag> TimelineView::markFlags() const {
  if (!m_markBand || !firstSide()) return {};
  return m_marks->flags(marksRect(), axis(), fontMetrics(), bothSides());
}

std::optional<MarkFlag> TimelineView::flagAt(const QPoint& point) const {
  if (!marksRect().contains(point)) return std::nullopt;
  for (MarkFlag& flag : markFlags()) {
    if (flag.rect.contains(point)) return std::move(flag);
  }
  return std::nullopt;
}

bool TimelineView::chooseMarkAt(const QPoint& point) {
  const auto flag = flagAt(point);
  if (!flag) return false;
  // Of several under one flag the next one with every click.
  const auto selected = m_allMarks->selected(m_selection);
  auto next = flag->marks.begin();
  if (selected) {
    const auto at = std::find(flag->marks.begin(), flag->marks.end(), *selected);
    if (at != flag->marks.end() && at + 1 != flag->marks.end()) next = at + 1;
  }
  if (const Mark* mark = m_allMarks->find(*next)) showMark(m_selection, next->side, Mark(*mark));
  return true;
}

bool TimelineView::showMarkTip(const QHelpEvent& event) {
  const auto flag = flagAt(event.pos());
  if (!flag) return false;
  QToolTip::showText(event.globalPos(), flagToolTip(*m_allMarks, *flag), this, flag->rect);
  return true;
}

QRect TimelineView::rowsRect(Side side) const {
  const QRect lanes = lanesRect();
  int top = lanes.bottom() + 1;
  int bottom = lanes.top();
  for (const Row& row : m_layout.rows()) {
    if (row.side != side || row.kind == RowKind::Heading || row.kind == RowKind::Delta || row.kind == RowKind::Gap) continue;
    top = std::min(top, lanes.top() + row.top - m_state.scroll());
    bottom = std::max(bottom, lanes.top() + row.top + row.height - m_state.scroll());
  }
  return {lanes.left(), top, lanes.width(), std::max(bottom - top, 0)};
}

void TimelineView::paintMarks(QPainter& painter) {
  if (!m_markBand) return;
  for (const Side side : common::kSides) {
    if (traceOf(side) == nullptr) continue;
    m_marks->paintRows(painter, rowsRect(side), side, axis(), m_theme);
    for (const Mark& mark : m_allMarks->of(side)) {
      if (!mark.event) continue;
      const QRect rect = rectOf({side, *mark.event});
      if (!rect.isEmpty()) MarkOverlay::paintSlice(painter, rect, side, m_theme);
    }
  }
}

QRect TimelineView::selectionRect() const {
  const QRect lanes = lanesRect();
  if (const auto& slice = m_selection.slice()) return rectOf(*slice).intersected(lanes);
  const auto& range = m_selection.range();
  if (!range) return {};
  const TimeRange aligned = m_state.alignment().toAligned(range->side, range->range);
  const double left = axis().toPixel(aligned.start);
  const double right = axis().toPixel(aligned.end);
  if (right < 0 || left > lanes.width()) return {};
  const int x = lanes.left() + static_cast<int>(std::clamp(left, 0.0, lanes.width() - 1.0));
  return {x, lanes.top(), 1, 1};
}

}  // namespace threewalls::timeline

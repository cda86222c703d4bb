#include "timeline/launch_arrows.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

constexpr double kHead = 6;
/// Ends far out of view are brought this near: their direction still shows, and painters take no huge coordinates.
constexpr double kBeyond = 4000;

/// The row that shows an event, or the strip of its lane while that is folded.
const Row* rowOf(const LaneLayout& layout, common::Side side, const trace::EventRef& event) {
  if (const auto index = layout.rowOf(side, event)) return &layout.rows()[*index];
  for (const Row& row : layout.rows()) {
    if (row.kind == RowKind::Folded && row.side == side && row.lane == event.lane) return &row;
  }
  return nullptr;
}

void paintArrow(QPainter& painter, const QPointF& from, const QPointF& to, const common::Theme& theme) {
  const double down = to.y() > from.y() ? 1 : -1;
  const QPointF base = to - QPointF(0, down * kHead);
  const double bend = std::max(std::abs(base.y() - from.y()) / 2, 12.0) * down;
  QPainterPath path(from);
  path.cubicTo(from + QPointF(0, bend), base - QPointF(0, bend), base);
  const QPolygonF head({to, base + QPointF(-kHead / 2, 0), base + QPointF(kHead / 2, 0)});
  // A rim in the colour of the window sets it off from slices of any class.
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.window, 3.5));
  painter.drawPath(path);
  painter.setPen(QPen(theme.text, 1.5));
  painter.drawPath(path);
  painter.setBrush(theme.text);
  painter.setPen(QPen(theme.window, 1));
  painter.drawPolygon(head);
}

}  // namespace

void LaunchArrows::select(const common::Document& document, const std::optional<common::SelectedSlice>& slice) {
  m_links.clear();
  if (!slice || !document.run(slice->side) || !document.run(slice->side)->analysis) return;
  const trace::Trace& trace = *document.run(slice->side)->analysis->trace;
  m_side = slice->side;
  if (const auto call = trace.launchOf(slice->event)) {
    m_links.emplace_back(*call, slice->event);
  } else if (trace::isLaunchCall(trace.kind(slice->event))) {
    for (const trace::EventRef& event : trace.launchedBy(slice->event)) {
      if (m_links.size() == kMost) break;
      m_links.emplace_back(slice->event, event);
    }
  }
}

void LaunchArrows::paint(QPainter& painter, const common::Document& document, const ViewState& state, const LaneLayout& layout,
                         const QRect& lanes, const common::Theme& theme) const {
  if (m_links.empty()) return;
  const trace::Trace& trace = *document.run(m_side)->analysis->trace;
  const TimeAxis axis(state.range(), lanes.width());
  const auto x = [&](const trace::EventRef& event) {
    const double at = axis.toPixel(state.alignment().toAligned(m_side, trace.interval(event).start));
    return lanes.left() + std::clamp(at, -kBeyond, lanes.width() + kBeyond) + 0.5;
  };
  const Row* const callRow = rowOf(layout, m_side, m_links.front().first);
  if (callRow == nullptr) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [call, event] : m_links) {
    const Row* const row = rowOf(layout, m_side, event);
    if (row == nullptr || row == callRow) continue;
    const double shift = lanes.top() - state.scroll();
    const bool up = row->top < callRow->top;
    const QPointF from(x(call), shift + callRow->top + (up ? 0 : callRow->height));
    const QPointF to(x(event), shift + row->top + (up ? row->height : 0));
    if (std::max(from.x(), to.x()) < lanes.left() || std::min(from.x(), to.x()) > lanes.right()) continue;
    paintArrow(painter, from, to, theme);
  }
  painter.restore();
}

}  // namespace threewalls::timeline

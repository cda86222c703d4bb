#include "timeline/partner_overlay.h"

#include "timeline/hit_overlay.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

constexpr double kDot = 2.5;
/// Ends far out of view are brought this near: their direction still shows, and painters take no huge coordinates.
constexpr double kBeyond = 4000;

}  // namespace

std::vector<std::pair<int, int>> PartnerOverlay::outlines(const Row& row, const TimeAxis& axis) const {
  std::vector<std::pair<int, int>> out;
  const auto* found = m_links.found();
  if (!m_links.outlining() || found == nullptr || row.kind != RowKind::Slices) return out;
  const Alignment& alignment = m_state.alignment();
  const auto side = static_cast<std::size_t>(row.side);
  for (std::size_t pair = 0; pair < found->size(); ++pair) {
    const analysis::Step* step = alignment.step(row.side, pair);
    if (step == nullptr) continue;
    const auto unmatched = (*found)[pair].sides[side].unmatchedIn(row.lane, row.subLane);
    if (unmatched.empty()) continue;
    const trace::SubLane& lane = m_links.trace(row.side).lane(row.lane).subLanes[row.subLane];
    // The last event of a step may reach beyond its end.
    const TimeRange whole{alignment.toAligned(row.side, step->interval).start,
                          alignment.toAligned(row.side, std::max(step->interval.end, lane.end(unmatched.back())))};
    if (whole.end < axis.range().start || whole.start > axis.range().end) continue;
    const auto runs = pixelRuns(lane, unmatched, alignment, row.side, axis, kOwnOutline);
    out.insert(out.end(), runs.begin(), runs.end());
  }
  return out;
}

void PartnerOverlay::paintRow(QPainter& painter, const Row& row, const QRect& rect, const TimeAxis& axis,
                              const common::Theme& theme) const {
  QPen dashes(theme.text, 1, Qt::CustomDashLine);
  dashes.setDashPattern({3, 3});
  dashes.setCosmetic(true);
  for (const auto& [first, second] : outlines(row, axis)) {
    const QRectF frame(rect.left() + first + 0.5, rect.top() + 0.5, std::max(second - first - 1, 1), rect.height() - 2);
    painter.setBrush(Qt::NoBrush);
    // Dashes in the colour of text over a line in that of the window show on every class.
    painter.setPen(QPen(theme.window, 1));
    painter.drawRect(frame);
    painter.setPen(dashes);
    painter.drawRect(frame);
  }
}

void PartnerOverlay::paintLink(QPainter& painter, const common::Document& document, const common::SelectedSlice& from,
                               const common::SelectedSlice& to, const LaneLayout& layout, const QRect& lanes,
                               const common::Theme& theme) const {
  const TimeAxis axis(m_state.range(), lanes.width());
  const bool down = from.side < to.side;
  const auto end = [&](const common::SelectedSlice& slice, bool bottom) -> std::optional<QPointF> {
    const auto index = layout.rowOf(slice.side, slice.event);
    if (!index) return std::nullopt;
    const Row& row = layout.rows()[*index];
    const TimeRange range =
        m_state.alignment().toAligned(slice.side, document.run(slice.side)->analysis->trace->interval(slice.event));
    // The middle of what is in view of it.
    const double left = axis.toPixel(range.start), right = axis.toPixel(range.end);
    const bool inView = right >= 0 && left <= lanes.width();
    const double x = inView ? (std::max(left, 0.0) + std::min<double>(right, lanes.width())) / 2 : (left + right) / 2;
    return QPointF(lanes.left() + std::clamp(x, -kBeyond, lanes.width() + kBeyond),
                   lanes.top() - m_state.scroll() + row.top + (bottom ? row.height : 0));
  };
  const auto start = end(from, down), stop = end(to, !down);
  if (!start || !stop) return;
  if (std::max(start->x(), stop->x()) < lanes.left() || std::min(start->x(), stop->x()) > lanes.right()) return;
  const double bend = (stop->y() - start->y()) / 2;
  QPainterPath path(*start);
  path.cubicTo(*start + QPointF(0, bend), *stop - QPointF(0, bend), *stop);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.window, 4));
  painter.drawPath(path);
  painter.setPen(QPen(theme.accent, 2));
  painter.drawPath(path);
  painter.setPen(QPen(theme.window, 1));
  painter.setBrush(theme.accent);
  for (const QPointF& at : {*start, *stop}) painter.drawEllipse(at, kDot, kDot);
  painter.restore();
}

}  // namespace threewalls::timeline

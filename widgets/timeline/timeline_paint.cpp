#include "timeline/timeline_view.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"

#include <QPainter>
#include <QStyleOptionFocusRect>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace threewalls::timeline {
namespace {

using common::SelectedSlice;
using common::Side;

constexpr int kBadgeLeft = 4;
constexpr int kFoldSign = 14;

/// The badge of a side in the gutter; grows with the text.
QSize badgeSize(const QFontMetrics& metrics) {
  const int height = std::max(17, metrics.height());
  return {std::max(20, height + 3), height};
}

/// Where lane labels in the gutter begin: below the heading's text.
int indentOf(const QFontMetrics& metrics) {
  return kBadgeLeft + badgeSize(metrics).width() + 4;
}

QColor sideColour(const common::Theme& theme, Side side) {
  return side == Side::A ? theme.sideA : theme.sideB;
}

void paintBadge(QPainter& painter, const QRect& rect, Side side, const common::Theme& theme) {
  const QColor colour = sideColour(theme, side);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(rect, 4, 4);
  QFont bold = painter.font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(common::readableTextOn(colour));
  painter.drawText(rect, Qt::AlignCenter, common::letter(side));
  painter.restore();
}

void paintFoldSign(QPainter& painter, const QRectF& rect, bool folded, const QColor& colour) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const QPointF c = rect.center();
  const double r = 3;
  const QPolygonF sign = folded ? QPolygonF({c + QPointF(-r / 2, -r), c + QPointF(r / 2 + 0.5, 0), c + QPointF(-r / 2, r)})
                                : QPolygonF({c + QPointF(-r, -r / 2), c + QPointF(0, r / 2 + 0.5), c + QPointF(r, -r / 2)});
  painter.drawPolyline(sign);
  painter.restore();
}

/// A pin's head and needle.
void paintPin(QPainter& painter, const QPointF& centre, const QColor& colour) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(centre, centre + QPointF(0, 6));
  painter.setBrush(colour);
  painter.drawEllipse(centre - QPointF(0, 2), 2.6, 2.6);
  painter.restore();
}

/// "peak 240 / ms": launches of the fullest bar as a rate.
QString peakText(const LaunchPeak& peak) {
  if (peak.count == 0 || peak.bucket <= 0) return {};
  return QObject::tr("peak %1 in %2")
      .arg(peak.count)
      .arg(common::duration(base::Nanoseconds(std::llround(std::max(peak.bucket, 1.0)))));
}

}  // namespace

void TimelineView::setFrameTimesShown(bool shown) {
  m_frameTimes = shown;
  m_meter.clear();
  update();
}

void TimelineView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  if (!firstSide()) {
    painter.fillRect(event->rect(), m_theme.window);
    paintEmpty(painter);
    return;
  }
  if (!m_frameTimes) return paintFrame(painter, event->rect());
  const auto begin = std::chrono::steady_clock::now();
  const FrameWork before{m_lanes.columnsPainted(), m_lanes.columnsReused(), 0};
  paintFrame(painter, event->rect());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  m_meter.add(took.count(),
              {m_lanes.columnsPainted() - before.painted, m_lanes.columnsReused() - before.reused, m_lanes.rectangles()});
  m_meter.paint(painter, lanesRect(), m_theme);
}

void TimelineView::paintFrame(QPainter& painter, const QRect& changed) {
  const QRect lanes = lanesRect();
  for (const QRect& part : QRegion(changed).subtracted(lanes)) painter.fillRect(part, m_theme.window);
  const QImage& image = m_lanes.render(m_document, m_state, m_layout, lanes.size(), devicePixelRatioF(), font());
  painter.drawImage(lanes.topLeft(), image);
  paintOverLanes(painter);
  if (hasFocus()) {
    painter.setPen(QPen(m_theme.accent, 1));
    painter.drawRect(QRectF(lanes.left() - 0.5, lanes.top() - 0.5, lanes.width(), lanes.height()));
  }
}

void TimelineView::paintOverLanes(QPainter& painter) {
  const QRect lanes = lanesRect();
  painter.save();
  painter.setClipRect(QRect(0, lanes.top(), width(), lanes.height()));
  paintGutter(painter);
  paintRowOverlays(painter);
  painter.restore();
  paintRuler(painter, rulerRect(), axis(), m_theme);
  if (m_hits) m_hits->paintRuler(painter, rulerRect(), axis(), m_theme);
  if (m_markBand) m_marks->paintBand(painter, marksRect(), axis(), m_theme, bothSides());
  paintRange(painter);
}

void TimelineView::paintGutter(QPainter& painter) {
  const QRect lanes = lanesRect();
  const QFontMetrics metrics(font());
  const int indent = indentOf(metrics);
  for (const Row& row : m_layout.rows()) {
    const QRect place(0, lanes.top() + row.top - m_state.scroll(), lanes.left() - 8, row.height);
    if (place.bottom() < lanes.top() || place.top() > lanes.bottom()) continue;
    if (row.kind == RowKind::Heading) {
      const QSize size = badgeSize(metrics);
      const QRect badge(QPoint(kBadgeLeft, place.center().y() - (size.height() - 1) / 2), size);
      paintBadge(painter, badge, row.side, m_theme);
      QFont bold = font();
      bold.setBold(true);
      painter.setFont(bold);
      painter.setPen(m_theme.text);
      const int noteWidth = row.note.isEmpty() ? 0 : metrics.horizontalAdvance(row.note) + 8;
      const QRect text = place.adjusted(indent, 0, -noteWidth, 0);
      painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                       QFontMetrics(bold).elidedText(row.label, Qt::ElideRight, text.width()));
      painter.setFont(font());
      painter.setPen(m_theme.accent);  // as a link: a click shows them
      painter.drawText(place, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, row.note);
      continue;
    }
    if (row.label.isEmpty()) continue;
    const QRect text = place.adjusted(indent, 0, 0, 0);
    if (row.foldable) {
      paintFoldSign(painter, QRectF(text.left() - kFoldSign, place.top(), kFoldSign, place.height()), row.kind == RowKind::Folded,
                    m_theme.mutedText);
    }
    if (row.pinned) paintPin(painter, QPointF(text.left() - kFoldSign - 6, place.center().y() - 1), m_theme.accent);
    const QString note = row.kind == RowKind::Launches ? peakText(m_lanes.launchPeak(row.side)) : row.note;
    const bool twoLines = !note.isEmpty() && place.height() >= 2 * metrics.height();
    painter.setPen(m_theme.text);
    const QRect upper =
        twoLines ? QRect(text.left(), text.center().y() - metrics.height() + 1, text.width(), metrics.height()) : text;
    painter.drawText(upper, Qt::AlignVCenter | Qt::TextSingleLine, metrics.elidedText(row.label, Qt::ElideRight, upper.width()));
    if (!twoLines) continue;
    painter.setPen(m_theme.mutedText);
    const QRect lower(text.left(), upper.bottom() + 1, text.width(), metrics.height());
    painter.drawText(lower, Qt::AlignVCenter | Qt::TextSingleLine, metrics.elidedText(note, Qt::ElideRight, lower.width()));
  }
}

void TimelineView::paintRowOverlays(QPainter& painter) {
  const QRect lanes = lanesRect();
  const TimeAxis time = axis();
  const Alignment& alignment = m_state.alignment();
  painter.save();
  painter.setClipRect(lanes);
  for (const Row& row : m_layout.rows()) {
    const QRect place(lanes.left(), lanes.top() + row.top - m_state.scroll(), lanes.width(), row.height);
    if (!place.intersects(lanes)) continue;
    if (row.kind == RowKind::Heading) paintStepBand(painter, place, row.side, m_state, time, m_theme, partnerNote(row.side));
    if (m_hits) m_hits->paintRow(painter, row, place, time, m_theme);
    if (m_partners) m_partners->paintRow(painter, row, place, time, m_theme);
  }
  // Step boundaries run down the rows of their side.
  for (const Side side : common::kSides) {
    const QRect rows = rowsRect(side);
    if (rows.isEmpty()) continue;
    QColor quiet = m_theme.accent;
    quiet.setAlphaF(0.6F);
    QPen pen(quiet, 1, Qt::DashLine);
    pen.setCosmetic(true);
    painter.setPen(pen);
    const auto boundary = [&](base::Nanoseconds at) {
      const double x = time.toPixel(alignment.toAligned(side, at));
      if (x < 0 || x > lanes.width()) return;
      const double ratio = painter.device()->devicePixelRatioF();
      const double sharp = (std::floor((lanes.left() + x) * ratio) + 0.5) / ratio;
      painter.drawLine(QPointF(sharp, rows.top()), QPointF(sharp, rows.bottom() + 1));
    };
    for (std::size_t i = 0; i < alignment.steps().size(); ++i) {
      if (const analysis::Step* step = alignment.step(side, i)) {
        boundary(step->interval.start);
        boundary(step->interval.end);
      }
    }
  }
  paintVeil(painter);
  paintDelta(painter);
  paintMarks(painter);
  m_arrows.paint(painter, m_document, m_state, m_layout, lanes, m_theme);
  paintPartnerLink(painter);
  if (m_hover && m_hover != m_selection.slice()) outline(painter, *m_hover, m_theme.mutedText, 1);
  if (const auto& slice = m_selection.slice(); slice && traceOf(slice->side) != nullptr)
    outline(painter, *slice, m_theme.text, 2);
  painter.restore();
}

void TimelineView::outline(QPainter& painter, const SelectedSlice& slice, const QColor& colour, int width) {
  const QRect rect = rectOf(slice);
  if (rect.isEmpty()) return;
  // A dark line inside a light one, or the other way round, shows on every class colour; B's is dashed.
  const QRectF frame = QRectF(rect).adjusted(-0.5 * width, 0.5 * width - 1, 0.5 * width, -0.5 * width);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(m_theme.window, width + 2));
  painter.drawRect(frame);
  painter.setPen(QPen(colour, width, slice.side == Side::B ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
  painter.drawRect(frame);
}

void TimelineView::paintRange(QPainter& painter) {
  const auto& range = m_selection.range();
  if (!range || traceOf(range->side) == nullptr) return;
  const QRect lanes = lanesRect();
  const TimeRange aligned = m_state.alignment().toAligned(range->side, range->range);
  const double left = axis().toPixel(aligned.start);
  const double right = axis().toPixel(aligned.end);
  if (right < 0 || left > lanes.width()) return;
  const double x0 = std::max(left, -2.0);
  const double x1 = std::min(right, lanes.width() + 2.0);
  const QRect ruler = rulerRect();
  painter.save();
  painter.setClipRect(QRect(lanes.left(), ruler.top(), lanes.width(), height() - ruler.top()));
  QColor shade = m_theme.accent;
  shade.setAlphaF(0.16F);
  const QRectF area(lanes.left() + x0, ruler.top(), std::max(x1 - x0, 1.0), height() - ruler.top());
  painter.fillRect(area, shade);
  painter.setPen(QPen(m_theme.accent, 1));
  painter.drawLine(area.topLeft(), area.bottomLeft());
  painter.drawLine(area.topRight(), area.bottomRight());
  painter.restore();
}

void TimelineView::paintEmpty(QPainter& painter) {
  painter.setPen(m_theme.mutedText);
  painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("No trace is open."));
}

}  // namespace threewalls::timeline

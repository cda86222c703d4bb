#include "timeline/ruler_painter.h"

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

constexpr double kLabelGap = 84;  ///< room for "−1,234.56 ms"
constexpr int kMinorTick = 3;
constexpr int kMajorTick = 7;

/// A line one device pixel wide.
QPen hairline(const QColor& colour) {
  QPen pen(colour, 1);
  pen.setCosmetic(true);
  return pen;
}

/// Device pixel that a logical place falls on, as a logical place on its middle: keeps hairlines sharp.
double snapped(const QPainter& painter, double x) {
  const double ratio = painter.device()->devicePixelRatioF();
  return (std::floor(x * ratio) + 0.5) / ratio;
}

}  // namespace

void paintRuler(QPainter& painter, const QRect& rect, const TimeAxis& axis, const common::Theme& theme) {
  painter.save();
  painter.setClipRect(rect);
  const QFontMetrics metrics(painter.font());
  const int bottom = rect.bottom() + 1;
  painter.setPen(hairline(theme.border));
  painter.drawLine(QPointF(rect.left(), bottom - 0.5), QPointF(rect.right() + 1, bottom - 0.5));
  for (const Tick& tick : ticks(axis, kLabelGap)) {
    const double x = snapped(painter, rect.left() + axis.toPixel(tick.time));
    painter.setPen(hairline(tick.major ? theme.mutedText : theme.border));
    painter.drawLine(QPointF(x, bottom - (tick.major ? kMajorTick : kMinorTick)), QPointF(x, bottom));
    if (!tick.major) continue;
    // A label stands right of its tick, and only whole.
    if (x + 4 + metrics.horizontalAdvance(tick.label) > rect.right()) continue;
    painter.setPen(theme.mutedText);
    painter.drawText(QPointF(x + 4, rect.top() + metrics.ascent() + 1), tick.label);
  }
  painter.restore();
}

void paintStepBand(QPainter& painter, const QRect& rect, common::Side side, const ViewState& state, const TimeAxis& axis,
                   const common::Theme& theme, const StepNote& note) {
  const Alignment& alignment = state.alignment();
  const QFontMetrics metrics(painter.font());
  painter.save();
  painter.setClipRect(rect);
  for (std::size_t i = 0; i < alignment.steps().size(); ++i) {
    const analysis::Step* step = alignment.step(side, i);
    if (step == nullptr) continue;
    const TimeRange range = alignment.toAligned(side, step->interval);
    const double left = std::max(axis.toPixel(range.start), -1.0);
    const double right = std::min(axis.toPixel(range.end), axis.width() + 1);
    if (right < 0 || left > axis.width()) continue;
    const QRectF segment(rect.left() + left, rect.top(), std::max(right - left, 1.0), rect.height());
    const bool aligned = alignment.anchor() == i;
    QColor fill = theme.laneAlternate;
    if (aligned) {
      fill = theme.accent;
      fill.setAlphaF(theme.dark ? 0.22F : 0.14F);
    }
    if (step->marks & analysis::step_mark::kWarmup) fill = theme.window;
    painter.fillRect(segment, fill);
    painter.setPen(hairline(theme.border));
    const double edge = snapped(painter, segment.left());
    painter.drawLine(QPointF(edge, rect.top()), QPointF(edge, rect.bottom() + 1));

    QString text = step->number ? QObject::tr("step %1").arg(*step->number) : QString::fromStdString(step->name).simplified();
    if (step->marks & analysis::step_mark::kWarmup) text += QObject::tr(" · warm-up");
    if (step->marks & analysis::step_mark::kOutlier) text += QObject::tr(" · outlier");
    const double room = segment.width() - 10;
    const QString more = note ? note(i) : QString();
    const QString withNote = more.isEmpty() ? text : text + QStringLiteral(" · ") + more;
    if (metrics.horizontalAdvance(withNote) <= room) text = withNote;
    if (metrics.horizontalAdvance(text) > room && step->number) text = QString::number(*step->number);
    if (room < metrics.averageCharWidth() * 2) continue;
    const bool quiet = (step->marks & analysis::step_mark::kWarmup) != 0;
    const bool flagged = (step->marks & analysis::step_mark::kOutlier) != 0;
    painter.setPen(flagged ? theme.warning : quiet ? theme.mutedText : theme.text);
    painter.drawText(segment.adjusted(6, 0, -4, 0), Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(text, Qt::ElideRight, static_cast<int>(room)));
  }
  painter.restore();
}

std::optional<std::size_t> stepUnder(common::Side side, const Alignment& alignment, double aligned) {
  for (std::size_t i = 0; i < alignment.steps().size(); ++i) {
    const analysis::Step* step = alignment.step(side, i);
    if (step == nullptr) continue;
    const TimeRange range = alignment.toAligned(side, step->interval);
    if (aligned >= range.start && aligned < range.end) return i;
  }
  return std::nullopt;
}

}  // namespace threewalls::timeline

#include "timeline/mark_overlay.h"

#include "common/badge.h"
#include "common/text.h"

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

using common::Side;

constexpr int kPole = 2;
constexpr int kNarrowest = 9;  ///< a flag without words
constexpr int kWidest = 240;
constexpr int kPadding = 5;
constexpr int kGap = 2;
constexpr int kFewestLetters = 4;
constexpr int kMostLetters = 300;  ///< of a note that are measured
constexpr int kMostListed = 8;     ///< marks in a tooltip
constexpr int kTip = 7;
constexpr double kShadeFrom = 3;  ///< pixels
constexpr float kShade = 0.10F;

QColor colourOf(const common::Theme& theme, Side side) {
  return side == Side::A ? theme.sideA : theme.sideB;
}

QColor faint(QColor colour, float alpha) {
  colour.setAlphaF(alpha);
  return colour;
}

/// A line that stays one device pixel wide and sharp.
void drawDown(QPainter& painter, double x, double top, double bottom) {
  const double ratio = painter.device()->devicePixelRatioF();
  const double sharp = (std::floor(x * ratio) + 0.5) / ratio;
  painter.drawLine(QPointF(sharp, top), QPointF(sharp, bottom));
}

QPen linePen(const QColor& colour, bool temporary) {
  QPen pen(colour, 1);
  pen.setCosmetic(true);
  // Dashed lines are the edges of steps.
  if (temporary) pen.setDashPattern({1, 3});
  return pen;
}

}  // namespace

std::vector<MarkFlag> MarkOverlay::flags(const QRect& band, const TimeAxis& axis, const QFontMetrics& metrics, bool both) const {
  struct Shown {
    int x;
    MarkOfSide of;
    const Mark* mark;
  };
  std::vector<Shown> shown;
  for (const Side side : common::kSides) {
    for (const Mark& mark : m_marks.of(side)) {
      const TimeRange range = m_state.alignment().toAligned(side, mark.interval);
      const double x = axis.toPixel(range.start);
      if (x >= axis.width() || std::max(axis.toPixel(range.end), x) < 0) continue;
      // A range that began before what is shown has its flag at the edge.
      shown.push_back({static_cast<int>(std::floor(std::max(x, 0.0))), {side, mark.id}, &mark});
    }
  }
  std::stable_sort(shown.begin(), shown.end(), [](const Shown& a, const Shown& b) { return a.x < b.x; });
  std::vector<MarkFlag> flags;
  for (std::size_t i = 0; i < shown.size();) {
    const std::size_t first = i;
    MarkFlag flag;
    while (i < shown.size() && shown[i].x < shown[first].x + kNarrowest + kGap) flag.marks.push_back(shown[i++].of);
    const int room = std::min((i < shown.size() ? shown[i].x - kGap : band.width()) - shown[first].x, kWidest);
    QString text;
    if (flag.marks.size() > 1) {
      text = QObject::tr("%1 marks").arg(flag.marks.size());
    } else {
      text = shown[first].mark->note.left(kMostLetters);
      if (both) text = (common::letter(shown[first].of.side) + QLatin1Char(' ') + text).trimmed();
    }
    const int letters = room - kPole - 2 * kPadding;
    if (metrics.horizontalAdvance(text) > letters) {
      text =
          letters < metrics.averageCharWidth() * kFewestLetters ? QString() : metrics.elidedText(text, Qt::ElideRight, letters);
    }
    const int width =
        text.isEmpty() ? std::min(kNarrowest, std::max(room, kPole)) : metrics.horizontalAdvance(text) + kPole + 2 * kPadding;
    flag.rect = QRect(band.left() + shown[first].x, band.top() + 1, width, band.height() - 3);
    flag.text = text;
    flags.push_back(std::move(flag));
  }
  return flags;
}

void MarkOverlay::paintBand(QPainter& painter, const QRect& band, const TimeAxis& axis, const common::Theme& theme,
                            bool both) const {
  const auto selected = m_marks.selected(m_selection);
  painter.save();
  painter.setClipRect(band);
  for (const MarkFlag& flag : flags(band, axis, QFontMetrics(painter.font()), both)) {
    const MarkOfSide& first = flag.marks.front();
    const QColor colour = colourOf(theme, first.side);
    const bool chosen = selected && std::find(flag.marks.begin(), flag.marks.end(), *selected) != flag.marks.end();
    const bool temporary = flag.marks.size() == 1 && m_marks.find(first)->temporary;
    if (temporary && !chosen) {
      QPen dashed(colour, 1, Qt::DotLine);
      painter.setPen(dashed);
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(QRectF(flag.rect).adjusted(0.5, 0.5, -0.5, -0.5));
    } else {
      painter.fillRect(flag.rect, chosen || flag.text.isEmpty() ? colour : faint(colour, theme.dark ? 0.30F : 0.20F));
    }
    painter.fillRect(QRect(flag.rect.left(), flag.rect.top(), kPole, band.bottom() + 1 - flag.rect.top()), colour);
    if (flag.text.isEmpty()) continue;
    painter.setPen(chosen ? common::readableTextOn(colour) : theme.text);
    painter.drawText(flag.rect.adjusted(kPole + kPadding, 0, 0, 0), Qt::AlignVCenter | Qt::TextSingleLine, flag.text);
  }
  painter.restore();
}

void MarkOverlay::paintRows(QPainter& painter, const QRect& rows, Side side, const TimeAxis& axis,
                            const common::Theme& theme) const {
  const QColor colour = colourOf(theme, side);
  for (const Mark& mark : m_marks.of(side)) {
    const TimeRange range = m_state.alignment().toAligned(side, mark.interval);
    const double left = axis.toPixel(range.start);
    const double right = axis.toPixel(range.end);
    if (left > axis.width() || right < 0) continue;
    const bool wide = !mark.slice && right - left >= kShadeFrom;
    if (wide) {
      const double x0 = std::max(left, 0.0);
      painter.fillRect(QRectF(rows.left() + x0, rows.top(), std::min(right, axis.width()) - x0, rows.height()),
                       faint(colour, kShade));
    }
    painter.setPen(linePen(colour, mark.temporary));
    if (left >= 0) drawDown(painter, rows.left() + left, rows.top(), rows.bottom() + 1);
    if (wide && right <= axis.width()) drawDown(painter, rows.left() + right, rows.top(), rows.bottom() + 1);
  }
}

void MarkOverlay::paintSlice(QPainter& painter, const QRect& slice, Side side, const common::Theme& theme) {
  const QPointF corner(slice.left() - 0.5, slice.top() - 0.5);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.window, 1.5));
  painter.setBrush(colourOf(theme, side));
  painter.drawPolygon(QPolygonF({corner, corner + QPointF(kTip + 2, 0), corner + QPointF(0, kTip + 2)}));
  painter.restore();
}

void MarkOverlay::paintMinimap(QPainter& painter, const QRect& rect, const TimeAxis& axis, const common::Theme& theme,
                               bool both) const {
  for (const Side side : common::kSides) {
    const int half = both ? rect.height() / 2 : rect.height();
    const int top = both && side == Side::B ? rect.top() + half : rect.top();
    for (const Mark& mark : m_marks.of(side)) {
      const double x = rect.left() + axis.toPixel(m_state.alignment().toAligned(side, mark.interval.start));
      const QRectF tick(std::clamp(std::round(x) - 1, 0.0, std::max(rect.width() - 2.0, 0.0)), top, 2, half - 2);
      painter.fillRect(tick.adjusted(-1, 0, 1, 1), theme.window);
      painter.fillRect(tick, colourOf(theme, side));
    }
  }
}

QString flagToolTip(const Marks& marks, const MarkFlag& flag) {
  QStringList lines;
  for (const MarkOfSide& of : flag.marks) {
    const Mark* mark = marks.find(of);
    if (mark == nullptr) continue;
    if (lines.size() == kMostListed) {
      lines << QObject::tr("and %1 more").arg(flag.marks.size() - kMostListed);
      break;
    }
    QString line = QStringLiteral("%1 · %2").arg(common::letter(of.side), common::duration(mark->interval.length()));
    if (mark->slice) line += QStringLiteral(" · ") + noteText(mark->name).left(80);
    if (!mark->note.isEmpty()) line += QStringLiteral(" · ") + mark->note;
    if (mark->temporary) line += QObject::tr(" · temporary");
    lines << line;
  }
  return common::literalToolTip(lines.join(QLatin1Char('\n')));
}

}  // namespace threewalls::timeline

#include "timeline/class_legend.h"

#include "common/text.h"

#include <QPainter>

#include <algorithm>

namespace threewalls::timeline {
namespace {

constexpr int kSwatch = 10;
constexpr int kGap = 6;
constexpr int kSpacing = 16;

QString nameOf(std::size_t i) {
  return common::toText(analysis::toText(static_cast<analysis::ColourClass>(i)));
}

}  // namespace

ClassLegend::ClassLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  QStringList names;
  for (std::size_t i = 0; i < analysis::kColourClassCount; ++i) names << nameOf(i);
  setAccessibleName(tr("Colours: %1").arg(names.join(QStringLiteral(", "))));
}

void ClassLegend::setTheme(const common::Theme& theme) {
  m_theme = theme;
  update();
}

int legendWidth(const QFontMetrics& metrics) {
  int width = 0;
  for (std::size_t i = 0; i < analysis::kColourClassCount; ++i)
    width += kSwatch + kGap + metrics.horizontalAdvance(nameOf(i)) + kSpacing;
  return width - kSpacing;
}

QSize ClassLegend::sizeHint() const {
  return {legendWidth(fontMetrics()), fontMetrics().height() + 4};
}

/// Two lines of four where one line of eight is too wide.
QSize ClassLegend::minimumSizeHint() const {
  return {sizeHint().width() / 2 + 40, 2 * fontMetrics().height() + 4};
}

void ClassLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintLegend(painter, rect(), m_theme);
}

void paintLegend(QPainter& painter, const QRect& rect, const common::Theme& theme) {
  const QFontMetrics metrics(painter.font());
  const int lines = rect.width() >= legendWidth(metrics) ? 1 : 2;
  const std::size_t perLine = analysis::kColourClassCount / static_cast<std::size_t>(lines);
  const int lineHeight = rect.height() / lines;
  // Columns as wide as their widest name; right-aligned as a whole.
  std::vector<int> widths(perLine);
  for (std::size_t i = 0; i < analysis::kColourClassCount; ++i) {
    int& width = widths[i % perLine];
    width = std::max(width, kSwatch + kGap + metrics.horizontalAdvance(nameOf(i)) + kSpacing);
  }
  int total = -kSpacing;
  for (const int width : widths) total += width;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < analysis::kColourClassCount; ++i) {
    int x = rect.left() + std::max(0, rect.width() - total);
    for (std::size_t k = 0; k < i % perLine; ++k) x += widths[k];
    const int top = rect.top() + static_cast<int>(i / perLine) * lineHeight;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.classes[i]);
    painter.drawRoundedRect(QRectF(x, top + (lineHeight - kSwatch) / 2.0, kSwatch, kSwatch), 2, 2);
    painter.setPen(theme.mutedText);
    painter.drawText(QRect(x + kSwatch + kGap, top, widths[i % perLine], lineHeight), Qt::AlignVCenter | Qt::TextSingleLine,
                     nameOf(i));
  }
  painter.restore();
}

}  // namespace threewalls::timeline

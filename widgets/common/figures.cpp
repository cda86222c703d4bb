#include "common/figures.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace threewalls::common {
namespace {

double digitWidth(const QFontMetricsF& metrics) {
  double widest = 0;
  for (char digit = '0'; digit <= '9'; ++digit) widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(digit)));
  return widest;
}

}  // namespace

double figuresWidth(const QFontMetricsF& metrics, const QString& text) {
  const double digit = digitWidth(metrics);
  double width = 0;
  for (const QChar character : text) width += character.isDigit() ? digit : metrics.horizontalAdvance(character);
  return width;
}

void drawFigures(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  const double digit = digitWidth(metrics);
  const double width = figuresWidth(metrics, text);
  double x = rect.left();
  if (alignment.testFlag(Qt::AlignRight)) x = rect.right() - width;
  if (alignment.testFlag(Qt::AlignHCenter)) x = rect.center().x() - width / 2;
  // On whole pixels, as styles place their text.
  const double baseline = std::floor(rect.top() + (rect.height() - metrics.height()) / 2) + std::floor(metrics.ascent());
  for (const QChar character : text) {
    const double advance = metrics.horizontalAdvance(character);
    const double cell = character.isDigit() ? digit : advance;
    painter.drawText(QPointF(x + (cell - advance) / 2, baseline), QString(character));
    x += cell;
  }
}

void FigureDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  if (!cell.displayAlignment.testFlag(Qt::AlignRight)) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  const QString text = cell.text;
  cell.text.clear();
  const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
  painter->save();
  painter->setFont(cell.font);
  const auto role = cell.state.testFlag(QStyle::State_Selected) ? QPalette::HighlightedText : QPalette::Text;
  painter->setPen(cell.palette.color(role));
  drawFigures(*painter, QRectF(cell.rect).adjusted(8, 0, -8, 0), Qt::AlignRight, text);
  painter->restore();
}

}  // namespace threewalls::common

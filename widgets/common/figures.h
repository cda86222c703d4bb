#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QStyledItemDelegate>

namespace threewalls::common {

/// Numbers whose digits stand below each other, in any font: Qt before 6.7 cannot ask a font for its tabular figures, so each
/// digit gets a cell as wide as the widest one.
double figuresWidth(const QFontMetricsF& metrics, const QString& text);
/// Draws `text` in the painter's font and pen, on one line, centred vertically; AlignLeft, AlignRight or AlignHCenter.
void drawFigures(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text);

/// Paints right-aligned cells with drawFigures and leaves the others to the style.
class FigureDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace threewalls::common

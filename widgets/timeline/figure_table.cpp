#include "timeline/figure_table.h"

#include "common/figures.h"
#include "common/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace threewalls::timeline {
namespace {

constexpr int kColumnGap = 14;
constexpr int kPadding = 4;
constexpr int kNarrowestWords = 110;
constexpr double kEvenColumn = 96;

}  // namespace

FigureTable::FigureTable(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FigureTable::setTheme(const common::Theme& theme) {
  m_theme = theme;
  update();
}

void FigureTable::setLines(const QStringList& header, std::vector<Line> lines) {
  const bool resized = lines.size() != m_lines.size() || header.size() != m_header.size();
  m_header = header;
  m_lines = std::move(lines);
  setAccessibleDescription(text());
  if (resized) updateGeometry();
  update();
}

QString FigureTable::text() const {
  QStringList out{m_header.join(QLatin1Char('\t'))};
  for (const Line& line : m_lines) out << line.cells.join(QLatin1Char('\t'));
  return out.join(QLatin1Char('\n'));
}

QSize FigureTable::sizeHint() const {
  return {320, static_cast<int>(m_lines.size() + 1) * lineHeight() + 1};
}

QSize FigureTable::minimumSizeHint() const {
  return {kNarrowestWords + static_cast<int>(std::max<qsizetype>(m_header.size() - 1, 0)) * 78, sizeHint().height()};
}

bool FigureTable::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = help->pos().y() / lineHeight() - 1;
    if (index >= 0 && index < static_cast<int>(m_lines.size()) && !m_lines[static_cast<std::size_t>(index)].toolTip.isEmpty()) {
      QToolTip::showText(help->globalPos(), common::literalToolTip(m_lines[static_cast<std::size_t>(index)].toolTip), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QWidget::event(event);
}

void FigureTable::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetricsF metrics(font());
  // Columns of figures are as wide as their widest cell; the words get the rest.
  std::vector<double> widths(static_cast<std::size_t>(m_header.size()), 0);
  const auto measure = [&](const QStringList& cells) {
    for (qsizetype k = 1; k < std::min(cells.size(), m_header.size()); ++k) {
      double& width = widths[static_cast<std::size_t>(k)];
      width = std::max(width, common::figuresWidth(metrics, cells[k]) + kColumnGap);
    }
  };
  measure(m_header);
  for (const Line& line : m_lines) measure(line.cells);
  // Room that the words do not need makes the columns of figures even.
  double needed = metrics.horizontalAdvance(m_header.value(0));
  for (const Line& line : m_lines) needed = std::max(needed, metrics.horizontalAdvance(line.cells.value(0)));
  double figures = std::accumulate(widths.begin(), widths.end(), 0.0);
  const double spare = width() - 2 * kPadding - needed - figures;
  for (std::size_t k = 1; k < widths.size() && spare > 0; ++k)
    widths[k] += std::min(spare / static_cast<double>(widths.size() - 1), std::max(0.0, kEvenColumn - widths[k]));
  figures = std::accumulate(widths.begin(), widths.end(), 0.0);
  const double words = width() - figures - 2 * kPadding;

  const int height = lineHeight();
  const auto paintLine = [&](int index, const QStringList& cells, const QColor& first, const QColor& others) {
    const double top = index * height;
    painter.setPen(first);
    if (!cells.isEmpty()) {
      const QRectF place(kPadding, top, words, height);
      painter.drawText(place, Qt::AlignVCenter | Qt::TextSingleLine, metrics.elidedText(cells[0], Qt::ElideMiddle, words));
    }
    painter.setPen(others);
    double x = kPadding + words;
    for (qsizetype k = 1; k < std::min(cells.size(), m_header.size()); ++k) {
      const double columnWidth = widths[static_cast<std::size_t>(k)];
      common::drawFigures(painter, QRectF(x, top, columnWidth, height), Qt::AlignRight, cells[k]);
      x += columnWidth;
    }
  };
  paintLine(0, m_header, m_theme.mutedText, m_theme.mutedText);
  for (std::size_t i = 0; i < m_lines.size(); ++i) {
    painter.setPen(QPen(m_lines[i].total ? m_theme.mutedText : m_theme.border, 1));
    const double y = static_cast<double>(i + 1) * height + 0.5;
    painter.drawLine(QPointF(0, y), QPointF(width(), y));
    paintLine(static_cast<int>(i) + 1, m_lines[i].cells, m_theme.text, m_theme.text);
  }
}

}  // namespace threewalls::timeline

#include "profile/waterfall_chart.h"

#include "common/figures.h"
#include "common/text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace threewalls::profile {
namespace {

constexpr double kBarShare = 0.64;  ///< of its column
constexpr int kGap = 4;             ///< between a bar and its labels

QFont boldOf(QFont font) {
  font.setBold(true);
  return font;
}

}  // namespace

WaterfallChart::WaterfallChart(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void WaterfallChart::setBars(std::vector<WaterfallBar> bars) {
  m_bars = std::move(bars);
  m_current.reset();
  QStringList spoken;
  for (const WaterfallBar& bar : m_bars) spoken << bar.label + QLatin1Char(' ') + bar.value;
  setAccessibleName(QStringLiteral("Waterfall"));
  setAccessibleDescription(spoken.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

void WaterfallChart::setTheme(const common::Theme& theme) {
  m_theme = theme;
  update();
}

QSize WaterfallChart::sizeHint() const {
  return minimumSizeHint() + QSize(80, 80);
}
QSize WaterfallChart::minimumSizeHint() const {
  // No word may be wider than its column.
  const QFontMetricsF bold(boldOf(font()));
  const QFontMetricsF normal(font());
  double widest = 0;
  for (const WaterfallBar& bar : m_bars) {
    for (const QString& word : bar.value.split(QLatin1Char(' '))) widest = std::max(widest, common::figuresWidth(bold, word));
    for (const QString& word : bar.label.split(QLatin1Char(' '))) widest = std::max(widest, normal.horizontalAdvance(word));
  }
  return {static_cast<int>((widest + 2 * kGap) * static_cast<double>(m_bars.size())) + 1, 13 * fontMetrics().height()};
}

QRectF WaterfallChart::columnRect(std::size_t bar) const {
  const double column = static_cast<double>(width()) / static_cast<double>(std::max<std::size_t>(m_bars.size(), 1));
  return QRectF(column * static_cast<double>(bar), 0, column, height());
}

QRectF WaterfallChart::barRect(std::size_t bar) const {
  base::Nanoseconds highest{1};
  for (const WaterfallBar& other : m_bars) highest = std::max({highest, other.from, other.to});
  const double line = fontMetrics().height();
  const double top = static_cast<double>(valueLines()) * line + 2 * kGap;
  const double bottom = height() - 2 * line - 2 * kGap;  // labels may take two lines
  const auto y = [&](base::Nanoseconds value) {
    return bottom - (bottom - top) * static_cast<double>(value.count()) / static_cast<double>(highest.count());
  };
  const QRectF column = columnRect(bar);
  const double high = y(std::max(m_bars[bar].from, m_bars[bar].to));
  const double low = y(std::min(m_bars[bar].from, m_bars[bar].to));
  return QRectF(column.left() + column.width() * (1 - kBarShare) / 2, high, column.width() * kBarShare, low - high);
}

qsizetype WaterfallChart::valueLines() const {
  const QFontMetricsF metrics(boldOf(font()));
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    if (common::figuresWidth(metrics, m_bars[i].value) > columnRect(i).width() - 2 * kGap) return 2;
  }
  return 1;
}

QColor WaterfallChart::colour(const WaterfallBar& bar) const {
  if (bar.part) return m_theme.of(*bar.part);
  return m_theme.mutedText;  // a whole step is no part: the colours of the sides are near those of parts
}

void WaterfallChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetricsF metrics(font());
  const QFont bold = boldOf(font());
  const qsizetype lines = valueLines();
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    const WaterfallBar& bar = m_bars[i];
    const QRectF column = columnRect(i);
    const QRectF rect = barRect(i);
    if (m_current == i) {
      painter.fillRect(column.adjusted(1, 0, -1, 0),
                       QColor(m_theme.accent.red(), m_theme.accent.green(), m_theme.accent.blue(), 28));
      if (hasFocus()) {
        painter.setPen(m_theme.accent);
        painter.drawRect(column.adjusted(1.5, 0.5, -1.5, -0.5));
      }
    }
    // A line to the next bar shows that it starts where this one ends.
    if (i + 1 < m_bars.size()) {
      const QRectF next = barRect(i + 1);
      const double y = bar.to >= bar.from ? rect.top() : rect.bottom();
      painter.setPen(QPen(m_theme.mutedText, 1, Qt::DotLine));
      painter.drawLine(QPointF(rect.right(), y), QPointF(next.left(), y));
    }
    // What is too small to see still gets a line.
    QRectF filled = rect;
    if (filled.height() < 2) filled = QRectF(rect.left(), rect.center().y() - 1, rect.width(), 2);
    painter.fillRect(filled, colour(bar));

    painter.setFont(bold);
    painter.setPen(m_theme.text);
    // Where columns are narrow the unit stands below its number.
    const QStringList words = lines == 1 ? QStringList{bar.value} : bar.value.split(QLatin1Char(' '));
    for (qsizetype word = 0; word < words.size(); ++word) {
      const double above = static_cast<double>(words.size() - word) * metrics.height() + kGap;
      common::drawFigures(painter, QRectF(column.left(), filled.top() - above, column.width(), metrics.height()),
                          Qt::AlignHCenter, words[word]);
    }
    painter.setFont(font());
    painter.setPen(m_theme.mutedText);
    const QRectF label(column.left() + 2, height() - 2 * metrics.height() - kGap, column.width() - 4, 2 * metrics.height());
    painter.drawText(label, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, bar.label);
  }
  if (m_bars.empty()) return;
  painter.setPen(m_theme.border);
  const double zero = barRect(m_bars.size() - 1).bottom();
  painter.drawLine(QPointF(0, zero), QPointF(width(), zero));
}

std::optional<std::size_t> WaterfallChart::barAt(const QPointF& position) const {
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    if (columnRect(i).contains(position)) return i;
  }
  return std::nullopt;
}

QString WaterfallChart::explanation(std::size_t index) const {
  const WaterfallBar& bar = m_bars[index];
  const base::Nanoseconds value = bar.to - bar.from;
  if (!bar.part) return tr("Mean step of %1: %2").arg(bar.label.left(1), common::exactNanoseconds(value));
  return common::toText(analysis::label(*bar.part)) + QStringLiteral(": ") + common::exactNanoseconds(value) +
         tr(" a step\nClick: show the longest stretch on the timeline");
}

void WaterfallChart::setCurrent(std::optional<std::size_t> bar) {
  if (m_current == bar) return;
  m_current = bar;
  setCursor(bar ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void WaterfallChart::mouseMoveEvent(QMouseEvent* event) {
  setCurrent(barAt(event->position()));
}
void WaterfallChart::leaveEvent(QEvent*) {
  setCurrent(std::nullopt);
}

void WaterfallChart::mousePressEvent(QMouseEvent* event) {
  const auto bar = barAt(event->position());
  if (event->button() == Qt::LeftButton && bar) emit chosen(*bar);
}

void WaterfallChart::keyPressEvent(QKeyEvent* event) {
  if (m_bars.empty()) return QWidget::keyPressEvent(event);
  const std::size_t last = m_bars.size() - 1;
  const std::size_t current = m_current.value_or(0);
  if (event->key() == Qt::Key_Left)
    setCurrent(current == 0 ? 0 : current - 1);
  else if (event->key() == Qt::Key_Right)
    setCurrent(m_current ? std::min(current + 1, last) : 0);
  else if (event->key() == Qt::Key_Home)
    setCurrent(0);
  else if (event->key() == Qt::Key_End)
    setCurrent(last);
  else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current)
    emit chosen(*m_current);
  else
    return QWidget::keyPressEvent(event);
  if (m_current)
    QToolTip::showText(mapToGlobal(barRect(*m_current).topRight().toPoint()), common::literalToolTip(explanation(*m_current)),
                       this);
}

void WaterfallChart::focusInEvent(QFocusEvent* event) {
  if (!m_current && !m_bars.empty() && (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason))
    setCurrent(0);
  QWidget::focusInEvent(event);
}

bool WaterfallChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto bar = barAt(help->pos()))
    QToolTip::showText(help->globalPos(), common::literalToolTip(explanation(*bar)), this);
  else
    QToolTip::hideText();
  return true;
}

}  // namespace threewalls::profile

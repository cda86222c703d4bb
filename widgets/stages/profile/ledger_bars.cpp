#include "profile/ledger_bars.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/figures.h"
#include "common/text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace threewalls::profile {
namespace {

using analysis::LedgerPart;
namespace mark = analysis::step_mark;

constexpr int kBadge = 24;
constexpr int kSelectedBar = 3;
constexpr int kGap = 8;

/// "outlier, open end"; empty for a step without marks.
QString marksText(const analysis::Step& step) {
  QStringList marks;
  if (step.marks & mark::kWarmup) marks << QStringLiteral("warm-up");
  if (step.marks & mark::kOutlier) marks << QStringLiteral("outlier");
  if (step.marks & mark::kOpenEnd) marks << QStringLiteral("open end");
  return marks.join(QStringLiteral(", "));
}

QString valueText(const analysis::Step& step) {
  const QString marks = marksText(step);
  const QString time = common::duration(step.ledger.duration);
  return marks.isEmpty() ? time : time + QStringLiteral(" · ") + marks;
}

QString explanation(const LedgerRow& row) {
  const analysis::Ledger& ledger = row.step->ledger;
  QString text =
      common::letter(row.side) + QLatin1Char(' ') + row.label + QStringLiteral(": ") + common::exactNanoseconds(ledger.duration);
  for (const LedgerPart part : analysis::kLedgerParts) {
    const base::Nanoseconds time = analysis::part(ledger, part);
    const double share =
        ledger.duration.count() == 0 ? 0 : static_cast<double>(time.count()) / static_cast<double>(ledger.duration.count());
    text += QLatin1Char('\n') + common::toText(analysis::label(part)) + QStringLiteral(": ") + common::exactNanoseconds(time) +
            QStringLiteral(", ") + QString::fromStdString(base::formatPercent(share)) + QStringLiteral(" of the step");
  }
  if (row.step->hostDuration.count() > 0) {
    text += QStringLiteral("\nmarker on the host: ") + common::exactNanoseconds(row.step->hostDuration);
  }
  return text;
}

}  // namespace

std::vector<LedgerRow> ledgerRows(const common::Document& document) {
  std::vector<LedgerRow> rows;
  for (const common::Side side : common::kSides) {
    if (!document.run(side)) continue;
    const auto& lanes = document.run(side)->analysis->lanes;
    for (const analysis::DeviceLane& lane : lanes) {
      for (const analysis::Step& step : lane.steps) {
        QString label = step.number ? QStringLiteral("step %1").arg(*step.number) : common::toText(step.name);
        if (lanes.size() > 1) label = QStringLiteral("GPU %1 ").arg(lane.device) + label;
        rows.push_back({side, label, &step, lane.device});
      }
    }
  }
  return rows;
}

std::optional<std::size_t> rowOf(const std::vector<LedgerRow>& rows, const common::Document& document,
                                 const common::Selection& selection) {
  const auto& range = selection.range();
  const auto& slice = selection.slice();
  if (range) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const base::Interval step = rows[i].step->interval;
      if (rows[i].side == range->side && range->range.start >= step.start && range->range.end <= step.end) return i;
    }
    return std::nullopt;
  }
  if (!slice || !document.run(slice->side)) return std::nullopt;
  const analysis::Analysis& analysis = *document.run(slice->side)->analysis;
  const base::Nanoseconds start = analysis.trace->interval(slice->event).start;
  const trace::Lane& lane = analysis.trace->lane(slice->event.lane);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const base::Interval step = rows[i].step->interval;
    if (rows[i].side != slice->side || start < step.start || start >= step.end) continue;
    // A slice of a GPU belongs to the steps of that GPU; the host's work is shown with the first.
    if (lane.key.kind != trace::LaneKind::GpuStream || lane.key.device == rows[i].device) return i;
  }
  return std::nullopt;
}

LedgerBars::LedgerBars(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LedgerBars::setRows(std::vector<LedgerRow> rows) {
  m_rows = std::move(rows);
  m_current.reset();
  m_selected.reset();
  m_longest = base::Nanoseconds(1);
  m_labelWidth = m_valueWidth = 0;
  const QFontMetricsF metrics(font());
  for (const LedgerRow& row : m_rows) {
    m_longest = std::max(m_longest, row.step->ledger.duration);
    m_labelWidth = std::max(m_labelWidth, static_cast<int>(common::figuresWidth(metrics, row.label)) + 2);
    m_valueWidth = std::max(m_valueWidth, static_cast<int>(common::figuresWidth(metrics, valueText(*row.step))) + 2);
  }
  m_labelWidth = std::min(m_labelWidth, 160);
  setAccessibleName(tr("Parts of each step, %n steps", nullptr, static_cast<int>(m_rows.size())));
  updateGeometry();
  update();
}

void LedgerBars::setSelected(std::optional<std::size_t> row) {
  if (row == m_selected) return;
  m_selected = row;
  update();
}

void LedgerBars::setTheme(const common::Theme& theme) {
  m_theme = theme;
  update();
}

int LedgerBars::rowHeight() const {
  return fontMetrics().height() + 10;
}
QSize LedgerBars::sizeHint() const {
  return {480, rowHeight() * static_cast<int>(m_rows.size())};
}
QSize LedgerBars::minimumSizeHint() const {
  return {kBadge + 2 * kGap + m_labelWidth + m_valueWidth + 120, sizeHint().height()};
}

QRect LedgerBars::rowRect(std::size_t row) const {
  return {0, rowHeight() * static_cast<int>(row), width(), rowHeight()};
}

QRectF LedgerBars::barRect(std::size_t row) const {
  const double left = kBadge + kGap + m_labelWidth + kGap;
  const double space = std::max(10.0, width() - left - kGap - m_valueWidth);
  const double share = static_cast<double>(m_rows[row].step->ledger.duration.count()) / static_cast<double>(m_longest.count());
  return QRectF(rowRect(row)).adjusted(left, 2, 0, -2).intersected(QRectF(left, 0, space * share, height()));
}

void LedgerBars::paintRow(QPainter& painter, std::size_t index) const {
  const LedgerRow& row = m_rows[index];
  const QRect rect = rowRect(index);
  if (m_current == index) {
    painter.fillRect(rect, QColor(m_theme.accent.red(), m_theme.accent.green(), m_theme.accent.blue(), 28));
    if (hasFocus()) {
      painter.setPen(m_theme.accent);
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
  }
  if (m_selected == index) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.accent);
    painter.drawRect(QRect(rect.left(), rect.top() + 1, kSelectedBar, rect.height() - 2));
  }
  const QColor badge = row.side == common::Side::A ? m_theme.sideA : m_theme.sideB;
  const QRectF badgeRect(kSelectedBar + 3, rect.center().y() - 7.5, 16, 16);
  painter.setPen(Qt::NoPen);
  painter.setBrush(badge);
  painter.drawRoundedRect(badgeRect, 3, 3);
  painter.setPen(common::readableTextOn(badge));
  painter.drawText(badgeRect, Qt::AlignCenter, common::letter(row.side));

  painter.setPen(m_theme.mutedText);
  const QString label = fontMetrics().elidedText(row.label, Qt::ElideMiddle, m_labelWidth);
  common::drawFigures(painter, QRectF(kBadge + kGap, rect.top(), m_labelWidth, rect.height()), Qt::AlignLeft, label);

  const QRectF bar = barRect(index);
  const analysis::Ledger& ledger = row.step->ledger;
  base::Nanoseconds before{0};
  const double scale = ledger.duration.count() == 0 ? 0 : bar.width() / static_cast<double>(ledger.duration.count());
  for (const LedgerPart part : analysis::kLedgerParts) {
    const base::Nanoseconds time = analysis::part(ledger, part);
    const double left = bar.left() + static_cast<double>(before.count()) * scale;
    painter.fillRect(QRectF(left, bar.top(), static_cast<double>(time.count()) * scale, bar.height()), m_theme.of(part));
    before += time;
  }
  painter.setPen(row.step->steady() ? m_theme.text : m_theme.mutedText);
  common::drawFigures(painter, QRectF(bar.right() + kGap, rect.top(), m_valueWidth, rect.height()), Qt::AlignLeft,
                      valueText(*row.step));
}

void LedgerBars::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  const auto first = static_cast<std::size_t>(std::max(0, event->rect().top() / rowHeight()));
  const auto last = static_cast<std::size_t>(std::max(0, event->rect().bottom() / rowHeight()));
  for (std::size_t row = first; row <= last && row < m_rows.size(); ++row) paintRow(painter, row);
}

std::optional<std::size_t> LedgerBars::rowAt(const QPoint& position) const {
  if (position.y() < 0) return std::nullopt;
  const auto row = static_cast<std::size_t>(position.y() / rowHeight());
  return row < m_rows.size() ? std::optional(row) : std::nullopt;
}

void LedgerBars::setCurrent(std::optional<std::size_t> row) {
  if (m_current == row) return;
  m_current = row;
  setCursor(row ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setAccessibleDescription(row ? explanation(m_rows[*row]) : QString());
  update();
}

void LedgerBars::mouseMoveEvent(QMouseEvent* event) {
  setCurrent(rowAt(event->position().toPoint()));
}
void LedgerBars::leaveEvent(QEvent*) {
  setCurrent(std::nullopt);
}

void LedgerBars::mousePressEvent(QMouseEvent* event) {
  const auto row = rowAt(event->position().toPoint());
  if (event->button() == Qt::LeftButton && row) emit chosen(m_rows[*row]);
}

void LedgerBars::keyPressEvent(QKeyEvent* event) {
  if (m_rows.empty()) return QWidget::keyPressEvent(event);
  const std::size_t last = m_rows.size() - 1;
  const std::size_t current = m_current.value_or(0);
  if (event->key() == Qt::Key_Up)
    setCurrent(current == 0 ? 0 : current - 1);
  else if (event->key() == Qt::Key_Down)
    setCurrent(m_current ? std::min(current + 1, last) : 0);
  else if (event->key() == Qt::Key_Home)
    setCurrent(0);
  else if (event->key() == Qt::Key_End)
    setCurrent(last);
  else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current)
    return emit chosen(m_rows[*m_current]);
  else
    return QWidget::keyPressEvent(event);
  emit movedTo(rowRect(*m_current));
}

bool LedgerBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto row = rowAt(help->pos()))
    QToolTip::showText(help->globalPos(), common::literalToolTip(explanation(m_rows[*row])), this);
  else
    QToolTip::hideText();
  return true;
}

}  // namespace threewalls::profile

#include "timeline/info_box.h"

#include <QPainter>

#include <algorithm>

namespace threewalls::timeline {
namespace {

constexpr int kPadding = 8;
constexpr int kGap = 4;
constexpr int kWidest = 560;

}  // namespace

InfoBox::InfoBox(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void InfoBox::setTheme(const common::Theme& theme) {
  m_theme = theme;
  update();
}

void InfoBox::showAt(const QRect& anchor, const QStringList& lines) {
  m_lines = lines;
  const QFontMetrics metrics(font());
  int width = 0;
  for (const QString& line : lines) width = std::max(width, metrics.horizontalAdvance(line));
  width = std::min({width + 2 * kPadding + 4, kWidest, parentWidget()->width() - 2 * kGap});
  const int height = static_cast<int>(lines.size()) * metrics.lineSpacing() + 2 * kPadding;
  int x = std::clamp(anchor.left(), kGap, std::max(kGap, parentWidget()->width() - width - kGap));
  int y = anchor.bottom() + 1 + kGap;
  if (y + height > parentWidget()->height() - kGap) y = std::max(kGap, anchor.top() - kGap - height);
  setGeometry(x, y, width, height);
  show();
  raise();
  update();
}

void InfoBox::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(m_theme.border, 1));
  painter.setBrush(m_theme.panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  const QFontMetrics metrics(font());
  int y = kPadding;
  bool first = true;
  for (const QString& line : m_lines) {
    painter.setPen(first ? m_theme.text : m_theme.mutedText);
    const QRect place(kPadding, y, width() - 2 * kPadding, metrics.lineSpacing());
    painter.drawText(place, Qt::AlignVCenter | Qt::TextSingleLine, metrics.elidedText(line, Qt::ElideMiddle, place.width()));
    y += metrics.lineSpacing();
    first = false;
  }
}

}  // namespace threewalls::timeline

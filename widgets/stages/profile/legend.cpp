#include "profile/legend.h"

#include <QPainter>

#include <algorithm>

namespace threewalls::profile {
namespace {

constexpr int kSwatch = 10;
constexpr int kSpace = 6;
constexpr int kBetween = 16;

}  // namespace

Legend::Legend(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void Legend::setEntries(std::vector<Entry> entries) {
  m_entries = std::move(entries);
  QStringList words;
  for (const Entry& entry : m_entries) words << entry.text;
  setAccessibleName(words.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

std::vector<QRect> Legend::places(int width) const {
  std::vector<QRect> places;
  const int line = fontMetrics().height() + 4;
  int x = 0;
  int y = 0;
  for (const Entry& entry : m_entries) {
    const int needed = kSwatch + kSpace + fontMetrics().horizontalAdvance(entry.text);
    if (x > 0 && x + needed > width) {
      x = 0;
      y += line;
    }
    places.emplace_back(x, y, needed, line);
    x += needed + kBetween;
  }
  return places;
}

int Legend::heightForWidth(int width) const {
  const auto all = places(width);
  return all.empty() ? 0 : all.back().bottom() + 1;
}

QSize Legend::sizeHint() const {
  return {400, heightForWidth(400)};
}
QSize Legend::minimumSizeHint() const {
  return {120, fontMetrics().height() + 4};
}

void Legend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const auto all = places(width());
  painter.setPen(palette().color(QPalette::WindowText));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const QRect& place = all[i];
    painter.fillRect(QRect(place.left(), place.center().y() - kSwatch / 2, kSwatch, kSwatch), m_entries[i].colour);
    painter.drawText(place.adjusted(kSwatch + kSpace, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, m_entries[i].text);
  }
}

}  // namespace threewalls::profile

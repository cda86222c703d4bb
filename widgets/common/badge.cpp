#include "common/badge.h"

namespace threewalls::common {

QString letter(Side side) {
  return side == Side::A ? QStringLiteral("A") : QStringLiteral("B");
}

Badge::Badge(Side side, QWidget* parent) : QLabel(letter(side), parent) {
  setProperty("badge", letter(side));
  setAlignment(Qt::AlignCenter);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(QStringLiteral("side ") + letter(side));
}

}  // namespace threewalls::common

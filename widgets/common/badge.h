#pragma once

#include "common/document.h"

#include <QLabel>

namespace threewalls::common {

/// The coloured "A" or "B" that marks a side everywhere. The style sheet gives the colour.
class Badge : public QLabel {
 public:
  explicit Badge(Side side, QWidget* parent = nullptr);
};

/// "A" or "B".
QString letter(Side side);

}  // namespace threewalls::common

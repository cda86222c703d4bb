#pragma once

#include <QWidget>

namespace threewalls::common {

/// Gives a widget this fixed width, height or size (an edge of 0 is left free) at the text size of now, and another in proportion
/// whenever the application's font changes.
void sizeFollowsText(QWidget* widget, QSize size);

}  // namespace threewalls::common

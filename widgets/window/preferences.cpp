#include "window/preferences.h"

namespace threewalls::window {

void Preferences::addRecent(const QString& path) {
  constexpr qsizetype kMost = 8;
  QStringList paths = recent();
  paths.removeAll(path);
  paths.prepend(path);
  write(QStringLiteral("recent"), paths.mid(0, kMost));
}

}  // namespace threewalls::window

#pragma once

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace threewalls::window {

class MainWindow;

/// Waits until what was asked for is loaded, then renders every view in each of `themes` to DIR/STAGE_VIEW_THEME.png (or
/// empty_THEME.png when nothing is open). The file names that were written, or what went wrong.
base::Result<QStringList> grabViews(MainWindow& window, const QString& directory, const QStringList& themes);

}  // namespace threewalls::window

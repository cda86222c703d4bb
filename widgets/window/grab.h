#pragma once

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace threewalls::window {

class MainWindow;

/// Waits until what was asked for is loaded, then renders every view in each of `themes` to DIR/STAGE_VIEW_THEME.png (or
/// empty_THEME.png when nothing is open). The file names that were written, or what went wrong.
base::Result<QStringList> grabViews(MainWindow& window, const QString& directory, const QStringList& themes);

/// Waits as grabViews, then writes the picture of the timeline that "Save picture" gives: PNG at twice the size, SVG or PDF, by
/// the ending of `file`. `theme` may be empty: "print" for SVG and PDF, "light" for PNG. Fails when nothing is open.
base::Result<void> writeTimelinePicture(MainWindow& window, const QString& file, const QString& theme);

}  // namespace threewalls::window

#pragma once

#include "base/units.h"

#include <QLabel>
#include <QString>

#include <string_view>

namespace threewalls::common {

/// UTF-8 text of core or of a file as one line: line breaks and control characters become blanks, broken UTF-8 the replacement
/// character. Never to be read as rich text.
QString toText(std::string_view text);

/// "127.4 ms" and "+3.34 ms" (core's formatting), and "127,416,093 ns" for tooltips.
QString duration(base::Nanoseconds value);
QString signedDuration(base::Nanoseconds value);
QString exactNanoseconds(base::Nanoseconds value);

/// What a label is for; the style sheet gives it colour.
enum class TextRole { Normal, Muted, Good, Warning, Bad };

/// A wrapping label that shows its text literally, whatever a file put into it.
QLabel* plainLabel(const QString& text, TextRole role = TextRole::Normal, QWidget* parent = nullptr);
void setTextRole(QLabel* label, TextRole role);
/// Sizes beside the application's own; the style sheet gives them, because it would undo a font that is set on a widget.
enum class TextSize { Normal, Small, Large, Title, Figure };
void setTextSize(QWidget* widget, TextSize size, bool bold = false);

/// A tooltip that shows its text literally: Qt guesses markup from the text otherwise.
QString literalToolTip(const QString& text);

}  // namespace threewalls::common

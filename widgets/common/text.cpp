#include "common/text.h"

#include "base/format.h"

#include <QLocale>
#include <QStyle>

namespace threewalls::common {

QString toText(std::string_view text) {
  QString result = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  for (QChar& character : result) {
    if (character.category() == QChar::Other_Control || character == QChar::LineSeparator ||
        character == QChar::ParagraphSeparator) {
      character = QLatin1Char(' ');
    }
  }
  return result;
}

QString duration(base::Nanoseconds value) {
  return QString::fromStdString(base::formatDuration(value));
}
QString signedDuration(base::Nanoseconds value) {
  return QString::fromStdString(base::formatSignedDuration(value));
}

QString exactNanoseconds(base::Nanoseconds value) {
  const QString digits = QLocale(QLocale::English).toString(static_cast<qlonglong>(value.count()));
  return QString(digits).replace(QLatin1Char('-'), QChar(0x2212)) + QStringLiteral(" ns");
}

QLabel* plainLabel(const QString& text, TextRole role, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setText(text);
  label->setWordWrap(true);
  setTextRole(label, role);
  return label;
}

namespace {

/// Makes the style sheet look at changed properties.
void polishAgain(QWidget* widget) {
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

}  // namespace

void setTextRole(QLabel* label, TextRole role) {
  static constexpr const char* kNames[] = {"normal", "muted", "good", "warning", "bad"};
  label->setProperty("role", QString::fromLatin1(kNames[static_cast<std::size_t>(role)]));
  polishAgain(label);
}

void setTextSize(QWidget* widget, TextSize size, bool bold) {
  static constexpr const char* kNames[] = {"normal", "small", "large", "title", "figure"};
  widget->setProperty("textSize", QString::fromLatin1(kNames[static_cast<std::size_t>(size)]));
  widget->setProperty("bold", bold);
  polishAgain(widget);
}

QString literalToolTip(const QString& text) {
  // Long names have no blanks to break at: offer one after each separator.
  QString breakable;
  for (const QChar character : text) {
    breakable += character;
    if (QStringLiteral(",:;/(<_").contains(character)) breakable += QChar(0x200B);
  }
  return QStringLiteral("<p style='white-space:pre-wrap'>") + breakable.toHtmlEscaped() + QStringLiteral("</p>");
}

}  // namespace threewalls::common

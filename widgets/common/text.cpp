#include "common/text.h"

#include "base/format.h"

#include <QApplication>
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

void setTextRole(QLabel* label, TextRole role) {
  static constexpr const char* kNames[] = {"normal", "muted", "good", "warning", "bad"};
  label->setProperty("role", QString::fromLatin1(kNames[static_cast<std::size_t>(role)]));
  label->style()->unpolish(label);
  label->style()->polish(label);
}

void setTextSize(QWidget* widget, double factor, bool bold) {
  QFont font = QApplication::font();
  font.setPointSizeF(font.pointSizeF() * factor);
  font.setBold(bold);
  widget->setFont(font);
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

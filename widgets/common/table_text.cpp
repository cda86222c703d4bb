#include "common/table_text.h"

namespace threewalls::common {
namespace {

/// The value to export from a cell or heading.
template <class Read>
QVariant exported(const Read& read) {
  const QVariant value = read(kExportRole);
  return value.isValid() ? value : read(Qt::DisplayRole);
}

QString csvField(const QVariant& value) {
  QString text = value.toString();
  if (value.typeId() == QMetaType::QString && !text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text.front())) {
    text.prepend(QLatin1Char('\''));
  }
  if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n')) &&
      !text.contains(QLatin1Char('\r'))) {
    return text;
  }
  return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

QString markdownCell(const QString& text) {
  QString escaped;
  for (const QChar character : text) {
    if (character == QLatin1Char('\n') || character == QLatin1Char('\r')) {
      escaped += QLatin1Char(' ');
      continue;
    }
    if (QStringLiteral("\\|`*_<>[]#&").contains(character)) escaped += QLatin1Char('\\');
    escaped += character;
  }
  return escaped;
}

}  // namespace

QString toCsv(const QAbstractItemModel& model) {
  QString csv;
  for (int row = -1; row < model.rowCount(); ++row) {
    for (int column = 0; column < model.columnCount(); ++column) {
      if (column > 0) csv += QLatin1Char(',');
      csv += csvField(row < 0 ? exported([&](int role) { return model.headerData(column, Qt::Horizontal, role); })
                              : exported([&](int role) { return model.index(row, column).data(role); }));
    }
    csv += QLatin1Char('\n');
  }
  return csv;
}

QString toMarkdown(const QAbstractItemModel& model) {
  QString headings = QStringLiteral("|");
  QString rule = QStringLiteral("|");
  for (int column = 0; column < model.columnCount(); ++column) {
    headings += QLatin1Char(' ') + markdownCell(model.headerData(column, Qt::Horizontal).toString()) + QStringLiteral(" |");
    const auto alignment = model.rowCount() > 0 ? model.index(0, column).data(Qt::TextAlignmentRole).toInt() : 0;
    rule += (alignment & Qt::AlignRight) != 0 ? QStringLiteral("---:|") : QStringLiteral("---|");
  }
  QString markdown = headings + QLatin1Char('\n') + rule + QLatin1Char('\n');
  for (int row = 0; row < model.rowCount(); ++row) {
    markdown += QLatin1Char('|');
    for (int column = 0; column < model.columnCount(); ++column) {
      markdown += QLatin1Char(' ') + markdownCell(model.index(row, column).data().toString()) + QStringLiteral(" |");
    }
    markdown += QLatin1Char('\n');
  }
  return markdown;
}

}  // namespace threewalls::common

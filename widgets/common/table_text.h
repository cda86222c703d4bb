#pragma once

#include <QAbstractItemModel>
#include <QString>

namespace threewalls::common {

/// Role of the value that leaves the program: full names, plain integers with the unit in the heading. Falls back to DisplayRole.
constexpr int kExportRole = Qt::UserRole + 100;

/// All rows as CSV (RFC 4180, one heading line, LF), in the order of the model. A text that a spreadsheet would take for a
/// formula starts with an apostrophe.
QString toCsv(const QAbstractItemModel& model);
/// All rows as a Markdown table, as displayed; numbers align right.
QString toMarkdown(const QAbstractItemModel& model);

}  // namespace threewalls::common

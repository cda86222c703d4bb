#pragma once

#include <QStandardItemModel>
#include <QTableView>

namespace threewalls::window {

/// A cell that is read, not edited; its tooltip has the text as it stands.
QStandardItem* plainCell(const QString& text);

/// A table of whole rows without a grid that takes over the model. Columns are as wide as what stands in them, `stretched` takes
/// the rest.
QTableView* plainTable(QStandardItemModel* model, int stretched);

}  // namespace threewalls::window

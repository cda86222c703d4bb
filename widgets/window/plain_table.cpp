#include "window/plain_table.h"

#include "common/figures.h"
#include "common/text.h"

#include <QHeaderView>

namespace threewalls::window {

QStandardItem* plainCell(const QString& text) {
  auto* item = new QStandardItem(text);
  item->setEditable(false);
  item->setToolTip(common::literalToolTip(text));
  return item;
}

QTableView* plainTable(QStandardItemModel* model, int stretched) {
  auto* table = new QTableView;
  model->setParent(table);
  table->setModel(model);
  table->setItemDelegate(new common::FigureDelegate(table));
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTextElideMode(Qt::ElideMiddle);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 10);
  table->horizontalHeader()->setHighlightSections(false);
  for (int column = 0; column < model->columnCount(); ++column) {
    table->horizontalHeader()->setSectionResizeMode(column,
                                                    column == stretched ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
  }
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  return table;
}

}  // namespace threewalls::window

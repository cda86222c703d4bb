#include "profile/kernel_columns.h"

#include "common/figures.h"
#include "profile/kernel_table_model.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace threewalls::profile {
namespace {

constexpr int kPadding = 20;
constexpr int kSortArrow = 14;
constexpr int kLeastName = 240;

}  // namespace

void dressKernelTable(QTableView* table) {
  table->setItemDelegate(new common::FigureDelegate(table));
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTextElideMode(Qt::ElideMiddle);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 10);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
}

void fitKernelColumns(QTableView* table, const KernelTableModel& model, bool compact) {
  const QFontMetrics metrics = table->fontMetrics();
  const auto width = [&](const QString& text) { return metrics.horizontalAdvance(text) + kPadding; };
  int name = -1;
  int used = 0;
  for (int section = 0; section < model.columnCount(); ++section) {
    using Column = KernelTableModel::Column;
    const Column column = model.column(section);
    const bool optional = column == Column::Class || column == Column::ShareA || column == Column::ShareB;
    table->setColumnHidden(section, compact && optional);
    if (compact && optional) continue;
    if (column == Column::Name) {
      name = section;
      continue;
    }
    int needed = width(model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString());
    if (table->isSortingEnabled()) needed += kSortArrow;
    if (column == Column::Class) needed = width(QStringLiteral("Generic pointwise / reduce")) + 16;
    if (column == Column::TimeA || column == Column::TimeB || column == Column::Delta) {
      needed = std::max(needed, width(QStringLiteral("−888.8 ms")));
    }
    table->setColumnWidth(section, needed);
    used += needed;
  }
  if (name >= 0) table->setColumnWidth(name, std::max(kLeastName, table->viewport()->width() - used));
}

}  // namespace threewalls::profile

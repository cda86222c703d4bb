#include "profile/kernel_table.h"

#include "common/figures.h"
#include "profile/kernel_table_model.h"

#include <QAbstractProxyModel>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace threewalls::profile {
namespace {

constexpr int kPadding = 20;
constexpr int kSortArrow = 16;
constexpr int kSwatch = 24;
constexpr int kLeastName = 240;

}  // namespace

KernelTable::KernelTable(const KernelTableModel* source, QWidget* parent) : QTableView(parent), m_source(source) {
  setItemDelegate(new common::FigureDelegate(this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setShowGrid(false);
  setWordWrap(false);
  setTextElideMode(Qt::ElideMiddle);
  setTabKeyNavigation(false);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
}

void KernelTable::follow(const common::Document& document, const common::Selection& selection) {
  connect(&selection, &common::Selection::changed, this, [this, &document, &selection] {
    const auto& slice = selection.slice();
    std::optional<int> row;
    if (slice && document.run(slice->side)) {
      const trace::Trace& trace = *document.run(slice->side)->analysis->trace;
      if (trace::isGpuEvent(trace.kind(slice->event)))
        row = m_source->rowOf(slice->side, trace.subLane(slice->event).name(slice->event.index));
    }
    const auto* shown = qobject_cast<const QAbstractProxyModel*>(model());
    const QModelIndex index = row ? shown->mapFromSource(m_source->index(*row, 0)) : QModelIndex();
    // Only where it is another row: Qt scrolls to the current one.
    if (index.row() == currentIndex().row() && index.isValid() == currentIndex().isValid()) return;
    setCurrentIndex(index);
    if (!index.isValid()) clearSelection();
  });
}

int KernelTable::neededWidth(int section) const {
  const auto width = [this](const QString& text) { return fontMetrics().horizontalAdvance(text) + kPadding; };
  const int sorted = isSortingEnabled() ? kSortArrow : 0;
  const int heading = width(m_source->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString()) + sorted;
  switch (m_source->column(section)) {
    case KernelTableModel::Name: return kLeastName;
    case KernelTableModel::Class: return width(QStringLiteral("Expert grouped GEMM")) + kSwatch;
    case KernelTableModel::TimeA:
    case KernelTableModel::TimeB:
    case KernelTableModel::Delta: return std::max(heading, width(QStringLiteral("−888.8 ms")));
    default: return std::max(heading, width(QStringLiteral("88.8 %")));
  }
}

void KernelTable::fitColumns() {
  const int room = viewport()->width();
  const int sections = m_source->columnCount();
  int all = 0;
  for (int section = 0; section < sections; ++section) all += neededWidth(section);
  const bool compact = all > room;
  int used = 0;
  for (int section = 0; section < sections; ++section) {
    const auto column = m_source->column(section);
    const bool optional =
        column == KernelTableModel::Class || column == KernelTableModel::ShareA || column == KernelTableModel::ShareB;
    setColumnHidden(section, compact && optional);
    if (isColumnHidden(section) || column == KernelTableModel::Name) continue;
    setColumnWidth(section, neededWidth(section));
    used += neededWidth(section);
  }
  if (const auto name = m_source->section(KernelTableModel::Name)) setColumnWidth(*name, std::max(kLeastName, room - used));
}

void KernelTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitColumns();
}

void KernelTable::keyPressEvent(QKeyEvent* event) {
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
    emit clicked(currentIndex());
  else
    QTableView::keyPressEvent(event);
}

void KernelTable::focusInEvent(QFocusEvent* event) {
  // Who comes by keyboard sees where the keyboard is.
  const bool byKey = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  if (byKey && !currentIndex().isValid()) setCurrentIndex(model()->index(0, 0));
  QTableView::focusInEvent(event);
}

}  // namespace threewalls::profile

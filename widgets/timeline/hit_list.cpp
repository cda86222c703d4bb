#include "timeline/hit_list.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"
#include "timeline/slice_facts.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <limits>

namespace threewalls::timeline {
namespace {

using common::Side;

constexpr int kPage = 64;

}  // namespace

HitListModel::HitListModel(const common::Document& document, const EventSearch& search, QObject* parent)
    : QAbstractTableModel(parent), m_document(document), m_search(search) {
  connect(&search, &EventSearch::changed, this, &HitListModel::reload);
  reload();
}

void HitListModel::reload() {
  beginResetModel();
  m_rows = static_cast<int>(std::min<std::size_t>(m_search.count(), std::numeric_limits<int>::max()));
  m_page.clear();
  endResetModel();
}

int HitListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_rows;
}

common::SelectedSlice HitListModel::slice(int row) const {
  if (row < m_first || row >= m_first + static_cast<int>(m_page.size())) {
    m_first = row - row % kPage;
    m_page.clear();
    auto next = m_search.at(static_cast<std::size_t>(m_first));
    m_page.push_back(next);
    while (m_page.size() < kPage && m_first + static_cast<int>(m_page.size()) < m_rows) {
      const auto after = m_search.hits(next.side)->after(next.event);
      next = after ? common::SelectedSlice{next.side, *after} : m_search.at(static_cast<std::size_t>(m_first) + m_page.size());
      m_page.push_back(next);
    }
  }
  return m_page[static_cast<std::size_t>(row - m_first)];
}

QVariant HitListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::TextAlignmentRole && index.column() == Duration) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  const common::SelectedSlice hit = slice(index.row());
  const SliceFacts facts = factsOf(*m_document.run(hit.side)->analysis, hit.event);
  const bool toolTip = role == Qt::ToolTipRole;
  switch (index.column()) {
    case Start:
      if (m_document.run(Side::A) && m_document.run(Side::B))
        return common::letter(hit.side) + QStringLiteral("  ") + facts.start;
      return facts.start;
    case Duration: return toolTip ? common::exactNanoseconds(facts.interval.length()) : facts.duration;
    case Name:
      return toolTip ? common::literalToolTip(facts.name)
                     : QString::fromStdString(base::shortKernelName(facts.name.toStdString(), 80));
    case Lane:
      return toolTip ? common::literalToolTip(facts.lane)
                     : common::toText(m_document.run(hit.side)->analysis->trace->lane(hit.event.lane).label);
  }
  return {};
}

QVariant HitListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Start: return tr("Start");
    case Duration: return tr("Duration");
    case Name: return tr("Name");
    case Lane: return tr("Lane");
  }
  return {};
}

HitList::HitList(const common::Document& document, common::Selection& selection, EventSearch* search)
    : m_selection(selection), m_search(search), m_model(new HitListModel(document, *search, this)) {
  setModel(m_model);
  setAccessibleName(tr("Hits of the search"));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setWordWrap(false);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setTextElideMode(Qt::ElideMiddle);
  verticalHeader()->hide();
  // Rows of one height: nothing of a million rows is measured.
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setHighlightSections(false);
  const int letter = fontMetrics().averageCharWidth();
  setColumnWidth(HitListModel::Start, letter * 21);
  setColumnWidth(HitListModel::Duration, letter * 11);
  setColumnWidth(HitListModel::Lane, letter * 11);
  horizontalHeader()->setSectionResizeMode(HitListModel::Name, QHeaderView::Stretch);
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) { m_selection.show(m_model->slice(index.row())); });
  connect(&selection, &common::Selection::changed, this, &HitList::showSelected);
  connect(search, &EventSearch::changed, this, &HitList::showSelected);
}

void HitList::keyPressEvent(QKeyEvent* event) {
  const int before = currentIndex().row();
  QTableView::keyPressEvent(event);
  const bool chosen = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (currentIndex().isValid() && (chosen || currentIndex().row() != before))
    m_selection.show(m_model->slice(currentIndex().row()));
}

void HitList::showSelected() {
  const auto place = m_search->selectedPlace();
  if (!place || *place >= static_cast<std::size_t>(m_model->rowCount())) return clearSelection();
  const QModelIndex index = m_model->index(static_cast<int>(*place), HitListModel::Start);
  if (currentIndex().row() != index.row() || !selectionModel()->isRowSelected(index.row())) setCurrentIndex(index);
  scrollTo(index);
}

}  // namespace threewalls::timeline

#include "timeline/unmatched_list.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"
#include "timeline/slice_facts.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace threewalls::timeline {

using common::SelectedSlice;
using common::Side;

namespace {

/// Says as well which row the keys reached or chose.
class Table : public QTableView {
 public:
  explicit Table(std::function<void(const QModelIndex&)> reached) : m_reached(std::move(reached)) {}

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    const int before = currentIndex().row();
    QTableView::keyPressEvent(event);
    const bool chosen = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (currentIndex().isValid() && (chosen || currentIndex().row() != before)) m_reached(currentIndex());
  }

 private:
  std::function<void(const QModelIndex&)> m_reached;
};

}  // namespace

UnmatchedModel::UnmatchedModel(const common::Document& document, const PartnerLinks& links, const ViewState& state,
                               QObject* parent)
    : QAbstractTableModel(parent), m_document(document), m_links(links), m_state(state) {
  connect(&links, &PartnerLinks::changed, this, &UnmatchedModel::reload);
  connect(&state, &ViewState::alignmentChanged, this, &UnmatchedModel::reload);
  reload();
}

void UnmatchedModel::reload() {
  beginResetModel();
  m_slices.clear();
  const auto pair = m_state.alignment().anchor();
  if (const auto* found = m_links.found(); found != nullptr && pair && *pair < found->size()) {
    for (const Side side : common::kSides) {
      for (const auto& run : (*found)[*pair].sides[static_cast<std::size_t>(side)].runs) {
        for (const std::uint32_t index : run.unmatched) m_slices.push_back({side, {run.lane, run.subLane, index}});
      }
    }
  }
  arrange();
  endResetModel();
}

void UnmatchedModel::arrange() {
  const auto by = [this](auto key) {
    // Keys once for each, not for each comparison.
    using Key = decltype(key(m_slices.front()));
    std::vector<std::pair<Key, SelectedSlice>> keyed;
    keyed.reserve(m_slices.size());
    for (const SelectedSlice& slice : m_slices) keyed.emplace_back(key(slice), slice);
    std::stable_sort(keyed.begin(), keyed.end(), [this](const auto& x, const auto& y) {
      return m_order == Qt::AscendingOrder ? x.first < y.first : y.first < x.first;
    });
    for (std::size_t i = 0; i < keyed.size(); ++i) m_slices[i] = keyed[i].second;
  };
  const auto interval = [this](const SelectedSlice& slice) { return m_links.trace(slice.side).interval(slice.event); };
  switch (m_column) {
    case Start: return by([&](const SelectedSlice& slice) { return std::pair(slice.side, interval(slice).start); });
    case Duration: return by([&](const SelectedSlice& slice) { return interval(slice).length(); });
    case Name: return by([&](const SelectedSlice& slice) { return m_links.trace(slice.side).name(slice.event); });
    case Lane:
      return by([&](const SelectedSlice& slice) {
        return std::pair(slice.side, std::string_view(m_links.trace(slice.side).lane(slice.event.lane).label));
      });
  }
}

void UnmatchedModel::sort(int column, Qt::SortOrder order) {
  m_column = column;
  m_order = order;
  emit layoutAboutToBeChanged();
  arrange();
  emit layoutChanged();
}

std::optional<int> UnmatchedModel::rowOf(const SelectedSlice& slice) const {
  const auto found = std::find(m_slices.begin(), m_slices.end(), slice);
  if (found == m_slices.end()) return std::nullopt;
  return static_cast<int>(found - m_slices.begin());
}

QVariant UnmatchedModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::TextAlignmentRole && index.column() == Duration) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  const SelectedSlice& alone = slice(index.row());
  const SliceFacts facts = factsOf(*m_document.run(alone.side)->analysis, alone.event);
  const bool toolTip = role == Qt::ToolTipRole;
  switch (index.column()) {
    case Start: return common::letter(alone.side) + QStringLiteral("  ") + facts.start;
    case Duration: return toolTip ? common::exactNanoseconds(facts.interval.length()) : facts.duration;
    case Name:
      return toolTip ? common::literalToolTip(facts.name)
                     : QString::fromStdString(base::shortKernelName(facts.name.toStdString(), 80));
    case Lane:
      return toolTip ? common::literalToolTip(facts.lane)
                     : common::toText(m_links.trace(alone.side).lane(alone.event.lane).label);
  }
  return {};
}

QVariant UnmatchedModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Start: return tr("Only in, start");
    case Duration: return tr("Duration");
    case Name: return tr("Name");
    case Lane: return tr("Lane");
  }
  return {};
}

QString unmatchedSummary(const PartnerLinks& links, const ViewState& state) {
  const auto pair = state.alignment().anchor();
  if (!links.both()) return UnmatchedList::tr("Open A and B to see what only one of them runs.");
  if (!pair) return UnmatchedList::tr("No steps were found, so that slices cannot be matched.");
  const QString step = state.alignment().steps()[*pair].label;
  const auto onlyIn = [&](Side side) { return state.alignment().step(side, *pair) != nullptr; };
  for (const Side side : common::kSides) {
    if (!onlyIn(side)) return UnmatchedList::tr("%1 has no step %2: there is nothing to match.").arg(common::letter(side), step);
  }
  if (links.found() == nullptr)
    return links.running() ? UnmatchedList::tr("Matching the slices of A and B …")
                           : UnmatchedList::tr("Not known: matching was cancelled.");
  QStringList counts;
  for (const Side side : common::kSides) {
    if (const QString text = links.countText(side, *pair); !text.isEmpty()) counts << text;
  }
  if (counts.isEmpty()) return UnmatchedList::tr("Every slice of step %1 has a partner.").arg(step);
  return UnmatchedList::tr("%1 in step %2").arg(counts.join(QStringLiteral(", ")), step);
}

UnmatchedList::UnmatchedList(const common::Document& document, common::Selection& selection, const PartnerLinks& links,
                             const ViewState& state)
    : m_selection(selection),
      m_links(links),
      m_state(state),
      m_model(new UnmatchedModel(document, links, state, this)),
      m_summary(common::plainLabel({}, common::TextRole::Muted)),
      m_table(new Table([this](const QModelIndex& index) { m_selection.show(m_model->slice(index.row())); })) {
  m_table->setModel(m_model);
  m_table->setAccessibleName(tr("Slices without a partner"));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setWordWrap(false);
  m_table->setShowGrid(false);
  m_table->setTabKeyNavigation(false);
  m_table->setTextElideMode(Qt::ElideMiddle);
  m_table->verticalHeader()->hide();
  // Rows of one height: nothing of a million rows is measured.
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
  QHeaderView* header = m_table->horizontalHeader();
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setHighlightSections(false);
  header->setSortIndicator(UnmatchedModel::Start, Qt::AscendingOrder);
  m_table->setSortingEnabled(true);
  const int letter = fontMetrics().averageCharWidth();
  m_table->setColumnWidth(UnmatchedModel::Start, letter * 21);
  m_table->setColumnWidth(UnmatchedModel::Duration, letter * 11);
  m_table->setColumnWidth(UnmatchedModel::Lane, letter * 11);
  header->setSectionResizeMode(UnmatchedModel::Name, QHeaderView::Stretch);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 6, 0, 0);
  column->setSpacing(6);
  column->addWidget(m_summary);
  column->addWidget(m_table, 1);
  setFocusProxy(m_table);
  connect(m_table, &QTableView::clicked, this,
          [this](const QModelIndex& index) { m_selection.show(m_model->slice(index.row())); });
  connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
    showSummary();
    showSelected();
  });
  connect(m_model, &QAbstractItemModel::layoutChanged, this, &UnmatchedList::showSelected);
  connect(&selection, &common::Selection::changed, this, &UnmatchedList::showSelected);
  showSummary();
}

void UnmatchedList::showSummary() {
  m_summary->setText(unmatchedSummary(m_links, m_state));
}

void UnmatchedList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showSelected();
}

void UnmatchedList::showSelected() {
  const auto& slice = m_selection.slice();
  // Of a list that nobody looks at, no row is looked for.
  const auto row = slice && isVisible() ? m_model->rowOf(*slice) : std::nullopt;
  if (!row) return m_table->clearSelection();
  const QModelIndex index = m_model->index(*row, UnmatchedModel::Start);
  if (m_table->currentIndex().row() != *row || !m_table->selectionModel()->isRowSelected(*row)) m_table->setCurrentIndex(index);
  m_table->scrollTo(index);
}

}  // namespace threewalls::timeline

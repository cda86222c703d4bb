#pragma once

#include "timeline/partner_links.h"
#include "timeline/view_state.h"

#include <QAbstractTableModel>
#include <QLabel>
#include <QTableView>

namespace threewalls::timeline {

/// The slices of the aligned step that have no partner, by start, those of A before those of B, or by what a heading was clicked
/// for. Facts are made for the rows that are looked at.
class UnmatchedModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Start, Duration, Name, Lane };
  UnmatchedModel(const common::Document& document, const PartnerLinks& links, const ViewState& state, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_slices.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 4; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;
  const common::SelectedSlice& slice(int row) const { return m_slices[static_cast<std::size_t>(row)]; }
  std::optional<int> rowOf(const common::SelectedSlice& slice) const;

 private:
  void reload();
  void arrange();

  const common::Document& m_document;
  const PartnerLinks& m_links;
  const ViewState& m_state;
  std::vector<common::SelectedSlice> m_slices;
  int m_column = Start;
  Qt::SortOrder m_order = Qt::AscendingOrder;
};

/// The list with a line above it that says of which step it is and how many there are on each side. A row that is clicked, or
/// reached by keys, moves the shared selection.
class UnmatchedList : public QWidget {
  Q_OBJECT
 public:
  UnmatchedList(const common::Document& document, common::Selection& selection, const PartnerLinks& links,
                const ViewState& state);
  QTableView* table() { return m_table; }
  QString summary() const { return m_summary->text(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void showSummary();
  void showSelected();

  common::Selection& m_selection;
  const PartnerLinks& m_links;
  const ViewState& m_state;
  UnmatchedModel* m_model;
  QLabel* m_summary;
  QTableView* m_table;
};

/// "3 only in A, 5 only in B in step 61", or what is known instead.
QString unmatchedSummary(const PartnerLinks& links, const ViewState& state);

}  // namespace threewalls::timeline

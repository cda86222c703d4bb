#pragma once

#include "timeline/event_search.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace threewalls::timeline {

/// All hits of the search in order. Facts are made for the rows that are looked at.
class HitListModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Start, Duration, Name, Lane };
  HitListModel(const common::Document& document, const EventSearch& search, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 4; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  common::SelectedSlice slice(int row) const;

 private:
  void reload();

  const common::Document& m_document;
  const EventSearch& m_search;
  int m_rows = 0;
  /// The stretch of rows that was asked for last: neighbours are cheap to find one after the other.
  mutable int m_first = 0;
  mutable std::vector<common::SelectedSlice> m_page;
};

/// The list of hits: a row that is clicked, or reached by keys, moves the shared selection; the row of the selected hit is
/// marked.
class HitList : public QTableView {
  Q_OBJECT
 public:
  HitList(const common::Document& document, common::Selection& selection, EventSearch* search);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showSelected();

  common::Selection& m_selection;
  EventSearch* m_search;
  HitListModel* m_model;
};

}  // namespace threewalls::timeline

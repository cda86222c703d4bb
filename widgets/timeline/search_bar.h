#pragma once

#include "timeline/event_search.h"

#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace threewalls::timeline {

/// The line above the timeline in which a user types what to look for, with the count of hits and the ways through them. Hidden
/// until it is opened or a search is begun elsewhere; closing it ends the search.
class SearchBar : public QWidget {
  Q_OBJECT
 public:
  SearchBar(const common::Document& document, const common::Selection& selection, EventSearch* search);

  /// Shows it, with the keyboard in its field.
  void open();
  void close();

 signals:
  /// The keyboard should go back to the timeline.
  void left();
  void listWanted();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void searchTyped();
  void refresh();
  QString countText() const;

  const common::Document& m_document;
  const common::Selection& m_selection;
  EventSearch* m_search;
  QLineEdit* m_field;
  QToolButton* m_expression;
  QLabel* m_count;
  QPushButton* m_previous;
  QPushButton* m_next;
  QPushButton* m_hide;
  QLabel* m_error;
};

}  // namespace threewalls::timeline

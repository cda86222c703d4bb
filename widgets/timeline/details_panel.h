#pragma once

#include "common/card.h"
#include "common/document.h"
#include "common/selection.h"

#include <QGridLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>

#include <optional>

namespace threewalls::timeline {

/// "Selected slice": everything known about it, with its arguments as they stand in the file.
class DetailsPanel : public common::Card {
  Q_OBJECT
 public:
  DetailsPanel(const common::Document& document, common::Selection& selection);

  /// Moves the keyboard here, for Enter on the timeline.
  void focusDetails();
  /// All facts and the arguments as plain text: what Copy puts on the clipboard.
  QString text() const;

 private:
  struct Fact {
    QString name;
    QString value;
    QString toolTip = {};
    QString linkText = {};                           ///< "Go to the call"
    std::optional<common::SelectedSlice> link = {};  ///< where its button goes
  };

  void refresh();
  std::vector<Fact> factsOfSlice(const common::SelectedSlice& slice) const;
  std::optional<Fact> launchFact(const common::SelectedSlice& slice) const;
  void showFacts();
  void showArguments();

  const common::Document& m_document;
  common::Selection& m_selection;
  std::optional<common::SelectedSlice> m_shown;
  QString m_name;
  std::vector<Fact> m_facts;
  QString m_arguments;

  QLabel* m_hint;
  QLabel* m_title;
  QWidget* m_grid;
  QGridLayout* m_rows;
  QStackedWidget* m_stack;
  QPlainTextEdit* m_text;
  QPushButton* m_showArguments;
  QPushButton* m_copy;
};

}  // namespace threewalls::timeline

#pragma once

#include "analysis/same_name.h"
#include "common/card.h"
#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"

#include <QGridLayout>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>

#include <optional>

namespace threewalls::timeline {

class PartnerLinks;
class ViewState;

/// "Selected slice": everything known about it, with its arguments as they stand in the file.
class DetailsPanel : public common::Card {
  Q_OBJECT
 public:
  DetailsPanel(const common::Document& document, common::Selection& selection, common::JobService* jobs);
  /// Says the partner of the slice as well. They must outlive the panel.
  void showPartners(const PartnerLinks& links, const ViewState& state);
  ~DetailsPanel() override;

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
  void countSameName(const common::SelectedSlice& slice);
  void showSameName(const analysis::SameName& same);
  std::optional<Fact> launchFact(const common::SelectedSlice& slice) const;
  /// With the partner, as it is known now.
  std::vector<Fact> allFacts() const;
  void showFacts();
  void showArguments();

  const common::Document& m_document;
  common::Selection& m_selection;
  common::JobService* m_jobs;
  const PartnerLinks* m_partners = nullptr;
  const ViewState* m_state = nullptr;  ///< says which side is the reference; there when m_partners is
  QPointer<common::Job> m_job;
  std::optional<common::SelectedSlice> m_shown;
  QString m_name;
  std::vector<Fact> m_facts;
  std::size_t m_sameName = 0;  ///< which of the facts waits for the worker
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

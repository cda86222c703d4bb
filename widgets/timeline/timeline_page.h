#pragma once

#include "common/card.h"
#include "common/command_registry.h"
#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"
#include "common/theme.h"
#include "timeline/marks.h"
#include "timeline/picture.h"
#include "timeline/view_history.h"

#include <QComboBox>
#include <QLabel>
#include <QStackedLayout>
#include <QTabWidget>
#include <QWidget>

namespace threewalls::timeline {

class ClassLegend;
class DetailsPanel;
class EventSearch;
class GapFinder;
class MarkEditor;
class PartnerLinks;
class RangePanel;
class SearchBar;
class TimelineView;
class UnmatchedList;

/// The timeline with what belongs to it: alignment, choice of step, legend, the panels of the selected range and slice.
class TimelinePage : public QWidget {
  Q_OBJECT
 public:
  TimelinePage(common::Document* document, common::Selection* selection, common::JobService* jobs, QWidget* parent = nullptr);
  ~TimelinePage() override;

  /// Adds what a user can do on the timeline to the one list of commands, with its keys.
  void addCommands(common::CommandRegistry* commands);
  void setTheme(const common::Theme& theme);
  TimelineView* view() { return m_view; }
  ViewState* state() { return &m_state; }
  const ViewHistory& history() const { return m_history; }
  RangePanel* rangePanel() { return m_range; }
  DetailsPanel* detailsPanel() { return m_details; }
  EventSearch* search() { return m_search; }
  Marks* marks() { return m_marks; }
  /// Marks are read from and saved into this folder; without one they end with the session.
  void keepMarksIn(const QString& folder);
  PartnerLinks* partners() { return m_partners; }
  UnmatchedList* unmatchedList() { return m_unmatchedList; }
  /// What a picture of the view says around it, as things stand.
  PictureWords pictureWords() const;

 signals:
  /// A command has something to show here: another view may cover the timeline.
  void wanted();
  /// Words for people about what a command did, or why it did nothing.
  void noticed(const QString& what, const QString& details);
  void failed(const threewalls::base::Error& error);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addFrameCommand(common::CommandRegistry* commands);  // frame_commands.cpp
  void addGapCommands(common::CommandRegistry* commands);   // gap_commands.cpp
  // mark_commands.cpp
  void addMarkCommands(common::CommandRegistry* commands);
  void connectMarks();
  void editMark();
  void toggleTemporaryMark();
  void goToMark(int direction);
  void addPartnerCommands(common::CommandRegistry* commands);  // partner_commands.cpp
  // align_commands.cpp
  void addAlignCommands(common::CommandRegistry* commands);
  void buildModes();
  void refreshModes();
  std::optional<std::size_t> stepOfPhase() const;
  void align(AlignBy by);
  // timeline_search.cpp
  void addSearchCommands(common::CommandRegistry* commands);
  QWidget* buildLists();
  void toggleList(QWidget* list);
  void showLists(bool shown);
  void endSearch();

  void showRuns();
  void showAlignment();

  common::Document* m_document;
  common::Selection* m_selection;
  ViewState m_state;
  ViewHistory m_history{m_state};
  PartnerLinks* m_partners;  ///< before all that asks it: it is the first to hear of other runs
  TimelineView* m_view;
  Marks* m_marks;
  MarkEditor* m_markEditor;
  std::optional<std::pair<common::Side, Mark>> m_edited;  ///< what the editor is about; without an id a new mark
  EventSearch* m_search;
  SearchBar* m_searchBar;
  common::Card* m_listCard;  ///< takes the place of the range while a list is wanted
  QTabWidget* m_lists;
  QWidget* m_hitList;
  UnmatchedList* m_unmatchedList;
  GapFinder* m_gaps;
  RangePanel* m_range;
  DetailsPanel* m_details;
  QBoxLayout* m_toolbar;
  QLabel* m_alignment;
  QComboBox* m_steps;
  QComboBox* m_modes;
  ClassLegend* m_legend;
  QStackedLayout* m_stack;
};

}  // namespace threewalls::timeline

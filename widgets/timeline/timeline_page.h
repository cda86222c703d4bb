#pragma once

#include "common/command_registry.h"
#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"
#include "common/theme.h"
#include "timeline/view_state.h"

#include <QComboBox>
#include <QLabel>
#include <QStackedLayout>
#include <QWidget>

namespace threewalls::timeline {

class ClassLegend;
class DetailsPanel;
class RangePanel;
class TimelineView;

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
  RangePanel* rangePanel() { return m_range; }
  DetailsPanel* detailsPanel() { return m_details; }

 private:
  void addFrameCommand(common::CommandRegistry* commands);  // frame_commands.cpp
  void showRuns();
  void showAlignment();
  QString shiftText() const;

  common::Document* m_document;
  ViewState m_state;
  TimelineView* m_view;
  RangePanel* m_range;
  DetailsPanel* m_details;
  QLabel* m_alignment;
  QComboBox* m_steps;
  ClassLegend* m_legend;
  QStackedLayout* m_stack;
};

}  // namespace threewalls::timeline

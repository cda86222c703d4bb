#pragma once

#include "common/command_registry.h"
#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"
#include "common/theme.h"

#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace threewalls::timeline {
class TimelinePage;
}

namespace threewalls::profile {

class KernelsPage;
class OverviewPage;

/// The Profile stage: its views in tabs.
class ProfilePage : public QWidget {
  Q_OBJECT
 public:
  /// The views, in the order of their tabs.
  enum View { Timeline, Overview, Kernels };
  static QStringList viewIds() { return {QStringLiteral("timeline"), QStringLiteral("overview"), QStringLiteral("kernels")}; }

  ProfilePage(common::Document* document, common::Selection* selection, common::JobService* jobs,
              common::CommandRegistry* commands, QWidget* parent = nullptr);

  void setTheme(const common::Theme& theme);
  View view() const;
  timeline::TimelinePage* timelinePage() { return m_timeline; }
  void setView(View view);
  /// Gives the keyboard to the current view.
  void focusView();
  /// How the timeline lays A and B over each other; empty unless both are open.
  QString alignmentText() const;

 signals:
  void viewChanged();
  void alignmentChanged();

 private:
  void addCommands(common::CommandRegistry* commands);

  common::Document* m_document;
  QTabBar* m_tabs;
  QStackedWidget* m_pages;
  timeline::TimelinePage* m_timeline;
  OverviewPage* m_overview;
  KernelsPage* m_kernels;
};

}  // namespace threewalls::profile

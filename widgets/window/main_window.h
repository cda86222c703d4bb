#pragma once

#include "common/command_registry.h"
#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"
#include "common/theme.h"
#include "profile/profile_page.h"
#include "window/preferences.h"
#include "window/run_loader.h"

#include <QMainWindow>

#include <array>

class QStackedWidget;
class QVBoxLayout;

namespace threewalls::window {

class CommandPalette;
class GuidePanel;
class PictureSaver;
class RangeSaver;
class StatusLine;
class TopBar;

/// The workbench: menus, A and B, the stages, the page of the stage, the guide and the status line.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// `samples` are the two traces of the sample study; without them the command for it is disabled.
  MainWindow(Preferences preferences, QStringList samples, QWidget* parent = nullptr);
  ~MainWindow() override;

  void openFiles(const QStringList& paths);
  void openSample();
  /// "dark", "light" or "system".
  void setTheme(const QString& id);
  static constexpr std::array<int, 5> kTextScales = {100, 125, 150, 175, 200};
  /// Size of all text, as a percentage of the desktop's: one of kTextScales, the nearest for others.
  void setTextScale(int percent);
  int textScale() const { return m_textScale; }
  /// Held keys move the timeline by the keyboard's own repeat instead of a growing speed.
  void setReducedMotion(bool reduced);

  common::Document* document() { return &m_document; }
  common::Selection* selection() { return &m_selection; }
  common::CommandRegistry* commands() { return m_commands; }
  common::JobService* jobs() { return m_jobs.get(); }
  profile::ProfilePage* profilePage() { return m_profile; }
  /// Nothing is loading.
  bool settled() const { return !m_loader->busy(); }

 signals:
  /// An error is shown to the user.
  void failed(const threewalls::base::Error& error);

 protected:
  bool event(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void addFileCommands();
  void addViewCommands();
  void addHelpCommands();
  /// Groups of commands that have menus, in their order.
  static QStringList commandGroups();
  void buildMenus();
  void restoreKeys();
  void buildCentre();
  void chooseFiles(std::optional<common::Side> side);
  void showError(const base::Error& error);
  void showNotice(const QString& what, const QString& details);
  /// Above the page; the oldest goes when there are too many.
  template <class MessageCard>
  void showCard(MessageCard* card);
  void saveRange();
  void stepTextScale(int direction);
  void showGuideWhereThereIsRoom();
  void savePicture();
  void refresh();
  void showEvidence(common::Side side);

  Preferences m_preferences;
  QString m_theme;  ///< as chosen: "system" stays so
  int m_textScale = 100;
  bool m_reducedMotion = false;
  QStringList m_samples;
  common::Document m_document;
  common::Selection m_selection;
  common::CommandRegistry* m_commands;
  RunLoader* m_loader = nullptr;
  RangeSaver* m_rangeSaver = nullptr;
  PictureSaver* m_pictureSaver = nullptr;
  TopBar* m_topBar = nullptr;
  QVBoxLayout* m_errors = nullptr;
  QStackedWidget* m_pages = nullptr;
  profile::ProfilePage* m_profile = nullptr;
  GuidePanel* m_guide = nullptr;
  StatusLine* m_status = nullptr;
  CommandPalette* m_palette = nullptr;
  std::optional<bool> m_guideWanted;  ///< none: as there is room
  /// Last, so that what still runs ends before the rest goes.
  std::unique_ptr<common::JobService> m_jobs;
};

}  // namespace threewalls::window

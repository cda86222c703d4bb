#pragma once

#include "common/command_registry.h"
#include "common/document.h"
#include "profile/profile_page.h"

#include <QScrollArea>

class QVBoxLayout;

namespace threewalls::window {

/// The panel at the right: why this stage, a checklist of what is known, the walls, and what to do next.
class GuidePanel : public QScrollArea {
  Q_OBJECT
 public:
  GuidePanel(const common::Document* document, common::CommandRegistry* commands, QWidget* parent = nullptr);
  void setView(profile::ProfilePage::View view);

 signals:
  /// Asks for the first stretch behind the wall of a side.
  void evidenceWanted(threewalls::common::Side side);

 private:
  void refresh();
  void addHeading(const QString& text);
  void addCheck(bool good, const QString& text);
  void addChecklist();
  void addLogCheck(common::Side side);
  void addWall(common::Side side);
  void addNext();

  const common::Document* m_document;
  common::CommandRegistry* m_commands;
  profile::ProfilePage::View m_view = profile::ProfilePage::Timeline;
  QVBoxLayout* m_layout;
};

}  // namespace threewalls::window

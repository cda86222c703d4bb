#pragma once

#include "common/command_registry.h"
#include "common/document.h"

#include <QWidget>

class QLabel;
class QMenu;
class QToolButton;

namespace threewalls::window {

/// Study title, the chips of A and B with their menus, swap and open.
class TopBar : public QWidget {
  Q_OBJECT
 public:
  TopBar(const common::Document* document, common::CommandRegistry* commands, QWidget* parent = nullptr);

  /// Paths that the menus of A and B offer, latest first.
  void setRecent(const QStringList& paths);

 signals:
  void recentChosen(threewalls::common::Side side, const QString& path);

 private:
  QWidget* buildChip(common::Side side);
  void refresh();
  void fillMenu(common::Side side);

  const common::Document* m_document;
  common::CommandRegistry* m_commands;
  QStringList m_recent;
  QLabel* m_title;
  std::array<QToolButton*, 2> m_chips{};
  std::array<QMenu*, 2> m_menus{};
};

}  // namespace threewalls::window

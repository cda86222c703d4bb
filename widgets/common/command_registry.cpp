#include "common/command_registry.h"

#include <QWidget>

namespace threewalls::common {

CommandRegistry::CommandRegistry(QWidget* window) : QObject(window), m_window(window) {}

QAction* CommandRegistry::add(Command command) {
  Q_ASSERT(action(command.id) == nullptr);
  auto* action = new QAction(command.text, this);
  action->setObjectName(command.id);
  action->setShortcuts(command.shortcuts);
  action->setShortcutContext(command.scope != nullptr ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
  // macOS would move actions by the words in them.
  action->setMenuRole(QAction::NoRole);
  connect(action, &QAction::triggered, this, [run = command.run] { run(); });
  (command.scope != nullptr ? command.scope : m_window)->addAction(action);
  action->setEnabled(!command.enabled || command.enabled());
  m_commands.push_back(std::move(command));
  m_actions.push_back(action);
  return action;
}

QAction* CommandRegistry::action(const QString& id) const {
  for (QAction* action : m_actions) {
    if (action->objectName() == id) return action;
  }
  return nullptr;
}

bool CommandRegistry::run(const QString& id) {
  refresh();
  QAction* found = action(id);
  if (found == nullptr || !found->isEnabled()) return false;
  found->trigger();
  return true;
}

void CommandRegistry::refresh() {
  for (std::size_t i = 0; i < m_commands.size(); ++i) {
    m_actions[i]->setEnabled(!m_commands[i].enabled || m_commands[i].enabled());
  }
}

}  // namespace threewalls::common

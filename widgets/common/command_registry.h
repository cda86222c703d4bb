#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace threewalls::common {

/// Something a user can do. Menus, toolbar, command palette and key help are built from these.
struct Command {
  QString id;     ///< stable, such as "file.open"
  QString group;  ///< where menus and key help list it: "File", "View", ...
  QString text;   ///< "Open traces…"
  QList<QKeySequence> shortcuts;
  std::function<void()> run;
  std::function<bool()> enabled;  ///< none: always
  QWidget* scope = nullptr;       ///< shortcuts act only inside this widget; none: in the whole window
};

/// Keys that a widget handles itself, so that key help can list them beside the commands.
struct KeyNote {
  QString group;
  QString keys;
  QString text;
};

/// The one list of commands, with one QAction each.
class CommandRegistry : public QObject {
  Q_OBJECT
 public:
  /// Shortcuts without a scope act in `window`.
  explicit CommandRegistry(QWidget* window);

  /// The action of the new command; ids are unique.
  QAction* add(Command command);
  void note(KeyNote note) { m_notes.push_back(std::move(note)); }

  /// In the order in which they were added.
  const std::vector<Command>& commands() const { return m_commands; }
  const std::vector<KeyNote>& notes() const { return m_notes; }
  /// Null when there is no such command.
  QAction* action(const QString& id) const;
  /// Runs an enabled command; false when there is none or it cannot run now.
  bool run(const QString& id);
  /// Asks every command again whether it can run now.
  void refresh();

 private:
  QWidget* m_window;
  std::vector<Command> m_commands;
  std::vector<QAction*> m_actions;
  std::vector<KeyNote> m_notes;
};

}  // namespace threewalls::common

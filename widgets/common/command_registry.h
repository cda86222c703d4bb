#pragma once

#include <QAction>
#include <QKeyEvent>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace threewalls::common {

using Keys = QList<QKeySequence>;

/// Something a user can do. Menus, toolbar, command palette and key help are built from these.
struct Command {
  QString id;     ///< stable, such as "file.open": chosen keys are stored under it
  QString group;  ///< where menus and key help list it: "File", "View", ...
  QString text;   ///< "Open traces…"
  Keys shortcuts;
  std::function<void()> run;
  std::function<bool()> enabled = {};  ///< none: always
  /// Where its keys act; none: in the whole window. A widget that takes the focus must have it itself, since what lies in it may
  /// be a field for text; in another one any child may have it.
  QWidget* scope = nullptr;
  /// Goes on while its key is down: the scope watches the keys (heldBy()), by their place on the keyboard. `run` is one tap.
  bool held = false;
};

/// What a widget does with the pointer, so that key help can list it beside the commands.
struct KeyNote {
  QString group;
  QString keys;
  QString text;
};

/// A key by its place: the letter which a US keyboard has there, so that W, A, S and D form the same cross on every layout.
/// Where the platform does not say the place, the key itself.
int placedKey(const QKeyEvent& event);

/// A key as pressed, with the modifiers that were down: by what stands on it, and by its place, which is empty for letters of a
/// layout that a US keyboard has no letter for.
struct PressedKey {
  QKeySequence key;
  QKeySequence place;
};

/// None for a modifier alone and for what can be no shortcut.
std::optional<PressedKey> pressedKey(const QKeyEvent& event);

/// "W, +, ="; empty for none.
QString keysText(const Keys& keys);

/// The one list of commands, with one QAction each, and their keys.
class CommandRegistry : public QObject {
  Q_OBJECT
 public:
  /// Shortcuts without a scope act in `window`.
  explicit CommandRegistry(QWidget* window);

  /// The action belongs to the registry, is disabled while `enabled` says no (see refresh()) and carries the text and shortcuts.
  QAction* add(Command command);
  const std::vector<Command>& commands() const { return m_commands; }
  void note(KeyNote note) { m_notes.push_back(std::move(note)); }
  const std::vector<KeyNote>& notes() const { return m_notes; }
  /// Null when there is no such command.
  QAction* action(const QString& id) const;
  const Command* command(const QString& id) const;
  /// Runs an enabled command; false when there is none or it cannot run now.
  bool run(const QString& id);
  /// Asks every command again whether it can run now.
  void refresh();

  /// The keys that the command came with.
  Keys usualKeys(const QString& id) const;
  /// Gives a command these keys and takes them from every other one that they would clash with.
  void setKeys(const QString& id, const Keys& keys);
  /// What addKey() gives the command: held commands know keys by their place.
  QKeySequence wantedKey(const QString& id, const PressedKey& pressed) const;
  /// Adds a key that the command does not have and takes it from losersOf().
  void addKey(const QString& id, const PressedKey& pressed);
  /// The other commands which this keyboard's key, or the same key written down, would run where the command wants it.
  std::vector<const Command*> losersOf(const QString& id, const PressedKey& pressed) const;
  /// The held command of a key event in its scope. With Shift it is the command of the key alone, unless another one has the key
  /// with Shift. Null for none.
  const Command* heldBy(const QKeyEvent& event, const QWidget* scope) const;

 signals:
  void keysChanged();

 private:
  std::optional<std::size_t> indexOf(const QString& id) const;
  void showKeys(std::size_t index);
  bool takeKey(std::size_t from, const QKeySequence& key);

  QWidget* m_window;
  std::vector<Command> m_commands;
  std::vector<QAction*> m_actions;
  std::vector<Keys> m_usual;
  std::vector<KeyNote> m_notes;
};

}  // namespace threewalls::common

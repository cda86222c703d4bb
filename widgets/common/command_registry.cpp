#include "common/command_registry.h"

#include <QGuiApplication>
#include <QWidget>

#include <string_view>

namespace threewalls::common {
namespace {

/// The letter at a place of X11's numbering, which Wayland shares; 0 for places without one.
int letterAt(quint32 scanCode) {
  struct Row {
    quint32 first;
    std::string_view letters;
  };
  for (const Row& row : {Row{24, "QWERTYUIOP"}, Row{38, "ASDFGHJKL"}, Row{52, "ZXCVBNM"}}) {
    if (scanCode >= row.first && scanCode < row.first + row.letters.size()) return row.letters[scanCode - row.first];
  }
  return 0;
}

/// Whether one place of the keyboard's attention reaches both.
bool meet(const QWidget* a, const QWidget* b) {
  return a == nullptr || b == nullptr || a == b || a->isAncestorOf(b) || b->isAncestorOf(a);
}

Qt::ShortcutContext contextIn(const QWidget* scope) {
  if (scope == nullptr) return Qt::WindowShortcut;
  return scope->focusPolicy() == Qt::NoFocus ? Qt::WidgetWithChildrenShortcut : Qt::WidgetShortcut;
}

}  // namespace

int placedKey(const QKeyEvent& event) {
  // Offscreen there are no keyboards: what has a scan code there was made to look like X11.
  const QString platform = QGuiApplication::platformName();
  const bool numbered =
      platform == QLatin1String("xcb") || platform.startsWith(QLatin1String("wayland")) || platform == QLatin1String("offscreen");
  if (numbered && event.nativeScanCode() != 0) {
    if (const int letter = letterAt(event.nativeScanCode()); letter != 0) return letter;
    // A letter of another place is no letter of the US keyboard.
    if (event.key() >= Qt::Key_A && event.key() <= Qt::Key_Z) return Qt::Key_unknown;
  }
  return event.key();
}

std::optional<PressedKey> pressedKey(const QKeyEvent& event) {
  const auto within = [key = event.key()](int first, int last) { return key >= first && key <= last; };
  if (event.key() == 0 || event.key() == Qt::Key_unknown || within(Qt::Key_Shift, Qt::Key_ScrollLock) ||
      within(Qt::Key_Super_L, Qt::Key_Super_R) || within(Qt::Key_Hyper_L, Qt::Key_Hyper_R) ||
      within(Qt::Key_AltGr, Qt::Key_Dead_Longsolidusoverlay)) {
    return std::nullopt;
  }
  auto modifiers = event.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
  const auto with = [&modifiers](int key) { return QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(key))); };
  const int place = placedKey(event);
  const QKeySequence placed = place == Qt::Key_unknown ? QKeySequence() : with(place);
  if (place != event.key()) return PressedKey{with(event.key()), placed};
  // Shift that it takes to type a sign is part of the sign: "?" is no "Shift+?".
  const QChar sign = event.text().isEmpty() ? QChar() : event.text().front();
  if (sign.isPrint() && !sign.isLetterOrNumber() && !sign.isSpace()) modifiers &= ~Qt::ShiftModifier;
  return PressedKey{with(event.key()), with(event.key())};
}

QString keysText(const Keys& keys) {
  QStringList texts;
  for (const QKeySequence& key : keys) texts << key.toString(QKeySequence::NativeText);
  return texts.join(QStringLiteral(", "));
}

CommandRegistry::CommandRegistry(QWidget* window) : QObject(window), m_window(window) {}

QAction* CommandRegistry::add(Command command) {
  Q_ASSERT(action(command.id) == nullptr);
  auto* action = new QAction(command.text, this);
  action->setObjectName(command.id);
  action->setShortcutContext(contextIn(command.scope));
  // macOS would move actions by the words in them.
  action->setMenuRole(QAction::NoRole);
  connect(action, &QAction::triggered, this, [run = command.run] { run(); });
  (command.scope != nullptr ? command.scope : m_window)->addAction(action);
  action->setEnabled(!command.enabled || command.enabled());
  m_usual.push_back(command.shortcuts);
  m_commands.push_back(std::move(command));
  m_actions.push_back(action);
  showKeys(m_commands.size() - 1);
  return action;
}

void CommandRegistry::showKeys(std::size_t index) {
  const Command& command = m_commands[index];
  if (command.held) {
    // Menus show what stands behind a tab as a shortcut.
    m_actions[index]->setText(command.text + QLatin1Char('\t') + keysText(command.shortcuts));
  } else {
    m_actions[index]->setShortcuts(command.shortcuts);
  }
}

std::optional<std::size_t> CommandRegistry::indexOf(const QString& id) const {
  for (std::size_t i = 0; i < m_commands.size(); ++i) {
    if (m_commands[i].id == id) return i;
  }
  return std::nullopt;
}

QAction* CommandRegistry::action(const QString& id) const {
  const auto index = indexOf(id);
  return index ? m_actions[*index] : nullptr;
}

const Command* CommandRegistry::command(const QString& id) const {
  const auto index = indexOf(id);
  return index ? &m_commands[*index] : nullptr;
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

Keys CommandRegistry::usualKeys(const QString& id) const {
  const auto index = indexOf(id);
  return index ? m_usual[*index] : Keys();
}

/// False when it has no such key.
bool CommandRegistry::takeKey(std::size_t from, const QKeySequence& key) {
  if (m_commands[from].shortcuts.removeAll(key) == 0) return false;
  showKeys(from);
  return true;
}

void CommandRegistry::setKeys(const QString& id, const Keys& keys) {
  const auto index = indexOf(id);
  if (!index) return;
  Command& command = m_commands[*index];
  bool changed = command.shortcuts != keys;
  for (std::size_t i = 0; i < m_commands.size(); ++i) {
    if (i == *index || !meet(m_commands[i].scope, command.scope)) continue;
    for (const QKeySequence& key : keys) changed = takeKey(i, key) || changed;
  }
  if (!changed) return;
  command.shortcuts = keys;
  showKeys(*index);
  emit keysChanged();
}

QKeySequence CommandRegistry::wantedKey(const QString& id, const PressedKey& pressed) const {
  const Command* wanting = command(id);
  return wanting != nullptr && wanting->held ? pressed.place : pressed.key;
}

std::vector<const Command*> CommandRegistry::losersOf(const QString& id, const PressedKey& pressed) const {
  std::vector<const Command*> losers;
  const Command* wanting = command(id);
  if (wanting == nullptr) return losers;
  for (const Command& other : m_commands) {
    if (other.id == id || !meet(other.scope, wanting->scope)) continue;
    const bool same = other.shortcuts.contains(wantedKey(id, pressed));
    if (same || other.shortcuts.contains(wantedKey(other.id, pressed))) losers.push_back(&other);
  }
  return losers;
}

void CommandRegistry::addKey(const QString& id, const PressedKey& pressed) {
  const QKeySequence key = wantedKey(id, pressed);
  const Command* wanting = command(id);
  if (wanting == nullptr || key.isEmpty() || wanting->shortcuts.contains(key)) return;
  for (const Command* loser : losersOf(id, pressed)) takeKey(*indexOf(loser->id), wantedKey(loser->id, pressed));
  setKeys(id, Keys(wanting->shortcuts) << key);
}

const Command* CommandRegistry::heldBy(const QKeyEvent& event, const QWidget* scope) const {
  const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
  const auto find = [&](const QKeySequence& key, bool held) -> const Command* {
    for (const Command& command : m_commands) {
      const bool here = held ? command.scope == scope : meet(command.scope, scope);
      if (here && command.held == held && command.shortcuts.contains(key)) return &command;
    }
    return nullptr;
  };
  const auto place = static_cast<Qt::Key>(placedKey(event));
  if (const Command* exact = find(QKeySequence(QKeyCombination(modifiers, place)), true)) return exact;
  if (!(modifiers & Qt::ShiftModifier)) return nullptr;
  if (find(QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(event.key()))), false) != nullptr) return nullptr;
  return find(QKeySequence(QKeyCombination(modifiers & ~Qt::ShiftModifier, place)), true);
}

}  // namespace threewalls::common

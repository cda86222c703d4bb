#include "window/preferences.h"

namespace threewalls::window {
namespace {

QString placeOf(const common::Command& command) {
  return QStringLiteral("keys/") + command.id;
}

/// None for what is no list of single keys.
std::optional<common::Keys> parseKeys(const QVariant& stored) {
  // Qt reads what it does not know as another key: only what it would write itself counts.
  const QString text = stored.toString();
  if (stored.typeId() != QMetaType::QString) return std::nullopt;
  if (text.isEmpty()) return common::Keys();
  const common::Keys keys = QKeySequence::listFromString(text, QKeySequence::PortableText);
  if (QKeySequence::listToString(keys, QKeySequence::PortableText) != text) return std::nullopt;
  for (const QKeySequence& key : keys) {
    if (key.count() != 1 || key[0].key() == Qt::Key_unknown) return std::nullopt;
  }
  return keys;
}

}  // namespace

QStringList Preferences::applyShortcuts(common::CommandRegistry& commands) const {
  QStringList ignored;
  if (!m_store) return ignored;
  // Keys that one command has lost to another are stored of both, so any order gives the same.
  for (const common::Command& command : commands.commands()) {
    if (!m_store->contains(placeOf(command))) continue;
    const QVariant stored = m_store->value(placeOf(command));
    if (const auto keys = parseKeys(stored)) {
      commands.setKeys(command.id, *keys);
    } else {
      ignored << QStringLiteral("%1: %2").arg(command.text, stored.toStringList().join(QStringLiteral(", ")));
      qWarning("Stored key ignored: %s", qUtf8Printable(ignored.back()));
    }
  }
  return ignored;
}

void Preferences::saveShortcuts(const common::CommandRegistry& commands) {
  if (!m_store) return;
  for (const common::Command& command : commands.commands()) {
    if (command.shortcuts == commands.usualKeys(command.id)) {
      m_store->remove(placeOf(command));
    } else {
      m_store->setValue(placeOf(command), QKeySequence::listToString(command.shortcuts, QKeySequence::PortableText));
    }
  }
}

void Preferences::addRecent(const QString& path) {
  constexpr qsizetype kMost = 8;
  QStringList paths = recent();
  paths.removeAll(path);
  paths.prepend(path);
  write(QStringLiteral("recent"), paths.mid(0, kMost));
}

}  // namespace threewalls::window

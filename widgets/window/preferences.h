#pragma once

#include "common/command_registry.h"

#include <QSettings>
#include <QStringList>
#include <QWidget>

#include <memory>

namespace threewalls::window {

/// What is remembered from one start to the next: geometry, theme, recent files, chosen keys. Without a store nothing is read or
/// written, and without a folder of data the user's marks end with the session.
class Preferences {
 public:
  Preferences() = default;
  explicit Preferences(std::unique_ptr<QSettings> store, QString dataFolder = {})
      : m_store(std::move(store)), m_dataFolder(std::move(dataFolder)) {}

  /// Where the folder "marks" stands; empty for none.
  const QString& dataFolder() const { return m_dataFolder; }

  /// "dark", "light" or "system".
  QString theme() const { return read(QStringLiteral("theme"), QStringLiteral("system")).toString(); }
  void setTheme(const QString& theme) { write(QStringLiteral("theme"), theme); }
  /// Percent of the desktop's text size: 100, or what was chosen for a projector or tired eyes.
  int textScale() const { return read(QStringLiteral("textScale"), 100).toInt(); }
  void setTextScale(int percent) { write(QStringLiteral("textScale"), percent); }
  bool reducedMotion() const { return read(QStringLiteral("reducedMotion"), false).toBool(); }
  void setReducedMotion(bool reduced) { write(QStringLiteral("reducedMotion"), reduced); }
  /// Latest first, at most eight.
  QStringList recent() const { return read(QStringLiteral("recent"), {}).toStringList(); }
  void addRecent(const QString& path);
  /// Gives commands the keys that were chosen for them. What cannot be read is left out and returned, a line each.
  QStringList applyShortcuts(common::CommandRegistry& commands) const;
  /// Only those that differ from the usual ones.
  void saveShortcuts(const common::CommandRegistry& commands);
  /// False when nothing was remembered.
  bool restoreGeometry(QWidget* window) const {
    return window->restoreGeometry(read(QStringLiteral("geometry"), {}).toByteArray());
  }
  void saveGeometry(const QWidget* window) { write(QStringLiteral("geometry"), window->saveGeometry()); }

 private:
  QVariant read(const QString& key, const QVariant& otherwise) const {
    return m_store ? m_store->value(key, otherwise) : otherwise;
  }
  void write(const QString& key, const QVariant& value) {
    if (m_store) m_store->setValue(key, value);
  }

  std::unique_ptr<QSettings> m_store;
  QString m_dataFolder;
};

}  // namespace threewalls::window

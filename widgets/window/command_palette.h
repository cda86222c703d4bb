#pragma once

#include "common/command_registry.h"

#include <QFrame>
#include <QPointer>

#include <optional>

class QLineEdit;
class QListWidget;

namespace threewalls::window {

/// How well `typed` fits `text`: its letters must occur in order, any case. Higher is better, none when it does not fit.
/// Letters at the beginnings of words and letters in a row count more.
std::optional<int> fuzzyScore(const QString& typed, const QString& text);

/// All commands by name, over the window: type, choose with the arrow keys, Enter runs, Esc closes.
class CommandPalette : public QFrame {
  Q_OBJECT
 public:
  CommandPalette(common::CommandRegistry* commands, QWidget* window);
  void open();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  void runCurrent();
  void dismiss();

  common::CommandRegistry* m_commands;
  QLineEdit* m_text;
  QListWidget* m_list;
  QPointer<QWidget> m_before;  ///< had the keyboard before
};

}  // namespace threewalls::window

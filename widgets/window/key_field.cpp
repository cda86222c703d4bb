#include "window/key_field.h"

namespace threewalls::window {

KeyField::KeyField(QWidget* parent) : QLineEdit(parent) {
  setReadOnly(true);
  setContextMenuPolicy(Qt::NoContextMenu);
  setAttribute(Qt::WA_InputMethodEnabled, false);
  setPlaceholderText(tr("Press the new key here"));
  setAccessibleName(tr("New key"));
}

bool KeyField::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  return QLineEdit::event(event);
}

void KeyField::keyPressEvent(QKeyEvent* event) {
  event->accept();  // Esc and Enter too: they are not for the dialog
  if (const auto key = common::pressedKey(*event)) emit pressed(*key);
}

}  // namespace threewalls::window

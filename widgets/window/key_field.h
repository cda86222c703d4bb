#pragma once

#include "common/command_registry.h"

#include <QLineEdit>

namespace threewalls::window {

/// Takes the next key as a key, whatever it does elsewhere; only Tab and Shift+Tab leave the field.
class KeyField : public QLineEdit {
  Q_OBJECT
 public:
  explicit KeyField(QWidget* parent = nullptr);

 signals:
  void pressed(const threewalls::common::PressedKey& key);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace threewalls::window

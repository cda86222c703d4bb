#pragma once

#include "common/command_registry.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>

#include <optional>
#include <vector>

namespace threewalls::window {

class KeyField;

/// Every command with its keys, and what the mouse does; keys can be added, cleared and set back. Changes count at once.
class KeyDialog : public QDialog {
  Q_OBJECT
 public:
  /// `groups`: the order in which they are listed; those of other names follow.
  KeyDialog(common::CommandRegistry* commands, const QStringList& groups, QWidget* parent = nullptr);

 private:
  struct Row {
    QString keys;
    QString text;
    QString usual;  ///< only where it differs
    QString id;     ///< empty for what is no command
  };

  void fill();
  std::vector<Row> rowsOf(const QString& group) const;
  void addHeading(const QString& group);
  void addRow(const Row& row);
  /// Null while none is chosen, or something that is no command.
  const common::Command* chosen() const;
  void choose(const QString& id);
  void showChoice();
  void showPressed();
  void say(const QString& text, bool warning = false);
  void addKey();
  void setKeys(const common::Keys& keys);
  void setAllBack();
  bool anyChanged() const;

  common::CommandRegistry* m_commands;
  QStringList m_groups;
  QStandardItemModel* m_model;
  QTableView* m_table;
  QLineEdit* m_filter;
  QLabel* m_none;
  QLabel* m_name;
  KeyField* m_field;
  QPushButton* m_add;
  QPushButton* m_clear;
  QPushButton* m_usual;
  QPushButton* m_allUsual;
  QLabel* m_message;
  std::optional<common::PressedKey> m_pressed;
};

}  // namespace threewalls::window

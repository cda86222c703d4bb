#include "window/key_dialog.h"

#include "common/text.h"
#include "window/key_field.h"
#include "window/plain_table.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace threewalls::window {
namespace {

using common::Command;

constexpr int kIdRole = Qt::UserRole + 1;
constexpr QSize kSize(760, 680);

bool matches(const QString& words, const QString& text) {
  const QStringList parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::all_of(parts.begin(), parts.end(), [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
}

QString nativeText(const QKeySequence& key) {
  return key.toString(QKeySequence::NativeText);
}

QString quoted(const QStringList& names) {
  QStringList marked;
  for (const QString& name : names) marked << QStringLiteral("“%1”").arg(name);
  return marked.join(QStringLiteral(", "));
}

}  // namespace

KeyDialog::KeyDialog(common::CommandRegistry* commands, const QStringList& groups, QWidget* parent)
    : QDialog(parent),
      m_commands(commands),
      m_groups(groups),
      m_model(new QStandardItemModel(0, 3)),
      m_table(plainTable(m_model, 1)),
      m_filter(new QLineEdit),
      m_none(common::plainLabel(tr("No command matches the filter."), common::TextRole::Muted)),
      m_name(common::plainLabel({})),
      m_field(new KeyField),
      m_add(new QPushButton(tr("Add"))),
      m_clear(new QPushButton(tr("Clear"))),
      m_usual(new QPushButton(tr("Usual keys"))),
      m_allUsual(new QPushButton(tr("All usual keys"))),
      m_message(common::plainLabel({}, common::TextRole::Muted)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("keyHelp"));
  setWindowTitle(tr("Keys"));
  m_model->setHorizontalHeaderLabels({tr("Keys"), tr("What they do"), tr("Usually")});
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setAccessibleName(tr("Commands and their keys"));
  m_filter->setPlaceholderText(tr("Filter by name, group or key"));
  m_filter->setAccessibleName(tr("Filter commands"));
  m_filter->setClearButtonEnabled(true);
  m_none->setAlignment(Qt::AlignCenter);
  common::setTextSize(m_name, common::TextSize::Normal, true);
  m_add->setToolTip(tr("The command gets the key beside those it has"));
  m_clear->setToolTip(tr("The command has no key then; it stays in its menu"));
  m_usual->setToolTip(tr("Gives the command back the keys it came with"));
  m_allUsual->setToolTip(tr("Gives every command back the keys it came with"));
  m_message->setMinimumHeight(2 * m_message->fontMetrics().lineSpacing());
  m_message->setAlignment(Qt::AlignLeft | Qt::AlignTop);

  auto* change = new QHBoxLayout;
  change->addWidget(m_field, 1);
  for (QPushButton* button : {m_add, m_clear, m_usual}) change->addWidget(button);
  auto* box = new QDialogButtonBox(QDialogButtonBox::Close);
  box->button(QDialogButtonBox::Close)->setIcon({});
  box->addButton(m_allUsual, QDialogButtonBox::ResetRole);
  // Enter chooses a command here; it must not press whichever button comes first.
  for (QPushButton* button : {m_add, m_clear, m_usual, m_allUsual, box->button(QDialogButtonBox::Close)})
    button->setAutoDefault(false);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(14, 14, 14, 14);
  rows->setSpacing(8);
  rows->addWidget(m_filter);
  rows->addWidget(m_table, 1);
  rows->addWidget(m_none, 1);
  rows->addWidget(m_name);
  rows->addLayout(change);
  rows->addWidget(m_message);
  rows->addWidget(box);
  resize(parent != nullptr ? kSize.boundedTo(parent->size() - QSize(60, 60)) : kSize);

  connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_filter, &QLineEdit::textChanged, this, &KeyDialog::fill);
  connect(m_filter, &QLineEdit::returnPressed, m_table, qOverload<>(&QWidget::setFocus));
  connect(m_commands, &common::CommandRegistry::keysChanged, this, &KeyDialog::fill);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &KeyDialog::showChoice);
  connect(m_table, &QTableView::activated, m_field, qOverload<>(&QWidget::setFocus));
  connect(m_field, &KeyField::pressed, this, [this](const common::PressedKey& key) {
    m_pressed = key;
    showPressed();
  });
  connect(m_add, &QPushButton::clicked, this, &KeyDialog::addKey);
  connect(m_clear, &QPushButton::clicked, this, [this] { setKeys({}); });
  connect(m_usual, &QPushButton::clicked, this, [this] { setKeys(m_commands->usualKeys(chosen()->id)); });
  connect(m_allUsual, &QPushButton::clicked, this, &KeyDialog::setAllBack);
  fill();
}

std::vector<KeyDialog::Row> KeyDialog::rowsOf(const QString& group) const {
  std::vector<Row> rows;
  const auto wanted = [&](const QString& text, const QString& keys) {
    return matches(m_filter->text(), group + QLatin1Char(' ') + text + QLatin1Char(' ') + keys);
  };
  for (const Command& command : m_commands->commands()) {
    const QString keys = common::keysText(command.shortcuts);
    if (command.group != group || !wanted(command.text, keys)) continue;
    const common::Keys usual = m_commands->usualKeys(command.id);
    const QString usually = usual.isEmpty() ? tr("none") : common::keysText(usual);
    rows.push_back({keys, command.text, usual == command.shortcuts ? QString() : usually, command.id});
  }
  for (const common::KeyNote& note : m_commands->notes()) {
    if (note.group == group && wanted(note.text, note.keys)) rows.push_back({note.keys, note.text, {}, {}});
  }
  return rows;
}

void KeyDialog::addHeading(const QString& group) {
  QFont bold = font();
  bold.setBold(true);
  const QList<QStandardItem*> cells = {new QStandardItem(group), new QStandardItem, new QStandardItem};
  for (QStandardItem* cell : cells) cell->setFlags(Qt::NoItemFlags);
  cells.front()->setFont(bold);
  m_model->appendRow(cells);
  m_table->setSpan(m_model->rowCount() - 1, 0, 1, m_model->columnCount());
}

void KeyDialog::addRow(const Row& row) {
  const QList<QStandardItem*> cells = {plainCell(row.keys), plainCell(row.text), plainCell(row.usual)};
  for (QStandardItem* cell : cells) cell->setData(row.id, kIdRole);
  if (!row.usual.isEmpty()) {
    QFont bold = font();
    bold.setBold(true);
    cells.front()->setFont(bold);
  }
  m_model->appendRow(cells);
}

/// Lists what matches the filter under the headings of its groups; what is chosen stays chosen.
void KeyDialog::fill() {
  const QString before = chosen() != nullptr ? chosen()->id : QString();
  const int scroll = m_table->verticalScrollBar()->value();
  QStringList groups = m_groups;
  for (const Command& command : m_commands->commands()) groups << command.group;
  for (const common::KeyNote& note : m_commands->notes()) groups << note.group;
  groups.removeDuplicates();
  m_table->clearSpans();
  m_model->removeRows(0, m_model->rowCount());
  for (const QString& group : groups) {
    const std::vector<Row> rows = rowsOf(group);
    if (rows.empty()) continue;
    addHeading(group);
    for (const Row& row : rows) addRow(row);
  }
  m_table->setVisible(m_model->rowCount() > 0);
  m_none->setVisible(m_model->rowCount() == 0);
  m_allUsual->setEnabled(anyChanged());
  choose(before);
  m_table->verticalScrollBar()->setValue(scroll);
}

const Command* KeyDialog::chosen() const {
  return m_commands->command(m_table->currentIndex().data(kIdRole).toString());
}

void KeyDialog::choose(const QString& id) {
  for (int row = 0; row < m_model->rowCount() && !id.isEmpty(); ++row) {
    if (m_model->index(row, 0).data(kIdRole).toString() == id) m_table->setCurrentIndex(m_model->index(row, 0));
  }
  showChoice();
}

void KeyDialog::showChoice() {
  m_pressed.reset();
  m_field->clear();
  const Command* command = chosen();
  m_field->setEnabled(command != nullptr);
  m_add->setEnabled(false);
  m_clear->setEnabled(command != nullptr && !command->shortcuts.isEmpty());
  m_usual->setEnabled(command != nullptr && command->shortcuts != m_commands->usualKeys(command->id));
  const QModelIndex row = m_table->currentIndex();
  m_name->setText(row.isValid() ? row.siblingAtColumn(1).data().toString() : tr("No command is chosen"));
  if (command == nullptr) {
    say(row.isValid() ? tr("What the mouse does is fixed.") : tr("Choose a command to change its keys."));
  } else if (command->held) {
    say(tr("Goes on while the key is down. Letters count by their place on a US keyboard."));
  } else {
    say(command->scope != nullptr ? tr("Acts where the keyboard is in that part of the window.") : QString());
  }
}

/// What would happen with the pressed key.
void KeyDialog::showPressed() {
  const Command* command = chosen();
  if (command == nullptr || !m_pressed) return;
  const QKeySequence key = m_commands->wantedKey(command->id, *m_pressed);
  m_field->setText(nativeText(key.isEmpty() ? m_pressed->key : key));
  const bool has = command->shortcuts.contains(key);
  m_add->setEnabled(!key.isEmpty() && !has);
  QStringList losers;
  for (const Command* loser : m_commands->losersOf(command->id, *m_pressed)) losers << loser->text;
  if (key.isEmpty()) {
    say(tr("A US keyboard has no letter in that place; a held key needs one."), true);
  } else if (has) {
    say(tr("It has this key already."));
  } else if (!losers.isEmpty()) {
    say(tr("%1 loses %2 when you add it here.").arg(quoted(losers), m_field->text()), true);
  } else {
    say(tr("No other command has %1.").arg(m_field->text()));
  }
}

void KeyDialog::say(const QString& text, bool warning) {
  common::setTextRole(m_message, warning ? common::TextRole::Warning : common::TextRole::Muted);
  m_message->setText(text);
}

void KeyDialog::addKey() {
  const Command* command = chosen();
  if (command == nullptr || !m_pressed) return;
  QStringList losers;
  for (const Command* loser : m_commands->losersOf(command->id, *m_pressed)) losers << loser->text;
  const QString key = m_field->text();
  m_commands->addKey(command->id, *m_pressed);
  m_table->setFocus();
  say(losers.isEmpty() ? tr("%1 is added.").arg(key) : tr("%1 is added; %2 has lost it.").arg(key, quoted(losers)));
}

void KeyDialog::setKeys(const common::Keys& keys) {
  const Command* command = chosen();
  if (command == nullptr) return;
  const QString id = command->id;
  std::vector<std::pair<QString, common::Keys>> before;
  for (const Command& other : m_commands->commands()) before.emplace_back(other.text, other.shortcuts);
  m_commands->setKeys(id, keys);
  m_table->setFocus();
  QStringList losers;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Command& other = m_commands->commands()[i];
    if (other.id != id && other.shortcuts != before[i].second) losers << other.text;
  }
  if (!losers.isEmpty()) {
    say(tr("The usual keys are back; %1 has lost them.").arg(quoted(losers)));
  } else {
    say(keys.isEmpty() ? tr("The command has no key now.") : tr("The usual keys are back."));
  }
}

void KeyDialog::setAllBack() {
  for (const Command& command : m_commands->commands()) m_commands->setKeys(command.id, m_commands->usualKeys(command.id));
  m_table->setFocus();
  say(tr("Every command has its usual keys."));
}

bool KeyDialog::anyChanged() const {
  const auto& commands = m_commands->commands();
  return std::any_of(commands.begin(), commands.end(),
                     [this](const Command& command) { return command.shortcuts != m_commands->usualKeys(command.id); });
}

}  // namespace threewalls::window

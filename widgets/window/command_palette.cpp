#include "window/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace threewalls::window {
namespace {

constexpr int kWidth = 520;
constexpr int kHeight = 380;
constexpr int kTop = 84;
constexpr int kInRow = 5;
constexpr int kWordStart = 8;

}  // namespace

std::optional<int> fuzzyScore(const QString& typed, const QString& text) {
  int score = 0;
  qsizetype at = 0;
  bool inRow = false;
  for (const QChar wanted : typed) {
    if (wanted.isSpace()) {
      inRow = false;
      continue;
    }
    const qsizetype found = text.indexOf(wanted, at, Qt::CaseInsensitive);
    if (found < 0) return std::nullopt;
    if (inRow && found == at) score += kInRow;
    if (found == 0 || !text[found - 1].isLetterOrNumber()) score += kWordStart;
    score -= static_cast<int>(std::min<qsizetype>(found - at, 3));
    at = found + 1;
    inRow = true;
  }
  return score;
}

CommandPalette::CommandPalette(common::CommandRegistry* commands, QWidget* window) : QFrame(window), m_commands(commands) {
  setProperty("kind", QStringLiteral("popup"));
  m_text = new QLineEdit;
  m_text->setPlaceholderText(tr("Type a command"));
  m_text->setAccessibleName(tr("Command"));
  m_list = new QListWidget;
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setUniformItemSizes(true);
  m_list->setAccessibleName(tr("Commands"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 10, 10, 10);
  layout->addWidget(m_text);
  layout->addWidget(m_list, 1);
  m_text->installEventFilter(this);
  connect(m_text, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
  hide();
}

void CommandPalette::open() {
  const int width = std::min(kWidth, parentWidget()->width() - 40);
  setGeometry((parentWidget()->width() - width) / 2, kTop, width, kHeight);
  m_before = QApplication::focusWidget();
  m_text->clear();
  fill();
  show();
  raise();
  m_text->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::fill() {
  m_commands->refresh();
  struct Hit {
    int score;
    const common::Command* command;
  };
  std::vector<Hit> hits;
  for (const common::Command& command : m_commands->commands()) {
    const auto score = fuzzyScore(m_text->text(), command.text + QLatin1Char(' ') + command.group);
    if (score && m_commands->action(command.id)->isEnabled()) hits.push_back({*score, &command});
  }
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  m_list->clear();
  for (const Hit& hit : hits) {
    QString text = hit.command->group + QStringLiteral(": ") + hit.command->text;
    if (!hit.command->shortcuts.isEmpty())
      text += QStringLiteral("   ") + hit.command->shortcuts.front().toString(QKeySequence::NativeText);
    auto* item = new QListWidgetItem(text, m_list);
    item->setData(Qt::UserRole, hit.command->id);
  }
  m_list->setCurrentRow(0);
  // As tall as what it lists, up to a limit.
  const int rows = std::max(1, m_list->count()) * std::max(m_list->sizeHintForRow(0), fontMetrics().height() + 12);
  const int wanted = rows + m_text->sizeHint().height() + layout()->spacing() + layout()->contentsMargins().top() +
                     layout()->contentsMargins().bottom() + 6;
  resize(width(), std::min({wanted, kHeight, parentWidget()->height() - kTop - 20}));
}

void CommandPalette::runCurrent() {
  const QListWidgetItem* item = m_list->currentItem();
  if (item == nullptr) return;
  const QString id = item->data(Qt::UserRole).toString();
  dismiss();
  m_commands->run(id);
}

void CommandPalette::dismiss() {
  hide();
  if (m_before != nullptr) m_before->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut && isVisible()) hide();
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const int row = m_list->currentRow();
  if (key == Qt::Key_Escape)
    dismiss();
  else if (key == Qt::Key_Return || key == Qt::Key_Enter)
    runCurrent();
  else if (key == Qt::Key_Down)
    m_list->setCurrentRow(std::min(row + 1, m_list->count() - 1));
  else if (key == Qt::Key_Up)
    m_list->setCurrentRow(std::max(row - 1, 0));
  else
    return QFrame::eventFilter(watched, event);
  return true;
}

}  // namespace threewalls::window

#include "window/top_bar.h"

#include "common/badge.h"
#include "common/text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace threewalls::window {
namespace {

using common::Side;

constexpr int kLongestName = 34;

/// Menus take & for a shortcut letter.
QString menuText(QString text) {
  return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

QString shortened(const QString& text) {
  if (text.size() <= kLongestName) return text;
  return text.left(kLongestName / 2) + QChar(0x2026) + text.right(kLongestName / 2 - 1);
}

}  // namespace

TopBar::TopBar(const common::Document* document, common::CommandRegistry* commands, QWidget* parent)
    : QWidget(parent), m_document(document), m_commands(commands) {
  setProperty("kind", QStringLiteral("bar"));
  setProperty("edge", QStringLiteral("bottom"));
  setAttribute(Qt::WA_StyledBackground);
  m_title = common::plainLabel({});
  m_title->setWordWrap(false);
  common::setTextSize(m_title, common::TextSize::Normal, true);
  auto* swap = new QToolButton;
  swap->setText(QStringLiteral("⇄"));
  swap->setAccessibleName(tr("Swap A and B"));
  QAction* swapAction = commands->action(QStringLiteral("file.swap"));
  connect(swap, &QToolButton::clicked, swapAction, &QAction::trigger);
  const auto follow = [swap, swapAction] {
    swap->setEnabled(swapAction->isEnabled());
    swap->setToolTip(tr("Swap A and B (%1)").arg(swapAction->shortcut().toString(QKeySequence::NativeText)));
  };
  connect(swapAction, &QAction::changed, swap, follow);
  follow();
  auto* open = new QPushButton(tr("Open…"));
  connect(open, &QPushButton::clicked, commands->action(QStringLiteral("file.open")), &QAction::trigger);
  auto* palette = new QPushButton(tr("Commands"));
  const auto showKeys = [commands, open, palette] {
    const auto keysOf = [commands](const char* id) {
      const QString keys = common::keysText(commands->command(QString::fromLatin1(id))->shortcuts);
      return keys.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keys);
    };
    open->setToolTip(tr("Open traces%1, or drop files on the window").arg(keysOf("file.open")));
    palette->setToolTip(tr("Every command, by name%1").arg(keysOf("help.palette")));
  };
  showKeys();
  connect(commands, &common::CommandRegistry::keysChanged, this, showKeys);
  connect(palette, &QPushButton::clicked, commands->action(QStringLiteral("help.palette")), &QAction::trigger);

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(10);
  layout->addWidget(m_title);
  layout->addWidget(buildChip(Side::A));
  layout->addWidget(swap);
  layout->addWidget(buildChip(Side::B));
  layout->addStretch();
  layout->addWidget(palette);
  layout->addWidget(open);
  connect(document, &common::Document::runsChanged, this, &TopBar::refresh);
  refresh();
}

QWidget* TopBar::buildChip(Side side) {
  auto* chip = new QWidget;
  chip->setObjectName(QStringLiteral("chip") + common::letter(side));
  auto* button = new QToolButton;
  button->setPopupMode(QToolButton::InstantPopup);
  button->setProperty("kind", QStringLiteral("chip"));
  auto* menu = new QMenu(button);
  button->setMenu(menu);
  auto* layout = new QHBoxLayout(chip);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(new common::Badge(side));
  layout->addWidget(button);
  connect(menu, &QMenu::aboutToShow, this, [this, side] { fillMenu(side); });
  m_chips[static_cast<std::size_t>(side)] = button;
  m_menus[static_cast<std::size_t>(side)] = menu;
  return chip;
}

void TopBar::setRecent(const QStringList& paths) {
  m_recent = paths;
}

void TopBar::fillMenu(Side side) {
  QMenu* menu = m_menus[static_cast<std::size_t>(side)];
  menu->clear();
  menu->addAction(m_commands->action(QStringLiteral("file.open") + common::letter(side)));
  menu->addAction(m_commands->action(QStringLiteral("file.close") + common::letter(side)));
  if (m_recent.isEmpty()) return;
  menu->addSeparator();
  for (const QString& path : m_recent) {
    QAction* action = menu->addAction(menuText(common::toText(QFileInfo(path).fileName().toStdString())));
    action->setToolTip(common::literalToolTip(path));
    connect(action, &QAction::triggered, this, [this, side, path] { emit recentChosen(side, path); });
  }
  menu->setToolTipsVisible(true);
}

void TopBar::refresh() {
  m_title->setText(m_document->title().isEmpty() ? tr("Threewalls") : shortened(m_document->title()));
  for (const Side side : common::kSides) {
    QToolButton* chip = m_chips[static_cast<std::size_t>(side)];
    const auto& run = m_document->run(side);
    const QString text = run ? shortened(run->name) : tr("no trace");
    chip->setText(menuText(text) + QStringLiteral(" ▾"));
    chip->setToolTip(run ? common::literalToolTip(common::toText(run->analysis->trace->info().file)) : QString());
    chip->setAccessibleName(tr("Trace %1: %2").arg(common::letter(side), text));
  }
}

}  // namespace threewalls::window

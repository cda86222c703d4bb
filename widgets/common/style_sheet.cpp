#include "common/theme.h"

#include <QApplication>
#include <QHash>

namespace threewalls::common {
namespace {

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto channel = [share](int from, int to) { return static_cast<int>(from + (to - from) * share); };
  return QColor(channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue()));
}

/// @name@ stands for a colour of the theme.
const char* const kSheet = R"(
QWidget { color: @text@; }
QMainWindow, QDialog, QScrollArea, QWidget[kind="page"] { background: @window@; }
QScrollArea { border: none; }
QScrollArea[kind="inner"], QScrollArea[kind="inner"] > QWidget > QWidget { background: transparent; }
QWidget[kind="bar"], QWidget[kind="side"] { background: @panel@; }
QWidget[kind="bar"][edge="bottom"] { border-bottom: 1px solid @border@; }
QWidget[kind="bar"][edge="top"] { border-top: 1px solid @border@; }
QWidget[kind="side"][edge="right"] { border-right: 1px solid @border@; }
QWidget[kind="side"][edge="left"] { border-left: 1px solid @border@; }
QFrame[kind="popup"] { background: @panel@; border: 1px solid @accent@; border-radius: 8px; }
QWidget[kind="stage"][current="true"] { background: @hover@; border-left: 3px solid @accent@; }
QLabel[kind="stageNumber"] { border: 1px solid @border@; border-radius: 12px; }
QLabel[kind="stageNumber"][current="true"] { border: 1px solid @accent@; color: @accent@; font-weight: bold; }
QLabel:disabled { color: @faint@; }
QFrame[kind="rule"] { background: @border@; border: none; }

QFrame[kind="card"] { background: @panel@; border: 1px solid @border@; border-radius: 8px; }
QFrame[kind="card"][tone="bad"] { border: 1px solid @bad@; }

QLabel { background: transparent; }
QLabel[role="muted"] { color: @muted@; }
QLabel[role="good"] { color: @good@; }
QLabel[role="warning"] { color: @warning@; }
QLabel[role="bad"] { color: @bad@; }
QLabel[bold="true"] { font-weight: bold; }
QLabel[badge] { border-radius: 4px; padding: 1px 7px; font-weight: bold; }
QLabel[badge="A"] { background: @sideA@; color: @sideAText@; }
QLabel[badge="B"] { background: @sideB@; color: @sideBText@; }

QPushButton, QToolButton, QComboBox { background: @button@; border: 1px solid @border@; border-radius: 6px; padding: 5px 12px; }
QPushButton:hover, QToolButton:hover, QComboBox:hover { background: @hover@; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: @pressed@; }
QPushButton:focus, QToolButton:focus, QComboBox:focus { border: 1px solid @accent@; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled { color: @muted@; background: transparent; }
QPushButton[kind="primary"] { background: @accent@; color: @accentText@; border: 1px solid @accent@; font-weight: bold; }
QPushButton[kind="primary"]:hover { background: @accentHover@; }
QPushButton[kind="primary"]:focus { border: 1px solid @text@; }
QPushButton[kind="link"], QToolButton[kind="link"] { background: transparent; border: 1px solid transparent; color: @accent@;
  padding: 1px 4px; text-decoration: underline; text-align: left; }
QPushButton[kind="link"]:hover, QToolButton[kind="link"]:hover { background: @hover@; }
QPushButton[kind="link"]:focus, QToolButton[kind="link"]:focus { border: 1px solid @accent@; border-radius: 4px; }
QPushButton[kind="small"] { padding: 1px 8px; }
QPushButton[kind="flat"], QToolButton[kind="flat"] { background: transparent; border: 1px solid transparent; }
QPushButton[kind="flat"]:hover, QToolButton[kind="flat"]:hover { background: @hover@; }
QPushButton[kind="flat"]:focus, QToolButton[kind="flat"]:focus { border: 1px solid @accent@; }
QToolButton::menu-indicator { image: none; width: 0; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/down.png); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @panel@; border: 1px solid @border@; selection-background-color: @selection@;
  selection-color: @text@; outline: none; }

QLineEdit, QPlainTextEdit, QSpinBox { background: @field@; border: 1px solid @border@; border-radius: 6px; padding: 5px 8px;
  selection-background-color: @accent@; selection-color: @accentText@; }
QLineEdit:focus, QPlainTextEdit:focus, QSpinBox:focus { border: 1px solid @accent@; }

QTabWidget::pane { border: none; border-top: 1px solid @border@; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @muted@; padding: 8px 14px 7px 14px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text@; }
QTabBar::tab:selected { color: @text@; font-weight: bold; border-bottom: 2px solid @accent@; }
QTabBar::tab:focus { color: @accent@; }

QMenuBar { background: @panel@; padding: 2px 4px; }
QMenuBar::item { background: transparent; padding: 4px 10px; border-radius: 4px; }
QMenuBar::item:selected { background: @hover@; }
QMenu { background: @panel@; border: 1px solid @border@; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: @selection@; }
QMenu::item:disabled { color: @muted@; background: transparent; }
QMenu::separator { height: 1px; background: @border@; margin: 4px 6px; }
QToolTip { background: @panel@; color: @text@; border: 1px solid @border@; padding: 5px; }

QTableView, QTreeView, QListView { background: @panel@; alternate-background-color: @alternate@; border: none; gridline-color: @border@;
  selection-background-color: @selection@; selection-color: @text@; outline: none; }
QTableView::item { border-bottom: 1px solid @border@; padding: 0 8px; }
QTableView::item:selected, QListView::item:selected { background: @selection@; color: @text@; }
QTableView::item:hover, QListView::item:hover { background: @hover@; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QListWidget::item { background: transparent; border: none; padding: 4px 8px; }
QListWidget::item:selected { background: @selection@; }
QHeaderView { background: @panel@; border: none; }
QHeaderView::section { background: @panel@; color: @muted@; border: none; border-bottom: 1px solid @border@; padding: 6px 8px 6px 9px; }
QHeaderView::section:hover { color: @text@; }
QTableCornerButton::section { background: @panel@; border: none; }

QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: @handle@; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: @muted@; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; border: none; width: 0; height: 0; }

QProgressBar { background: @field@; border: 1px solid @border@; border-radius: 4px; text-align: center; }
QProgressBar::chunk { background: @accent@; border-radius: 3px; }
QSplitter::handle { background: @border@; }
)";

}  // namespace

QString Theme::styleSheet() const {
  const QHash<QString, QColor> colours = {
      {"window", window},
      {"panel", panel},
      {"border", border},
      {"text", text},
      {"muted", mutedText},
      {"faint", mix(panel, mutedText, 0.75)},
      {"accent", accent},
      {"accentText", accentText},
      {"accentHover", mix(accent, dark ? Qt::white : Qt::black, 0.12)},
      {"good", good},
      {"warning", warning},
      {"bad", bad},
      {"sideA", sideA},
      {"sideB", sideB},
      {"sideAText", readableTextOn(sideA)},
      {"sideBText", readableTextOn(sideB)},
      {"alternate", laneAlternate},
      {"field", mix(panel, window, 0.6)},
      {"button", mix(panel, text, dark ? 0.04 : 0.015)},
      {"hover", mix(panel, text, 0.08)},
      {"pressed", mix(panel, accent, 0.25)},
      {"selection", mix(panel, accent, dark ? 0.28 : 0.16)},
      {"handle", mix(border, mutedText, 0.45)},
  };
  QString sheet;
  const QStringList parts = QString::fromUtf8(kSheet).split(QLatin1Char('@'));
  for (qsizetype i = 0; i < parts.size(); ++i) {
    const bool isColour = i % 2 == 1;
    Q_ASSERT(!isColour || colours.contains(parts[i]));
    sheet += isColour ? colours.value(parts[i]).name() : parts[i];
  }
  // Points against the application's font, whose size the desktop chose.
  const double points = QApplication::font().pointSizeF();
  const std::pair<const char*, double> sizes[] = {{"small", 0.87}, {"large", 1.15}, {"title", 1.5}, {"figure", 1.9}};
  for (const auto& [name, factor] : sizes) {
    sheet +=
        QStringLiteral("QLabel[textSize=\"%1\"] { font-size: %2pt; }\n").arg(QLatin1String(name)).arg(points * factor, 0, 'f', 1);
  }
  return sheet;
}

}  // namespace threewalls::common

#include "window/command_palette.h"
#include "window/dialogs.h"
#include "window/guide_panel.h"
#include "window/key_dialog.h"
#include "window/main_window.h"
#include "window/picture_saver.h"
#include "window/range_saver.h"

#include "common/badge.h"

#include <QMenuBar>

namespace threewalls::window {

using common::Side;

void MainWindow::addFileCommands() {
  const QString file = tr("File");
  const auto isOpen = [this](Side side) { return m_document.run(side).has_value(); };
  m_commands->add({"file.open",
                   file,
                   tr("Open traces…"),
                   {QKeySequence(QKeySequence::Open)},
                   [this] { chooseFiles(std::nullopt); },
                   {},
                   nullptr});
  m_commands->add({"file.openA", file, tr("Open trace as A…"), {}, [this] { chooseFiles(Side::A); }, {}, nullptr});
  m_commands->add({"file.openB", file, tr("Open trace as B…"), {}, [this] { chooseFiles(Side::B); }, {}, nullptr});
  m_commands->add({"file.sample",
                   file,
                   tr("Open the sample study"),
                   {},
                   [this] { openSample(); },
                   [this] { return !m_samples.isEmpty(); },
                   nullptr});
  m_commands->add({"file.swap",
                   file,
                   tr("Swap A and B"),
                   {QKeySequence("Ctrl+Shift+X")},
                   [this] { m_loader->swap(); },
                   [isOpen] { return isOpen(Side::A) && isOpen(Side::B); },
                   nullptr});
  m_commands->add({"file.saveRange",
                   file,
                   tr("Save range as a trace…"),
                   {QKeySequence("Ctrl+Shift+E")},
                   [this] { saveRange(); },
                   [this] { return m_rangeSaver->possible(); },
                   nullptr});
  // The pages come after these commands.
  const auto timelineShown = [this] {
    return m_profile != nullptr && m_pictureSaver->possible() && m_profile->view() == profile::ProfilePage::Timeline;
  };
  m_commands->add({"file.savePicture",
                   file,
                   tr("Save picture of the timeline…"),
                   {QKeySequence("Ctrl+Shift+P")},
                   [this] { savePicture(); },
                   timelineShown,
                   nullptr});
  m_commands->add({"file.copyPicture",
                   file,
                   tr("Copy image of the timeline"),
                   {QKeySequence("Ctrl+Shift+C")},
                   [this] { m_pictureSaver->copy(); },
                   timelineShown,
                   nullptr});
  for (const Side side : common::kSides) {
    m_commands->add({QStringLiteral("file.close") + common::letter(side),
                     file,
                     tr("Close %1").arg(common::letter(side)),
                     {},
                     [this, side] { m_loader->close(side); },
                     [isOpen, side] { return isOpen(side); },
                     nullptr});
  }
  m_commands->add({"file.close",
                   file,
                   tr("Close all"),
                   {QKeySequence("Ctrl+W")},
                   [this] { m_loader->closeAll(); },
                   [isOpen] { return isOpen(Side::A) || isOpen(Side::B); },
                   nullptr});
  m_commands->add({"file.quit", file, tr("Quit"), {QKeySequence("Ctrl+Q")}, [this] { close(); }, {}, nullptr});
}

void MainWindow::addViewCommands() {
  const QString view = tr("View");
  m_commands->add({"view.dark", view, tr("Dark theme"), {}, [this] { setTheme("dark"); }, {}, nullptr});
  m_commands->add({"view.light", view, tr("Light theme"), {}, [this] { setTheme("light"); }, {}, nullptr});
  m_commands->add({"view.system", view, tr("Theme of the system"), {}, [this] { setTheme("system"); }, {}, nullptr});
  m_commands->add({"view.largerText",
                   view,
                   tr("Larger text"),
                   {QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")},
                   [this] { stepTextScale(1); },
                   [this] { return m_textScale < kTextScales.back(); },
                   nullptr});
  m_commands->add({"view.smallerText",
                   view,
                   tr("Smaller text"),
                   {QKeySequence("Ctrl+-")},
                   [this] { stepTextScale(-1); },
                   [this] { return m_textScale > kTextScales.front(); },
                   nullptr});
  m_commands->add({"view.usualText",
                   view,
                   tr("Text as large as the desktop's"),
                   {QKeySequence("Ctrl+0")},
                   [this] {
                     setTextScale(100);
                     m_commands->refresh();
                   },
                   {},
                   nullptr});
  m_commands->add({"view.reducedMotion",
                   view,
                   tr("Reduced motion: held keys do not speed up (on or off)"),
                   {},
                   [this] { setReducedMotion(!m_reducedMotion); },
                   {},
                   nullptr});
  m_commands->add({"view.guide",
                   view,
                   tr("Show or hide the guide"),
                   {QKeySequence("F9")},
                   [this] {
                     m_guideWanted = !m_guide->isVisible();
                     m_guide->setVisible(*m_guideWanted);
                   },
                   {},
                   nullptr});
  m_commands->add({"view.notes",
                   view,
                   tr("Notes on import"),
                   {},
                   [this] { importNotes(m_document, this)->open(); },
                   [this] { return m_document.run(Side::A) || m_document.run(Side::B); },
                   nullptr});
}

void MainWindow::addHelpCommands() {
  const QString help = tr("Help");
  m_commands->add(
      {"help.palette", help, tr("Command palette"), {QKeySequence("Ctrl+K")}, [this] { m_palette->open(); }, {}, nullptr});
  m_commands->add({"help.keys",
                   help,
                   tr("Keys…"),
                   {QKeySequence("F1")},
                   [this] { (new KeyDialog(m_commands, commandGroups(), this))->open(); },
                   {},
                   nullptr});
  m_commands->add({"help.about", help, tr("About Threewalls"), {}, [this] { aboutThreewalls(this)->open(); }, {}, nullptr});
}

QStringList MainWindow::commandGroups() {
  return {tr("File"),  tr("View"),    tr("Go"),     tr("Select"),  tr("Lanes"),
          tr("Marks"), tr("Compare"), tr("Search"), tr("Kernels"), tr("Help")};
}

void MainWindow::buildMenus() {
  for (const QString& group : commandGroups()) {
    QList<QAction*> actions;
    for (const common::Command& command : m_commands->commands()) {
      if (command.group == group) actions << m_commands->action(command.id);
    }
    if (!actions.isEmpty()) menuBar()->addMenu(group)->addActions(actions);
  }
}

}  // namespace threewalls::window

#include "window/main_window.h"

#include "common/message_card.h"
#include "common/text.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"
#include "window/command_palette.h"
#include "window/dialogs.h"
#include "window/guide_panel.h"
#include "window/picture_dialog.h"
#include "window/picture_saver.h"
#include "window/range_saver.h"
#include "window/stage_rail.h"
#include "window/status_line.h"
#include "window/top_bar.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace threewalls::window {
namespace {

using common::Side;

constexpr int kGuideFrom = 1240;  ///< window width from which the guide is shown unasked, at the usual text size
constexpr int kMostErrors = 3;

QStringList localFiles(const QMimeData* data) {
  QStringList paths;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  return paths;
}

/// Asks the desktop: without a palette of ours its own shows through. Whoever asks sets ours again.
bool systemIsDark() {
  QApplication::setPalette(QPalette());
  return QApplication::palette().color(QPalette::Window).lightnessF() < 0.5;
}

}  // namespace

MainWindow::MainWindow(Preferences preferences, QStringList samples, QWidget* parent)
    : QMainWindow(parent),
      m_preferences(std::move(preferences)),
      m_samples(std::move(samples)),
      m_commands(new common::CommandRegistry(this)),
      m_jobs(std::make_unique<common::JobService>()) {
  setWindowTitle(tr("Threewalls"));
  setAcceptDrops(true);
  setMinimumSize(900, 560);
  m_loader = new RunLoader(&m_document, m_jobs.get(), this);
  m_rangeSaver = new RangeSaver(&m_document, &m_selection, m_jobs.get(), this);
  addFileCommands();
  addHelpCommands();
  m_profile = new profile::ProfilePage(&m_document, &m_selection, m_jobs.get(), m_commands);
  m_pictureSaver = new PictureSaver(&m_document, m_profile->timelinePage(), m_jobs.get(), this);
  addViewCommands();
  buildMenus();
  buildCentre();
  m_palette = new CommandPalette(m_commands, this);

  connect(m_loader, &RunLoader::failed, this, &MainWindow::showError);
  connect(m_loader, &RunLoader::opened, this, [this](const QString& path) {
    if (m_samples.contains(path)) return;
    m_preferences.addRecent(path);
    m_topBar->setRecent(m_preferences.recent());
  });
  connect(m_pictureSaver, &PictureSaver::saved, this, &MainWindow::showNotice);
  connect(m_pictureSaver, &PictureSaver::failed, this, &MainWindow::showError);
  connect(m_profile, &profile::ProfilePage::viewChanged, m_commands, &common::CommandRegistry::refresh);
  connect(m_profile->timelinePage(), &timeline::TimelinePage::noticed, this, &MainWindow::showNotice);
  connect(m_profile->timelinePage(), &timeline::TimelinePage::failed, this, &MainWindow::showError);
  if (!m_preferences.dataFolder().isEmpty())
    m_profile->timelinePage()->keepMarksIn(m_preferences.dataFolder() + QStringLiteral("/marks"));
  connect(m_rangeSaver, &RangeSaver::saved, this, &MainWindow::showNotice);
  connect(m_rangeSaver, &RangeSaver::failed, this, &MainWindow::showError);
  connect(&m_selection, &common::Selection::changed, this,
          [this] { m_commands->action(QStringLiteral("file.saveRange"))->setEnabled(m_rangeSaver->possible()); });
  connect(&m_document, &common::Document::runsChanged, this, &MainWindow::refresh);
  connect(m_profile, &profile::ProfilePage::viewChanged, this, [this] { m_guide->setView(m_profile->view()); });
  connect(m_profile, &profile::ProfilePage::alignmentChanged, this,
          [this] { m_status->setAlignmentText(m_profile->alignmentText()); });
  connect(m_topBar, &TopBar::recentChosen, m_loader, &RunLoader::openOn);
  connect(m_guide, &GuidePanel::evidenceWanted, this, &MainWindow::showEvidence);
  connect(m_status, &StatusLine::notesWanted, this, [this] { m_commands->run(QStringLiteral("view.notes")); });
  m_topBar->setRecent(m_preferences.recent());
  if (!m_preferences.restoreGeometry(this)) resize(1440, 900);
  setTextScale(m_preferences.textScale());
  setReducedMotion(m_preferences.reducedMotion());
  setTheme(m_preferences.theme());
  restoreKeys();
  refresh();
}

MainWindow::~MainWindow() = default;

void MainWindow::restoreKeys() {
  const QStringList ignored = m_preferences.applyShortcuts(*m_commands);
  if (!ignored.isEmpty()) {
    showNotice(tr("Some stored keys could not be read; those commands have their usual keys"), ignored.join(QLatin1Char('\n')));
  }
  connect(m_commands, &common::CommandRegistry::keysChanged, this, [this] { m_preferences.saveShortcuts(*m_commands); });
}

void MainWindow::buildCentre() {
  auto* centre = new QWidget;
  auto* rows = new QVBoxLayout(centre);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  m_topBar = new TopBar(&m_document, m_commands);
  m_status = new StatusLine(&m_document, m_jobs.get());
  m_guide = new GuidePanel(&m_document, m_commands);
  m_pages = new QStackedWidget;
  m_pages->addWidget(new common::EmptyState(
      tr("No trace is open"),
      tr("Drop one or two GPU traces here: what the PyTorch profiler writes (.pt.trace.json, also with .gz). The first becomes "
         "A, the second B."),
      {m_commands->action(QStringLiteral("file.sample")), m_commands->action(QStringLiteral("file.open"))}));
  m_pages->addWidget(m_profile);

  auto* middle = new QVBoxLayout;
  middle->setSpacing(0);
  m_errors = new QVBoxLayout;
  m_errors->setSpacing(8);
  middle->addLayout(m_errors);
  middle->addWidget(m_pages, 1);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(0);
  columns->addWidget(new StageRail(&m_document));
  columns->addLayout(middle, 1);
  columns->addWidget(m_guide);
  rows->addWidget(m_topBar);
  rows->addLayout(columns, 1);
  rows->addWidget(m_status);
  setCentralWidget(centre);
}

void MainWindow::openFiles(const QStringList& paths) {
  m_loader->open(paths);
}

void MainWindow::openSample() {
  if (m_samples.size() != 2) return;
  m_loader->open(m_samples, tr("Sample study"));
}

void MainWindow::setTheme(const QString& id) {
  const QString resolved = id == QLatin1String("system") ? QString::fromLatin1(systemIsDark() ? "dark" : "light") : id;
  const auto theme = common::Theme::load(resolved);
  if (!theme) return showError(theme.error());
  QApplication::setPalette(theme->palette());
  qApp->setStyleSheet(theme->styleSheet());
  m_profile->setTheme(*theme);
  m_pictureSaver->setTheme(*theme);
  m_theme = id;
  m_preferences.setTheme(id);
}

void MainWindow::setTextScale(int percent) {
  // The first size is the desktop's: ours replaces it.
  static const QFont desktop = QApplication::font();
  m_textScale = *std::min_element(kTextScales.begin(), kTextScales.end(),
                                  [percent](int a, int b) { return std::abs(a - percent) < std::abs(b - percent); });
  QFont font = desktop;
  font.setPointSizeF(desktop.pointSizeF() * m_textScale / 100);
  if (font.pointSizeF() != QApplication::font().pointSizeF()) {
    QApplication::setFont(font);
    if (!m_theme.isEmpty()) setTheme(m_theme);  // the style sheet's sizes follow
  }
  m_preferences.setTextScale(m_textScale);
  showGuideWhereThereIsRoom();
}

void MainWindow::stepTextScale(int direction) {
  const auto at = std::find(kTextScales.begin(), kTextScales.end(), m_textScale) - kTextScales.begin() + direction;
  if (at >= 0 && at < static_cast<std::ptrdiff_t>(kTextScales.size())) setTextScale(kTextScales[static_cast<std::size_t>(at)]);
  m_commands->refresh();
}

void MainWindow::setReducedMotion(bool reduced) {
  m_reducedMotion = reduced;
  m_profile->timelinePage()->view()->setReducedMotion(reduced);
  m_preferences.setReducedMotion(reduced);
}

void MainWindow::chooseFiles(std::optional<Side> side) {
  const QString filter = tr("GPU traces (*.json *.json.gz *.gz);;All files (*)");
  if (side) {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a trace"), {}, filter);
    if (!path.isEmpty()) m_loader->openOn(*side, path);
  } else {
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open one or two traces"), {}, filter);
    m_loader->open(paths);
  }
}

template <class MessageCard>
void MainWindow::showCard(MessageCard* card) {
  while (m_errors->count() >= kMostErrors) {
    QLayoutItem* oldest = m_errors->takeAt(0);
    oldest->widget()->deleteLater();
    delete oldest;
  }
  connect(card, &MessageCard::dismissed, card, [this, card] {
    m_errors->removeWidget(card);
    card->hide();
    card->deleteLater();
    m_errors->setContentsMargins(m_errors->count() > 0 ? QMargins(14, 12, 14, 0) : QMargins());
  });
  m_errors->addWidget(card);
  m_errors->setContentsMargins(14, 12, 14, 0);
}

void MainWindow::showError(const base::Error& error) {
  showCard(new common::ErrorCard(error));
  emit failed(error);
}

void MainWindow::showNotice(const QString& what, const QString& details) {
  showCard(new common::NoticeCard(what, details));
}

void MainWindow::saveRange() {
  m_rangeSaver->save(chooseSaveFile(this, tr("Save the range as a trace"), m_rangeSaver->suggestedPath(),
                                    tr("Traces (*.json *.json.gz *.gz)"), QStringLiteral("json.gz")));
}

void MainWindow::savePicture() {
  auto* dialog = new PictureDialog(m_pictureSaver, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void MainWindow::refresh() {
  const bool any = m_document.run(Side::A) || m_document.run(Side::B);
  const bool was = m_pages->currentWidget() == m_profile;
  m_pages->setCurrentIndex(any ? 1 : 0);
  setWindowTitle(m_document.title().isEmpty() ? tr("Threewalls") : tr("%1 - Threewalls").arg(m_document.title()));
  m_selection.clear();
  m_status->setAlignmentText(m_profile->alignmentText());
  m_commands->refresh();
  // The keyboard goes to the page, not to the first button of the window.
  if (any && !was) m_profile->focusView();
  if (!any) m_pages->currentWidget()->setFocus();
}

void MainWindow::showEvidence(Side side) {
  const auto& run = m_document.run(side);
  if (!run || run->analysis->wall.reasons.empty() || run->analysis->wall.reasons.front().intervals.empty()) return;
  m_profile->setView(profile::ProfilePage::Timeline);
  m_selection.show(common::SelectedRange{side, run->analysis->wall.reasons.front().intervals.front()});
}

bool MainWindow::event(QEvent* event) {
  // The desktop has changed its colours, at dusk for instance.
  if (event->type() == QEvent::ThemeChange && m_theme == QLatin1String("system")) setTheme(m_theme);
  return QMainWindow::event(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!localFiles(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  openFiles(localFiles(event->mimeData()));
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  showGuideWhereThereIsRoom();
}

void MainWindow::showGuideWhereThereIsRoom() {
  m_guide->setVisible(m_guideWanted.value_or(width() >= kGuideFrom * m_textScale / 100));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_preferences.saveGeometry(this);
  QMainWindow::closeEvent(event);
}

}  // namespace threewalls::window

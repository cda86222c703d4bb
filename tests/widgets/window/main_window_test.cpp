#include "window/main_window.h"
#include "common/message_card.h"
#include "profile/ledger_bars.h"
#include "support/test_files.h"
#include "window/command_palette.h"
#include "window/grab.h"

#include <QApplication>
#include <QDialog>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QStyleFactory>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace threewalls;
using common::Side;
using profile::ProfilePage;
using window::MainWindow;

namespace {

QString sample(const char* name) {
  return QString::fromStdString(test::repositoryFile(std::string("resources/sample/") + name + ".pt.trace.json.gz"));
}

}  // namespace

class MainWindowTest : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> m_window;

  static std::unique_ptr<MainWindow> made() {
    auto window = std::make_unique<MainWindow>(window::Preferences(), QStringList{sample("loop"), sample("grouped")});
    window->resize(1440, 900);
    window->show();
    return window;
  }
  common::Document& document() { return *m_window->document(); }
  common::Selection& selection() { return *m_window->selection(); }
  ProfilePage& profilePage() { return *m_window->profilePage(); }
  QString runName(Side side) { return document().run(side) ? document().run(side)->name : QString(); }
  bool settle() {
    return QTest::qWaitFor([this] { return m_window->settled(); }, 60000);
  }
  void key(Qt::Key pressed, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : m_window.get(), pressed, modifiers);
  }
  void drop(const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    const QPoint middle = m_window->rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent dropped(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &dropped);
  }
  QList<common::ErrorCard*> errors() {
    QList<common::ErrorCard*> shown;
    for (auto* card : m_window->findChildren<common::ErrorCard*>()) {
      if (card->isVisible()) shown << card;
    }
    return shown;
  }
  QStringList visibleTexts(QWidget* widget) {
    QStringList texts;
    for (const QLabel* label : widget->findChildren<QLabel*>()) {
      if (label->isVisible()) texts << label->text();
    }
    return texts;
  }

 private slots:
  void initTestCase_data() {
    QTest::addColumn<QString>("theme");
    QTest::newRow("dark") << "dark";
    QTest::newRow("light") << "light";
  }
  void initTestCase() {
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    m_window = made();
  }
  void init() {
    QFETCH_GLOBAL(QString, theme);
    m_window->resize(1440, 900);
    if (runName(Side::A) != "loop" || runName(Side::B) != "grouped") {
      m_window->openFiles({sample("loop"), sample("grouped")});
      QVERIFY(settle());
    }
    for (auto* card : errors()) emit card->dismissed();
    m_window->setTheme(theme);
    profilePage().setView(ProfilePage::Timeline);
    selection().clear();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
  }
  void cleanupTestCase() { m_window.reset(); }

  void openingTwoFilesComparesThem() {
    QCOMPARE(runName(Side::A), QString("loop"));
    QCOMPARE(runName(Side::B), QString("grouped"));
    QVERIFY(document().comparison() != nullptr);
    QVERIFY(visibleTexts(m_window.get()).join('\n').contains("149,096 events"));
  }

  void theLogBesideATraceGivesTheStepTimes() {
    profilePage().setView(ProfilePage::Overview);
    QCOMPARE(document().comparison()->stepTime.source, compare::TimeSource::Log);
    const QString texts = visibleTexts(m_window.get()).join('\n');
    QVERIFY2(texts.contains("unprofiled logs, iterations 51–60"), qPrintable(texts));
    // The guide may be folded away in a window of this size; the card says the same in a sentence.
    QVERIFY2(texts.contains("The profile of A does not agree with its log"), qPrintable(texts));
  }

  void aDroppedLogGoesToTheRunOfItsName() {
    QTemporaryDir dir;
    const QString trace = dir.filePath("other.pt.trace.json.gz");
    QVERIFY(QFile::copy(sample("grouped"), trace));
    m_window->openFiles({trace, sample("grouped")});
    QVERIFY(settle());
    QVERIFY(document().run(Side::A)->log == nullptr);
    QCOMPARE(document().comparison()->stepTime.source, compare::TimeSource::Trace);
    profilePage().setView(ProfilePage::Overview);
    QVERIFY(visibleTexts(m_window.get()).contains("from the traces: only B has a log"));

    const QString log = dir.filePath("other.log");
    QVERIFY(QFile::copy(QString::fromStdString(test::repositoryFile("resources/sample/grouped.log")), log));
    drop({log});
    QVERIFY(settle());
    QVERIFY(errors().isEmpty());
    QCOMPARE(runName(Side::A), QString("other"));
    QVERIFY(document().run(Side::A)->log != nullptr);
    QCOMPARE(document().comparison()->stepTime.source, compare::TimeSource::Log);
  }

  void tabsSwitchByMouseAndKeys() {
    auto* tabs = profilePage().findChild<QTabBar*>();
    for (const int tab : {1, 2, 0}) {
      QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
      QCOMPARE(static_cast<int>(profilePage().view()), tab);
    }
    key(Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(profilePage().view(), ProfilePage::Kernels);
    key(Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(profilePage().view(), ProfilePage::Overview);
  }

  void aLedgerBarLeadsToItsStepOnTheTimeline() {
    profilePage().setView(ProfilePage::Overview);
    auto* bars = profilePage().findChild<profile::LedgerBars*>();
    QTest::mouseClick(bars, Qt::LeftButton, {}, bars->barRect(2).center().toPoint());
    QCOMPARE(selection().range()->side, Side::A);
    QCOMPARE(selection().range()->range, document().run(Side::A)->analysis->lanes[0].steps[2].interval);
    QCOMPARE(profilePage().view(), ProfilePage::Timeline);
  }

  void aKernelRowLeadsToItsFirstInstanceAndNGoesOn() {
    profilePage().setView(ProfilePage::Kernels);
    auto* table = profilePage().findChild<QTableView*>("kernels");
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(1, 0)).center());
    QTRY_VERIFY(selection().slice().has_value());
    QCOMPARE(profilePage().view(), ProfilePage::Timeline);
    const trace::Trace& trace = *document().run(Side::A)->analysis->trace;
    const std::string name = document().comparison()->kernels[1].name;
    const auto first = selection().slice()->event;
    QCOMPARE(std::string(trace.name(first)), name);
    key(Qt::Key_N);
    const auto second = selection().slice()->event;
    QCOMPARE(std::string(trace.name(second)), name);
    QVERIFY(trace.interval(second).start > trace.interval(first).start);
    key(Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(selection().slice()->event, first);
  }

  void thePaletteRunsACommand() {
    key(Qt::Key_K, Qt::ControlModifier);
    auto* palette = m_window->findChild<window::CommandPalette*>();
    QVERIFY(palette->isVisible());
    QTest::keyClicks(palette->findChild<QLineEdit*>(), "kern");
    auto* list = palette->findChild<QListWidget*>();
    QVERIFY(list->count() > 0);
    QTest::keyClicks(palette->findChild<QLineEdit*>(), "els view");
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    QVERIFY(!palette->isVisible());
    QCOMPARE(profilePage().view(), ProfilePage::Kernels);
    key(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Escape);
    QVERIFY(!palette->isVisible());
  }

  void keyHelpListsEveryShortcut() {
    key(Qt::Key_F1);
    auto* help = m_window->findChild<QDialog*>("keyHelp");
    QVERIFY(help != nullptr && help->isVisible());
    const auto* model = help->findChild<QTableView*>()->model();
    QStringList listed;
    for (int row = 0; row < model->rowCount(); ++row)
      listed << model->index(row, 0).data().toString() + '|' + model->index(row, 1).data().toString();
    for (const common::Command& command : m_window->commands()->commands()) {
      if (command.shortcuts.isEmpty()) continue;
      QVERIFY2(!listed.filter(command.shortcuts.front().toString(QKeySequence::NativeText)).filter(command.text).isEmpty(),
               qPrintable(command.id));
    }
    QVERIFY(!listed.filter("Fit the whole trace").isEmpty());
    help->close();
  }

  void everyCommandStandsInAMenuWithAShortcutOfItsOwn() {
    QStringList inMenus;
    for (const QAction* menu : m_window->menuBar()->actions()) {
      for (const QAction* action : menu->menu()->actions()) inMenus << action->objectName();
    }
    // Two commands may share a key only where one place of the keyboard never reaches both.
    const auto meet = [](const QWidget* a, const QWidget* b) {
      return a == nullptr || b == nullptr || a == b || a->isAncestorOf(b) || b->isAncestorOf(a);
    };
    QMultiHash<QKeySequence, const QWidget*> used;
    for (const common::Command& command : m_window->commands()->commands()) {
      QVERIFY2(inMenus.contains(command.id), qPrintable(command.id));
      for (const QKeySequence& key : command.shortcuts) {
        for (const QWidget* scope : used.values(key)) QVERIFY2(!meet(scope, command.scope), qPrintable(command.id));
        used.insert(key, command.scope);
      }
    }
  }

  void onlyTheProfileStageCanBeChosen() {
    int enabled = 0;
    int stages = 0;
    for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
      if (widget->property("kind") != "stage") continue;
      ++stages;
      if (widget->isEnabled()) {
        ++enabled;
        QCOMPARE(widget->accessibleName(), QString("Stage 4, Profile"));
      }
    }
    QCOMPARE(stages, 6);
    QCOMPARE(enabled, 1);
  }

  void aDamagedFileIsExplainedAndWhatWasOpenStays() {
    QTemporaryDir folder;
    const QString path = folder.filePath("<b>broken&amp;.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("this is no trace at all");
    file.close();
    const auto before = document().run(Side::A)->analysis;
    drop({path});
    QVERIFY(settle());
    QTRY_COMPARE(errors().size(), 1);
    const QStringList texts = visibleTexts(errors().front());
    QVERIFY2(texts.join('\n').contains("<b>broken&amp;.json"), qPrintable(texts.join('\n')));
    QVERIFY(texts.size() >= 3);  // what, where, what to do
    for (const QLabel* label : errors().front()->findChildren<QLabel*>()) QCOMPARE(label->textFormat(), Qt::PlainText);
    QCOMPARE(document().run(Side::A)->analysis, before);
    QCOMPARE(runName(Side::B), QString("grouped"));
  }

  void aDroppedFileGoesToAWhenThatIsFreeElseToB() {
    m_window->commands()->run("file.close");
    QVERIFY(settle());
    QVERIFY(!document().run(Side::A) && !document().run(Side::B));
    drop({sample("grouped")});
    QVERIFY(settle());
    QCOMPARE(runName(Side::A), QString("grouped"));
    QVERIFY(!document().run(Side::B));
    QVERIFY(document().comparison() == nullptr);
    drop({sample("loop")});
    QVERIFY(settle());
    QCOMPARE(runName(Side::A), QString("grouped"));
    QCOMPARE(runName(Side::B), QString("loop"));
    QVERIFY(document().comparison() != nullptr);
    drop({sample("loop"), sample("grouped"), sample("loop")});
    QVERIFY(settle());
    QCOMPARE(runName(Side::A), QString("loop"));
    QCOMPARE(runName(Side::B), QString("grouped"));
    QCOMPARE(errors().size(), 1);  // a third one has no side
  }

  void swappingTurnsTheDifferenceRound() {
    const auto before = document().comparison();
    m_window->commands()->run("file.swap");
    QVERIFY(settle());
    QCOMPARE(runName(Side::A), QString("grouped"));
    for (std::size_t part = 0; part < before->waterfall.delta.size(); ++part) {
      QVERIFY(std::abs((document().comparison()->waterfall.delta[part] + before->waterfall.delta[part]).count()) <=
              6);  // rounding
    }
    QCOMPARE(document().comparison()->waterfall.residue().count(), 0);
  }

  void aLoadCanBeCancelledAtOnce() {
    const auto before = document().run(Side::A)->analysis;
    m_window->openFiles({sample("grouped"), sample("loop")});
    auto* cancel = m_window->findChild<QPushButton*>("cancelJob");
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible() || m_window->settled(), 20000);
    if (m_window->settled()) QSKIP("the load was over before anybody could cancel it");
    QElapsedTimer timer;
    timer.start();
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->settled(), 1000);
    QVERIFY(timer.elapsed() <= 100);
    QCOMPARE(document().run(Side::A)->analysis, before);
    QVERIFY(errors().isEmpty());
  }

  void theLongestIdleGapIsShownFromAnyView() {
    profilePage().setView(ProfilePage::Overview);
    QVERIFY(m_window->commands()->run("go.idleGap"));
    QTRY_VERIFY(selection().range().has_value());
    QCOMPARE(profilePage().view(), ProfilePage::Timeline);
    QVERIFY(m_window->commands()->run("go.gapLaunch"));
    QTRY_VERIFY(selection().slice().has_value());
    const trace::Trace& trace = *document().run(Side::A)->analysis->trace;
    QVERIFY(trace::isLaunchCall(trace.kind(selection().slice()->event)));
  }

  void theThemeReachesTheWholeWindow() {
    QFETCH_GLOBAL(QString, theme);
    for (const auto view : {ProfilePage::Timeline, ProfilePage::Overview, ProfilePage::Kernels}) {
      profilePage().setView(view);
      QTest::qWait(30);
      const QImage image = m_window->grab().toImage().scaled(64, 40, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
      double lightness = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) lightness += image.pixelColor(x, y).lightnessF();
      }
      lightness /= image.width() * image.height();
      QVERIFY2(theme == "dark" ? lightness < 0.35 : lightness > 0.75, qPrintable(QString::number(lightness)));
    }
  }

  void nothingIsClippedInASmallWindow() {
    m_window->resize(1024, 640);
    for (const auto view : {ProfilePage::Timeline, ProfilePage::Overview, ProfilePage::Kernels}) {
      profilePage().setView(view);
      QTest::qWait(50);
      QCOMPARE(m_window->size(), QSize(1024, 640));
      for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
        const auto* label = qobject_cast<const QLabel*>(widget);
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (label != nullptr && !label->wordWrap() && label->sizePolicy().horizontalPolicy() != QSizePolicy::Ignored) {
          QVERIFY2(label->width() >= label->minimumSizeHint().width(), qPrintable(label->text()));
        }
        if (button != nullptr && !button->text().isEmpty())
          QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(button->text()));
      }
    }
  }

  void theGuideLeadsToWhatCanBeDoneNow() {
    QTest::qWait(20);  // new parts of the guide are shown with the next events
    QPushButton* next = nullptr;
    for (QPushButton* button : m_window->findChildren<QPushButton*>("next")) {
      if (button->isVisible()) next = button;
    }
    QVERIFY(next != nullptr);
    QTest::mouseClick(next, Qt::LeftButton);
    QCOMPARE(profilePage().view(), ProfilePage::Overview);
  }

  void anEmptyWindowOffersTheSampleStudy() {
    m_window->commands()->run("file.close");
    QVERIFY(settle());
    QPushButton* offer = nullptr;
    for (QPushButton* button : m_window->findChildren<QPushButton*>()) {
      if (button->isVisible() && button->text() == "Open the sample study" && button->objectName() != "next") offer = button;
    }
    QVERIFY(offer != nullptr);
    QTest::mouseClick(offer, Qt::LeftButton);
    QVERIFY(settle());
    QCOMPARE(runName(Side::A), QString("loop"));
    QCOMPARE(document().title(), QString("Sample study"));
  }

  void everyViewIsRenderedToAPicture() {
    QFETCH_GLOBAL(QString, theme);
    QTemporaryDir folder;
    const auto written = window::grabViews(*m_window, folder.filePath("new/pictures"), {theme});
    QVERIFY(written.has_value());
    QStringList names;
    for (const QString& path : *written) {
      names << QFileInfo(path).fileName();
      QCOMPARE(QImage(path).size(), m_window->size());
    }
    QCOMPARE(names, (QStringList{"profile_timeline_" + theme + ".png", "profile_overview_" + theme + ".png",
                                 "profile_kernels_" + theme + ".png"}));
    QVERIFY(!window::grabViews(*m_window, "/proc/nowhere", {theme}));
  }

  void runsAreNamedByTheirFiles() {
    QCOMPARE(window::runName("/a/b/loop.pt.trace.json.gz"), QString("loop"));
    QCOMPARE(window::runName("rank3.json"), QString("rank3"));
    QCOMPARE(window::runName(".json"), QString(".json"));
    QCOMPARE(window::runName("a\nb.json"), QString("a b"));
  }

  void fuzzyTypingPrefersWordStartsAndRows() {
    QVERIFY(!window::fuzzyScore("xyz", "Open traces"));
    QVERIFY(window::fuzzyScore("ot", "Open traces").has_value());
    QVERIFY(*window::fuzzyScore("ot", "Open traces") > *window::fuzzyScore("en", "Open traces"));
    QVERIFY(*window::fuzzyScore("open", "Open traces") > *window::fuzzyScore("otra", "Close others and exit rapidly as it is"));
    QVERIFY(window::fuzzyScore("", "anything").has_value());
  }
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"

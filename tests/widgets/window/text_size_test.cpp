#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"
#include "widgets/sample_document.h"
#include "window/main_window.h"

#include <QApplication>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

using namespace threewalls;
using common::Side;
using window::MainWindow;
using window::Preferences;

class TextSizeTest : public QObject {
  Q_OBJECT
  QTemporaryDir m_folder;

  std::unique_ptr<MainWindow> made(bool remembers = false) {
    auto store = remembers ? std::make_unique<QSettings>(m_folder.filePath("settings.ini"), QSettings::IniFormat) : nullptr;
    auto window = std::make_unique<MainWindow>(store ? Preferences(std::move(store)) : Preferences(), QStringList());
    window->resize(1680, 1050);
    window->show();
    test::openSample(*window->document());
    QCoreApplication::processEvents();
    return window;
  }
  static timeline::TimelineView& view(MainWindow& window) { return *window.profilePage()->timelinePage()->view(); }

 private slots:
  void cleanup() {
    MainWindow window(Preferences(), {});
    window.setTextScale(100);
  }

  void textAndLanesGrowTogether() {
    const auto window = made();
    const double points = QApplication::font().pointSizeF();
    const int lanes = view(*window).layout().height();
    const int gutter = view(*window).lanesRect().left();
    for (const int percent : {125, 150, 175, 200}) {
      QVERIFY(window->commands()->run("view.largerText"));
      QCoreApplication::processEvents();
      QCOMPARE(window->textScale(), percent);
      QVERIFY(std::abs(QApplication::font().pointSizeF() - points * percent / 100) < 0.01);
      QVERIFY(view(*window).layout().height() > lanes * percent / 125);
      QVERIFY(view(*window).lanesRect().left() >= gutter);
      if (qEnvironmentVariableIsSet("THREEWALLS_GRAB"))
        window->grab().save(qEnvironmentVariable("THREEWALLS_GRAB") + QString("/text%1.png").arg(percent));
    }
    QVERIFY(!window->commands()->run("view.largerText"));
    QVERIFY(window->commands()->run("view.smallerText"));
    QCOMPARE(window->textScale(), 175);
    QVERIFY(window->commands()->run("view.usualText"));
    QCOMPARE(QApplication::font().pointSizeF(), points);
    QCoreApplication::processEvents();
    QCOMPARE(view(*window).layout().height(), lanes);
  }

  void theSizeIsRememberedAndOddOnesAreRounded() {
    {
      const auto window = made(true);
      window->setTextScale(160);
      QCOMPARE(window->textScale(), 150);
    }
    const auto window = made(true);
    QCOMPARE(window->textScale(), 150);
    window->setTextScale(7000);
    QCOMPARE(window->textScale(), 200);
  }

  void theThemeFollowsTheDesktopOnlyWhereItIsAskedTo() {
    const auto window = made();
    const auto background = [] { return QApplication::palette().color(QPalette::Window); };
    const QColor light = common::Theme::load("light")->window;
    const QColor dark = common::Theme::load("dark")->window;
    QEvent changed(QEvent::ThemeChange);
    window->setTheme("dark");
    QApplication::sendEvent(window.get(), &changed);
    QCOMPARE(background(), dark);
    window->setTheme("system");
    QCOMPARE(background(), light);  // the desktop of tests is light, whatever palette was ours before
    // Something else's colours, as a desktop leaves them behind.
    QApplication::setPalette(QPalette(Qt::darkRed));
    QApplication::sendEvent(window.get(), &changed);
    QCOMPARE(background(), light);
  }

  void reducedMotionMovesATapAtATime() {
    const auto window = made();
    timeline::TimelineView& timeline = view(*window);
    timeline::ViewState& state = *window->profilePage()->timelinePage()->state();
    QApplication::setActiveWindow(window.get());
    timeline.setFocus();
    QVERIFY(window->commands()->run("view.reducedMotion"));
    const double before = state.range().length();
    QTest::keyPress(&timeline, Qt::Key_W);
    const double once = state.range().length();
    QVERIFY(once < before);
    QTest::qWait(400);
    QCOMPARE(state.range().length(), once);  // holding alone moves nothing
    QKeyEvent again(QEvent::KeyPress, Qt::Key_W, {}, "w", true);
    QApplication::sendEvent(&timeline, &again);
    QVERIFY(state.range().length() < once);
    QTest::keyRelease(&timeline, Qt::Key_W);

    QVERIFY(window->commands()->run("view.reducedMotion"));
    const double usual = state.range().length();
    QTest::keyPress(&timeline, Qt::Key_S);
    const double tapped = state.range().length();
    QTRY_VERIFY(state.range().length() > tapped);
    QTest::keyRelease(&timeline, Qt::Key_S);
    QVERIFY(tapped > usual);
  }
};

QTEST_MAIN(TextSizeTest)
#include "text_size_test.moc"

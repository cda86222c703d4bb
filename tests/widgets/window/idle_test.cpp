#include "support/test_files.h"
#include "window/main_window.h"

#include <QApplication>
#include <QTest>

using namespace threewalls;

namespace {

/// Counts what an application does on its own.
class Watcher : public QObject {
 public:
  Watcher() { qApp->installEventFilter(this); }
  int paints = 0;
  int timers = 0;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint || event->type() == QEvent::UpdateRequest) ++paints;
    // The wait of the test itself may use a timer of the event loop, which belongs to no widget and no job.
    if (event->type() == QEvent::Timer && watched->thread() == thread()) ++timers;
    return false;
  }
};

QString sample(const char* name) {
  return QString::fromStdString(test::repositoryFile(std::string("resources/sample/") + name + ".pt.trace.json.gz"));
}

}  // namespace

class IdleTest : public QObject {
  Q_OBJECT

 private slots:
  void aWindowInWhichNothingChangesSleeps() {
    window::MainWindow window(window::Preferences(), {sample("loop"), sample("grouped")});
    window.resize(1440, 900);
    window.show();
    window.openSample();
    QVERIFY(QTest::qWaitFor([&] { return window.settled() && window.document()->run(common::Side::B); }, 60000));
    window.setTheme("dark");
    const auto& lane = window.document()->run(common::Side::A)->analysis->lanes.front();
    window.selection()->show(common::SelectedRange{common::Side::A, lane.steps.front().interval});
    window.selection()->setSlice(common::SelectedSlice{common::Side::A, {lane.streams.front(), 0, 0}});
    QVERIFY(QTest::qWaitFor([&] { return window.jobs()->jobs().empty(); }, 20000));
    QTest::qWait(400);  // what still follows from that: layouts, the delay of a tooltip

    Watcher watcher;
    QTest::qWait(1500);
    QCOMPARE(watcher.paints, 0);
    // No timer above 1 Hz (timeline_ui.md section 5).
    QVERIFY2(watcher.timers <= 1, qPrintable(QString::number(watcher.timers)));
    // The watcher does see what happens.
    window.profilePage()->update();
    QTest::qWait(50);
    QVERIFY(watcher.paints > 0);
  }
};

QTEST_MAIN(IdleTest)
#include "idle_test.moc"

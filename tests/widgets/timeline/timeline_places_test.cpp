#include "common/command_registry.h"
#include "timeline/timeline_page.h"
#include "timeline/view_history.h"
#include "timeline_fixture.h"

#include <QtTest>

using namespace threewalls;
using common::SelectedSlice;
using common::Side;
using test::TimelineFixture;
using timeline::LaneOfSide;
using timeline::RowKind;
using timeline::TimeRange;
using timeline::ViewHistory;

namespace {

/// The page in a window with its commands, so that keys go the way a user's go.
struct PageInWindow {
  common::Document document;
  common::Selection selection;
  common::JobService jobs;
  QWidget window;
  timeline::TimelinePage page{&document, &selection, &jobs, &window};
  common::CommandRegistry commands{&window};

  PageInWindow() {
    page.addCommands(&commands);
    page.setTheme(*common::Theme::load("light"));
    window.resize(1200, 800);
    page.resize(1200, 800);
    window.show();
    document.setRuns(test::opened("a", test::threeSteps(5'000'000)), test::opened("b", test::threeSteps(900'000'000, 0.5)), nullptr, "AB");
    page.view()->setFocus();
    window.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&window);
  }
  /// Lanes of the rows of a side, top down, each once.
  std::vector<trace::LaneId> lanes(Side side) {
    std::vector<trace::LaneId> lanes;
    for (const timeline::Row& row : page.view()->layout().rows()) {
      if (row.side == side && row.holdsEvents() && (lanes.empty() || lanes.back() != row.lane)) lanes.push_back(row.lane);
    }
    return lanes;
  }
  QString heading(Side side) {
    for (const timeline::Row& row : page.view()->layout().rows()) {
      if (row.kind == RowKind::Heading && row.side == side) return row.note;
    }
    return {};
  }
};

}  // namespace

class TimelinePlacesTest : public QObject {
  Q_OBJECT

 private slots:
  void backAndForwardReturnToPlacesThatWereLookedAt();
  void aDragOfManyMovesIsOnePlace();
  void goingElsewhereDropsWhatWasAhead();
  void historyRealignsTheStep();
  void otherRunsStartANewHistory();
  void altArrowsGoBackAndForward();
  void aPinnedLaneStandsFirstOnItsSide();
  void aHiddenLaneIsCountedAndComesBack();
  void showingASliceOfAHiddenLaneShowsTheLane();
};

void TimelinePlacesTest::backAndForwardReturnToPlacesThatWereLookedAt() {
  TimelineFixture f;
  f.openBoth();
  ViewHistory history(f.state);
  QVERIFY(!history.canGoBack() && !history.canGoForward());
  const TimeRange first = f.state.range();
  f.state.zoomAt(0, 0.5);
  const TimeRange second = f.state.range();
  QTest::qWait(ViewHistory::kSettle + 100);
  f.state.fitAll();
  const TimeRange third = f.state.range();
  history.back();  // at once: the third is kept all the same
  QCOMPARE(f.state.range(), second);
  history.back();
  QCOMPARE(f.state.range(), first);
  QVERIFY(!history.canGoBack());
  history.back();
  QCOMPARE(f.state.range(), first);
  history.forward();
  history.forward();
  QCOMPARE(f.state.range(), third);
  QVERIFY(!history.canGoForward());
}

void TimelinePlacesTest::aDragOfManyMovesIsOnePlace() {
  TimelineFixture f;
  f.openA();
  ViewHistory history(f.state);
  const TimeRange first = f.state.range();
  f.state.zoomAt(0, 0.2);
  for (int i = 0; i < 50; ++i) f.state.panBy(100);
  history.back();
  QCOMPARE(f.state.range(), first);
}

void TimelinePlacesTest::goingElsewhereDropsWhatWasAhead() {
  TimelineFixture f;
  f.openA();
  ViewHistory history(f.state);
  f.state.zoomAt(0, 0.5);
  history.back();
  QVERIFY(history.canGoForward());
  f.state.zoomAt(0, 0.25);
  QVERIFY(!history.canGoForward());
  const TimeRange elsewhere = f.state.range();
  history.forward();
  QCOMPARE(f.state.range(), elsewhere);
}

void TimelinePlacesTest::historyRealignsTheStep() {
  TimelineFixture f;
  f.openBoth();
  f.state.showStep(0);
  ViewHistory history(f.state);
  const TimeRange first = f.state.range();
  f.state.showStep(2);
  history.back();
  QCOMPARE(*f.state.alignment().anchor(), std::size_t{0});
  QCOMPARE(f.state.range(), first);
  history.forward();
  QCOMPARE(*f.state.alignment().anchor(), std::size_t{2});
}

void TimelinePlacesTest::otherRunsStartANewHistory() {
  PageInWindow p;
  p.page.state()->zoomAt(0, 0.5);
  QVERIFY(p.page.history().canGoBack());
  p.document.setRuns(test::opened("c", test::threeSteps(1'000)), std::nullopt, nullptr, "C");
  QVERIFY(!p.page.history().canGoBack());
}

void TimelinePlacesTest::altArrowsGoBackAndForward() {
  PageInWindow p;
  const TimeRange first = p.page.state()->range();
  p.page.state()->zoomAt(0, 0.5);
  const TimeRange second = p.page.state()->range();
  QTest::keyClick(p.page.view(), Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(p.page.state()->range(), first);
  QTest::keyClick(p.page.view(), Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(p.page.state()->range(), second);
}

void TimelinePlacesTest::aPinnedLaneStandsFirstOnItsSide() {
  PageInWindow p;
  const auto a = p.lanes(Side::A);
  const auto b = p.lanes(Side::B);
  QVERIFY(b.size() >= 2);
  const trace::LaneId last = b.back();
  p.selection.setSlice(SelectedSlice{Side::B, {last, 0, 0}});
  QTest::keyClick(p.page.view(), Qt::Key_P);
  QCOMPARE(p.lanes(Side::B).front(), last);
  QCOMPARE(p.lanes(Side::B).size(), b.size());
  QCOMPARE(p.lanes(Side::A), a);
  QTest::keyClick(p.page.view(), Qt::Key_P);
  QCOMPARE(p.lanes(Side::B), b);
}

void TimelinePlacesTest::aHiddenLaneIsCountedAndComesBack() {
  PageInWindow p;
  const auto before = p.lanes(Side::A);
  p.selection.setSlice(SelectedSlice{Side::A, {before.front(), 0, 0}});
  QTest::keyClick(p.page.view(), Qt::Key_H);
  QCOMPARE(p.lanes(Side::A), std::vector(before.begin() + 1, before.end()));
  QCOMPARE(p.heading(Side::A), QString("1 hidden"));
  QCOMPARE(p.heading(Side::B), QString());
  QTest::keyClick(p.page.view(), Qt::Key_H, Qt::ShiftModifier);
  QCOMPARE(p.lanes(Side::A), before);
  QCOMPARE(p.heading(Side::A), QString());
  // The count in the gutter is the other way back.
  p.page.state()->setHidden({Side::A, before.back()}, true);
  const QRect lanes = p.page.view()->lanesRect();
  QTest::mouseClick(p.page.view(), Qt::LeftButton, {}, QPoint(40, lanes.top() + 8));
  QCOMPARE(p.lanes(Side::A), before);
}

void TimelinePlacesTest::showingASliceOfAHiddenLaneShowsTheLane() {
  PageInWindow p;
  const auto before = p.lanes(Side::A);
  p.page.state()->setHidden({Side::A, before.front()}, true);
  p.selection.show(SelectedSlice{Side::A, {before.front(), 0, 1}});
  QCOMPARE(p.lanes(Side::A), before);
}

QTEST_MAIN(TimelinePlacesTest)
#include "timeline_places_test.moc"

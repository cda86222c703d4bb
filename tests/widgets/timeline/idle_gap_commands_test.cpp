#include "page_fixture.h"

#include <QSignalSpy>

using namespace threewalls;
using base::Interval;
using base::Nanoseconds;
using common::SelectedRange;
using common::SelectedSlice;
using common::Side;
using test::kMicro;

namespace {

constexpr std::int64_t kOfA = 5'000'000;
constexpr std::int64_t kOfB = 900'000'000;

struct GapFixture : test::WindowFixture {
  QSignalSpy notices{page, &timeline::TimelinePage::noticed};

  bool runs(const char* id) const { return commands.action(QString::fromLatin1(id))->isEnabled(); }
  void openAlone(test::TraceMaker& maker) {
    document.setRuns(test::opened("a", analysis::analyze(maker.make())), std::nullopt, nullptr, "a");
  }
  bool settled() {
    return QTest::qWaitFor([this] { return jobs.jobs().empty(); });
  }
};

Interval micros(std::int64_t origin, std::int64_t start, std::int64_t end) {
  return {Nanoseconds(origin + start * kMicro), Nanoseconds(origin + end * kMicro)};
}

}  // namespace

class IdleGapCommandsTest : public QObject {
  Q_OBJECT

 private slots:
  void gSelectsAndShowsTheLongestGapAndShiftGWhatLaunchedItsEnd() {
    GapFixture f;
    QVERIFY(!f.runs("go.idleGap") && !f.runs("go.gapLaunch"));
    f.openA();
    QVERIFY(f.runs("go.idleGap") && !f.runs("go.gapLaunch"));
    f.page->state()->fitAll();
    f.key(Qt::Key_G);
    QTRY_VERIFY(f.selection.range().has_value());
    // From the end of the collective to the GEMM of the next step.
    QCOMPARE(f.selection.range()->range, micros(kOfA, 550, 1100));
    QVERIFY(!f.selection.slice());
    const auto shown = f.page->state()->range();
    const auto gap = f.page->state()->alignment().toAligned(Side::A, f.selection.range()->range);
    QVERIFY(shown.start < gap.start && shown.end > gap.end && shown.length() < gap.length() * 1.5);

    f.key(Qt::Key_G, Qt::ShiftModifier);
    QTRY_VERIFY(f.selection.slice().has_value());
    const auto launch = f.selection.slice()->event;
    QCOMPARE(f.trace().kind(launch), trace::EventKind::RuntimeCall);
    QCOMPARE(f.trace().interval(launch).start.count(), kOfA + 1060 * kMicro);
    QCOMPARE(f.selection.range()->range, micros(kOfA, 550, 1100));  // the range stays
    QVERIFY(!f.page->view()->rectOf(*f.selection.slice()).isEmpty());
    QVERIFY(f.notices.isEmpty());
  }

  void itLooksInTheSelectedRangeElseInWhatIsShown() {
    GapFixture f;
    f.openBoth();
    f.selection.setRange(SelectedRange{Side::B, micros(kOfB, 1000, 2200)});
    f.key(Qt::Key_G);
    QTRY_COMPARE(f.selection.range()->range, micros(kOfB, 1550, 2100));
    // Step 62 of B alone: 50 µs between its GEMM, half as long as A's, and its collective.
    f.selection.clear();
    f.selection.setSlice(SelectedSlice{Side::B, f.named("nvjet", Side::B)[1]});
    f.page->state()->fit(f.page->state()->alignment().toAligned(Side::B, micros(kOfB, 1110, 1500)));
    f.key(Qt::Key_G);
    QTRY_VERIFY(f.selection.range().has_value());
    QCOMPARE(*f.selection.range(), (SelectedRange{Side::B, micros(kOfB, 1200, 1250)}));
    // The same stretch of A is busy.
    f.selection.clear();
    f.key(Qt::Key_G);
    QTRY_COMPARE(f.notices.size(), 1);
    QVERIFY(!f.selection.range());
    QVERIFY2(f.notices[0][1].toString().contains("GPU 0 of A"), qPrintable(f.notices[0][1].toString()));
  }

  void whatWasNotLaunchedOnRecordIsSelectedItselfAndSaid() {
    GapFixture f;
    test::TraceMaker maker;
    maker.kernel("first", 0, 1000, 10).kernel("late_&amp;_kernel", 9000, 1000);
    f.openAlone(maker);
    f.selection.setRange(SelectedRange{Side::A, {Nanoseconds(0), Nanoseconds(10000)}});
    f.key(Qt::Key_G, Qt::ShiftModifier);
    QTRY_COMPARE(f.notices.size(), 1);
    QCOMPARE(f.selection.slice()->event, f.named("late_")[0]);
    QVERIFY(f.notices[0][0].toString().contains("not recorded"));
    QVERIFY(f.notices[0][1].toString().contains("late_&amp;_kernel") && f.notices[0][1].toString().contains("8.0"));
  }

  void aRangeThatEndsInTheGapNamesNoLaunch() {
    GapFixture f;
    f.openA();
    f.selection.setRange(SelectedRange{Side::A, micros(kOfA, 500, 800)});
    f.key(Qt::Key_G, Qt::ShiftModifier);
    QTRY_COMPARE(f.notices.size(), 1);
    QVERIFY(!f.selection.slice());
    QVERIFY2(f.notices[0][1].toString().contains("250.0"), qPrintable(f.notices[0][1].toString()));
  }

  void whoeverGoesOnMeanwhileStaysThere() {
    GapFixture f;
    f.openA();
    f.page->state()->fitAll();
    f.key(Qt::Key_G);
    const SelectedRange own{Side::A, micros(kOfA, 100, 200)};
    f.selection.setRange(own);
    QVERIFY(f.settled());
    QCOMPARE(*f.selection.range(), own);
    f.selection.clear();
    f.key(Qt::Key_G);
    f.document.setRuns(std::nullopt, std::nullopt, nullptr, {});
    QVERIFY(f.settled());
    QVERIFY(!f.selection.range());
    QVERIFY(!f.runs("go.idleGap"));
  }

  void aTraceWithoutGpuWorkHasNothingToFind() {
    GapFixture f;
    test::TraceMaker maker;
    maker.marker(1, 0, 1000);
    f.openAlone(maker);
    f.selection.setRange(SelectedRange{Side::A, {Nanoseconds(0), Nanoseconds(1000)}});
    QVERIFY(!f.runs("go.idleGap") && !f.runs("go.gapLaunch"));
  }
};

QTEST_MAIN(IdleGapCommandsTest)
#include "idle_gap_commands_test.moc"

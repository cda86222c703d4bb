#include "timeline/mark_editor.h"
#include "timeline/partner_links.h"
#include "timeline/picture.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"
#include "widgets/sample_document.h"
#include "window/main_window.h"

#include <QApplication>
#include <QLineEdit>
#include <QSvgRenderer>
#include <QTest>

using namespace threewalls;
using base::Interval;
using base::Nanoseconds;
using common::Side;

namespace {

/// The longest stretch between the first and the last GPU event in which none runs, by walking through all of them.
Interval longestGap(const trace::Trace& trace) {
  std::vector<Interval> events;
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.key.kind != trace::LaneKind::GpuStream) continue;
    for (const trace::SubLane& row : lane.subLanes) {
      for (std::uint32_t i = 0; i < row.size(); ++i) {
        if (trace::isGpuEvent(row.kind(i))) events.push_back({row.start(i), row.end(i)});
      }
    }
  }
  std::sort(events.begin(), events.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  Interval longest;
  Nanoseconds busyUntil = events.front().end;
  for (const Interval& event : events) {
    if (event.start - busyUntil > longest.length()) longest = {busyUntil, event.start};
    busyUntil = std::max(busyUntil, event.end);
  }
  return longest;
}

}  // namespace

/// One question from beginning to end, by keys alone: where does the GPU of the loop starve, what ended it, how does the same
/// part of the step look with grouped GEMM, and a picture for the report.
class SessionTest : public QObject {
  Q_OBJECT

 private slots:
  void fromTheLongestGapToThePicture() {
    window::MainWindow window{window::Preferences(), QStringList()};
    window.resize(1680, 1050);
    window.show();
    QApplication::setActiveWindow(&window);
    test::openSample(*window.document());
    timeline::TimelinePage& page = *window.profilePage()->timelinePage();
    timeline::TimelineView& view = *page.view();
    const trace::Trace& a = *window.document()->run(Side::A)->analysis->trace;
    view.setFocus();
    const auto key = [](Qt::Key code, Qt::KeyboardModifiers modifiers = {}) {
      QTest::keyClick(QApplication::focusWidget(), code, modifiers);
    };

    // Everything, then the longest gap in it.
    key(Qt::Key_0);
    key(Qt::Key_G);
    QTRY_VERIFY(window.selection()->range().has_value());
    const Interval gap = longestGap(a);
    QCOMPARE(window.selection()->range()->side, Side::A);
    QCOMPARE(window.selection()->range()->range, gap);

    // A note on it.
    key(Qt::Key_M);
    QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr);
    QTest::keyClicks(QApplication::focusWidget(), "the GPU starves here");
    key(Qt::Key_Return);
    QCOMPARE(page.marks()->of(Side::A).size(), std::size_t{1});
    QCOMPARE(page.marks()->of(Side::A).front().interval, gap);
    QCOMPARE(page.marks()->of(Side::A).front().note, QString("the GPU starves here"));

    // What ended it: the call that launched the kernel at its end.
    QTRY_VERIFY(view.hasFocus());
    key(Qt::Key_G, Qt::ShiftModifier);
    QTRY_VERIFY(window.selection()->slice().has_value());
    const trace::EventRef call = window.selection()->slice()->event;
    QCOMPARE(a.lane(call.lane).key.kind, trace::LaneKind::HostThread);
    const std::vector<trace::EventRef> launched = a.launchedBy(call);
    QVERIFY(std::any_of(launched.begin(), launched.end(),
                        [&](const trace::EventRef& event) { return a.interval(event).start == gap.end; }));
    QVERIFY(!view.rectOf({Side::A, call}).isEmpty());

    // The same part of the same step in B.
    const timeline::Alignment& alignment = page.state()->alignment();
    const std::size_t pair = alignment.anchor().value();
    const Interval stepA = alignment.step(Side::A, pair)->interval;
    const Interval stepB = alignment.step(Side::B, pair)->interval;
    QVERIFY(gap.start >= stepA.start && gap.end <= stepA.end);
    QVERIFY(window.commands()->run("compare.alignStretched"));
    const Interval inB = alignment.toClock(Side::B, alignment.toAligned(Side::A, gap));
    QVERIFY(inB.start >= stepB.start && inB.end <= stepB.end);
    const auto share = [](Nanoseconds time, Interval step) {
      return static_cast<double>((time - step.start).count()) / static_cast<double>(step.length().count());
    };
    QVERIFY(std::abs(share(inB.start, stepB) - share(gap.start, stepA)) < 1e-6);
    const timeline::TimeRange shown = page.state()->range();
    const timeline::TimeRange aligned = alignment.toAligned(Side::B, inB);
    QVERIFY(aligned.end > shown.start && aligned.start < shown.end);

    // The picture says where it is from and what is marked.
    timeline::PictureOptions options;
    options.format = timeline::PictureFormat::Svg;
    options.theme = *common::Theme::load("print");
    const timeline::Picture picture = timeline::paintedPicture(view, page.pictureWords(), options);
    QVERIFY(QSvgRenderer(picture.bytes).isValid());
    const QString text = QString::fromUtf8(picture.bytes);
    for (const Side side : common::kSides)
      QVERIFY(text.contains(QString::fromStdString(window.document()->run(side)->analysis->trace->info().contentHash)));
    QVERIFY(text.contains(QString("%1 to %2 ns").arg(gap.start.count()).arg(gap.end.count())));
    QVERIFY(text.contains("B stretched"));
    QVERIFY(text.contains("the GPU starves"));
  }
};

QTEST_MAIN(SessionTest)
#include "session_test.moc"

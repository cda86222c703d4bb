#include "timeline_fixture.h"

#include <QtTest>

#include <QLineEdit>

#include <cmath>

using namespace threewalls;
using common::SelectedRange;
using common::SelectedSlice;
using common::Side;
using test::TimelineFixture;
using timeline::Row;
using timeline::RowKind;
using timeline::TimeRange;

namespace {

void turnWheel(QWidget& widget, const QPoint& at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, notches * 120), Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
}

void moveMouse(QWidget& widget, const QPoint& to, Qt::MouseButtons buttons = Qt::NoButton,
               Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(QPointF(to)), Qt::NoButton, buttons, modifiers);
  QCoreApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QTest::mousePress(&widget, Qt::LeftButton, modifiers, from);
  moveMouse(widget, (from + to) / 2, Qt::LeftButton, modifiers);
  moveMouse(widget, to, Qt::LeftButton, modifiers);
  QTest::mouseRelease(&widget, Qt::LeftButton, modifiers, to);
}

/// Counts what a widget paints.
class PaintCounter : public QObject {
 public:
  explicit PaintCounter(QWidget& widget) {
    widget.installEventFilter(this);
    for (QWidget* child : widget.findChildren<QWidget*>()) child->installEventFilter(this);
  }
  int count = 0;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) ++count;
    return false;
  }
};

}  // namespace

class TimelineViewTest : public QObject {
  Q_OBJECT

 private slots:
  void openingShowsTheAlignedStepOfBothSides() {
    TimelineFixture f;
    f.openBoth();
    QCOMPARE(f.state.alignment().steps().size(), std::size_t{3});
    QVERIFY(f.state.range().start <= 0);
    QVERIFY(f.state.range().end >= 1'000'000);
    QVERIFY(f.state.range().length() < 1'200'000);
    for (const Side side : common::kSides) QCOMPARE(f.trace(side).lane(f.streamRow("7", side).lane).key.thread, std::string("7"));
    QVERIFY(f.streamRow("7", Side::A).top < f.streamRow("20", Side::A).top);
    QVERIFY(f.streamRow("20", Side::A).top < f.streamRow("7", Side::B).top);
    QCOMPARE(f.streamRow("20").note, QString("communication"));
  }

  void zoomKeysKeepTheMiddleAndPanKeysTheLength() {
    TimelineFixture f;
    f.openA();
    const TimeRange before = f.state.range();
    QTest::keyClick(&f.view, Qt::Key_W);
    QVERIFY(f.state.range().length() < before.length());
    QVERIFY(std::abs(f.state.range().middle() - before.middle()) < before.length() / 1000);
    QTest::keyClick(&f.view, Qt::Key_S);
    QVERIFY(std::abs(f.state.range().length() - before.length()) < 1);
    QTest::keyClick(&f.view, Qt::Key_Plus);
    QTest::keyClick(&f.view, Qt::Key_Minus);
    QVERIFY(std::abs(f.state.range().length() - before.length()) < 1);
    QTest::keyClick(&f.view, Qt::Key_W);
    const TimeRange zoomed = f.state.range();
    QTest::keyClick(&f.view, Qt::Key_D);
    const double step = f.state.range().start - zoomed.start;
    QVERIFY(step > 0);
    QVERIFY(std::abs(f.state.range().length() - zoomed.length()) < 1e-3);
    QTest::keyClick(&f.view, Qt::Key_A);
    QVERIFY(std::abs(f.state.range().start - zoomed.start) < 1e-3);
    QTest::keyClick(&f.view, Qt::Key_D, Qt::ShiftModifier);
    QVERIFY(std::abs((f.state.range().start - zoomed.start) / step - 10) < 0.1);
  }

  void aHeldKeyZoomsOnAndStopsWhenItIsLetGo() {
    TimelineFixture f;
    f.openA();
    QTest::keyPress(&f.view, Qt::Key_W);
    const double tapped = f.state.range().length();
    QTRY_VERIFY(f.state.range().length() < tapped * 0.7);
    QTest::keyRelease(&f.view, Qt::Key_W);
    const double released = f.state.range().length();
    QTest::qWait(60);
    QCOMPARE(f.state.range().length(), released);
  }

  void theWheelZoomsAboutThePointerWithinHalfAPixel() {
    TimelineFixture f;
    f.openA();
    const QPoint pointer = f.at(f.streamRow("7"), 333);
    const double x = pointer.x() - f.view.lanesRect().left();
    const double time = f.view.axis().toTime(x);
    for (const int notches : {1, 1, 3, -2, 5, 4}) {
      const double before = f.state.range().length();
      turnWheel(f.view, pointer, notches);
      QCOMPARE(f.state.range().length() < before, notches > 0);
      QVERIFY(std::abs(f.view.axis().toPixel(time) - x) < 0.5);
    }
    const double coarse = f.state.range().length();
    turnWheel(f.view, pointer, 1, Qt::ControlModifier);
    QVERIFY(f.state.range().length() > coarse * 0.9);
  }

  void shiftAndTheWheelPanAltAndTheWheelScrollTheLanes() {
    TimelineFixture f;
    f.openBoth();
    f.view.resize(1200, 200);
    const TimeRange before = f.state.range();
    turnWheel(f.view, f.view.lanesRect().center(), -1, Qt::ShiftModifier);
    QVERIFY(f.state.range().start > before.start);
    QVERIFY(std::abs(f.state.range().length() - before.length()) < 1e-3);
    QCOMPARE(f.state.scroll(), 0);
    turnWheel(f.view, f.view.lanesRect().center(), -1, Qt::AltModifier);
    QVERIFY(f.state.scroll() > 0);
    turnWheel(f.view, f.view.lanesRect().center(), -100, Qt::AltModifier);
    QCOMPARE(f.state.scroll(), f.view.layout().height() - f.view.lanesRect().height());
  }

  void draggingTheLanesPansAndSelectsNothing() {
    TimelineFixture f;
    f.openA();
    const TimeRange before = f.state.range();
    const double perPixel = f.view.axis().nsPerPixel();
    const QPoint from = f.at(f.streamRow("7"), 200);
    drag(f.view, from, from - QPoint(150, 0));
    QVERIFY(std::abs((f.state.range().start - before.start) / perPixel - 150) < 1);
    QVERIFY(!f.selection.slice());
  }

  void shiftAndDragMeasureARangeWithALiveBox() {
    TimelineFixture f;
    f.openBoth();
    const QPoint from = f.at(f.streamRow("7", Side::B), 100);
    const QPoint to = f.at(f.streamRow("7", Side::B), 600);
    const QRect lanes = f.view.lanesRect();
    QTest::mousePress(&f.view, Qt::LeftButton, Qt::ShiftModifier, from);
    moveMouse(f.view, to, Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(f.view.infoBox().isVisible());
    QVERIFY(f.view.infoBox().lines().size() >= 5);
    QVERIFY(f.view.infoBox().lines().join(' ').contains("exposed communication"));
    QTest::mouseRelease(&f.view, Qt::LeftButton, Qt::ShiftModifier, to);
    QVERIFY(!f.view.infoBox().isVisible());
    const auto range = f.selection.range();
    QVERIFY(range.has_value());
    QCOMPARE(range->side, Side::B);
    const auto clock = [&](const QPoint& point) {
      return f.state.alignment().toClock(Side::B, f.view.axis().toTime(point.x() - lanes.left()));
    };
    QCOMPARE(range->range.start, clock(from));
    QCOMPARE(range->range.end, clock(to));
  }

  void draggingTheRulerSelectsARangeAndAClickOnItClearsIt() {
    TimelineFixture f;
    f.openA();
    const QPoint from = f.view.rulerRect().center();
    drag(f.view, from, from + QPoint(120, 0));
    QVERIFY(f.selection.range().has_value());
    QVERIFY(std::abs(static_cast<double>(f.selection.range()->range.length().count()) - 120 * f.view.axis().nsPerPixel()) < 2);
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, from);
    QVERIFY(!f.selection.range());
  }

  void aClickSelectsTheSliceUnderItAndOnEmptySpaceNothing() {
    TimelineFixture f;
    f.openBoth();
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 200));
    QVERIFY(f.selectedName().startsWith("nvjet"));
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 425));
    QVERIFY(f.selectedName().contains("FillFunctor"));
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("20", Side::B), 400));
    QVERIFY(f.selectedName().startsWith("nccl"));
    QCOMPARE(f.selection.slice()->side, Side::B);
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 800));
    QVERIFY(!f.selection.slice());
  }

  void aSliceBelowOnePixelCanBeHit() {
    TimelineFixture f;
    f.openA();
    f.state.zoomAt(0, 1000);
    const double pixel = f.view.axis().toPixel(410'000);
    const auto slice = f.view.sliceAt({f.view.lanesRect().left() + static_cast<int>(pixel), f.at(f.streamRow("7"), 0).y()});
    QVERIFY(slice.has_value());
  }

  void aDoubleClickZoomsToTheSliceWithTenPercentMargin() {
    TimelineFixture f;
    f.openA();
    QTest::mouseDClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 200));
    QVERIFY(std::abs(f.state.range().start + 20'000) < 1);
    QVERIFY(std::abs(f.state.range().end - 220'000) < 1);
  }

  void fFitsTheSelectionThenItsStepAndZeroTheWholeTrace() {
    TimelineFixture f;
    f.openA();
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 425));
    QTest::keyClick(&f.view, Qt::Key_F);
    QVERIFY(std::abs(f.state.range().length() - 60'000) < 1);
    QTest::keyClick(&f.view, Qt::Key_F);
    QVERIFY(f.state.range().length() > 900'000);
    QVERIFY(f.state.range().length() < 1'200'000);
    QTest::keyClick(&f.view, Qt::Key_0);
    QVERIFY(f.state.range().start <= f.state.bounds().start);
    QVERIFY(f.state.range().end >= f.state.bounds().end);
  }

  void arrowsWalkAlongALaneByNameAndBetweenLanes() {
    TimelineFixture f;
    f.openA();
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 200));
    QTest::keyClick(&f.view, Qt::Key_Right);
    QVERIFY(f.selectedName().contains("FillFunctor"));
    QTest::keyClick(&f.view, Qt::Key_Right);
    QVERIFY(f.selectedName().startsWith("Memcpy"));
    QTest::keyClick(&f.view, Qt::Key_Left);
    QTest::keyClick(&f.view, Qt::Key_Left);
    QVERIFY(f.selectedName().startsWith("nvjet"));
    const std::uint32_t first = f.selection.slice()->event.index;
    QTest::keyClick(&f.view, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(f.selectedName().startsWith("nvjet"));
    QCOMPARE(f.selection.slice()->event.index, first + 3);
    QVERIFY(!f.view.rectOf(*f.selection.slice()).isEmpty());
    QTest::keyClick(&f.view, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(f.selection.slice()->event.index, first);
    QTest::keyClick(&f.view, Qt::Key_Down);
    QVERIFY(f.selectedName().startsWith("nccl"));
    // What runs at the middle of the collective.
    QTest::keyClick(&f.view, Qt::Key_Up);
    QVERIFY(f.selectedName().contains("FillFunctor"));
  }

  void commaAndPeriodGoToThePreviousAndNextStep() {
    TimelineFixture f;
    f.openBoth();
    const std::size_t first = *f.state.alignment().anchor();
    QTest::keyClick(&f.view, Qt::Key_Period);
    QCOMPARE(*f.state.alignment().anchor(), first + 1);
    for (const Side side : common::kSides) {
      QCOMPARE(f.state.alignment().toAligned(side, f.state.alignment().step(side, first + 1)->interval.start), 0.0);
    }
    QTest::keyClick(&f.view, Qt::Key_Comma);
    QCOMPARE(*f.state.alignment().anchor(), first);
  }

  void rMeasuresTheSliceAndEscapeClearsRangeThenSelection() {
    TimelineFixture f;
    f.openA();
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 200));
    QTest::keyClick(&f.view, Qt::Key_R);
    QCOMPARE(f.selection.range()->range, f.trace().interval(f.selection.slice()->event));
    QTest::keyClick(&f.view, Qt::Key_Escape);
    QVERIFY(!f.selection.range());
    QVERIFY(f.selection.slice().has_value());
    QTest::keyClick(&f.view, Qt::Key_Escape);
    QVERIFY(!f.selection.slice());
  }

  void enterAsksForTheDetailsOfTheSelectedSlice() {
    TimelineFixture f;
    f.openA();
    QSignalSpy asked(&f.view, &timeline::TimelineView::detailsRequested);
    QTest::keyClick(&f.view, Qt::Key_Return);
    QCOMPARE(asked.count(), 0);
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 200));
    QTest::keyClick(&f.view, Qt::Key_Return);
    QCOMPARE(asked.count(), 1);
  }

  void aClickOnAStepSelectsItsRange() {
    TimelineFixture f;
    f.openBoth();
    for (const Row& row : f.view.layout().rows()) {
      if (row.kind != RowKind::Heading || row.side != Side::B) continue;
      QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(row, 500));
    }
    QVERIFY(f.selection.range().has_value());
    QCOMPARE(f.selection.range()->side, Side::B);
    QCOMPARE(f.selection.range()->range, f.state.alignment().step(Side::B, *f.state.alignment().anchor())->interval);
  }

  void showingAHostEventUnfoldsItsThread() {
    TimelineFixture f;
    f.openBoth();
    const trace::EventRef call = f.trace().launches().front();
    QVERIFY(!f.view.layout().rowOf(Side::A, call));
    f.selection.show(SelectedSlice{Side::A, call});
    QVERIFY(f.view.layout().rowOf(Side::A, call).has_value());
    QVERIFY(f.view.lanesRect().intersects(f.view.rectOf({Side::A, call})));
    QTest::keyClick(&f.view, Qt::Key_Space);
    QVERIFY(!f.view.layout().rowOf(Side::A, call));
  }

  void showingARangeBringsItIntoView() {
    TimelineFixture f;
    f.openA();
    const analysis::Step& last = f.document.run(Side::A)->analysis->lanes[0].steps[2];
    f.selection.show(SelectedRange{Side::A, last.interval});
    const TimeRange shown = f.state.alignment().toAligned(Side::A, last.interval);
    QVERIFY(f.state.range().start <= shown.start);
    QVERIFY(f.state.range().end >= shown.end);
  }

  void theTooltipStandsAtTheSliceAfterAMoment() {
    TimelineFixture f;
    f.openA();
    moveMouse(f.view, f.at(f.streamRow("7"), 200));
    QVERIFY(!f.view.infoBox().isVisible());
    QTRY_VERIFY(f.view.infoBox().isVisible());
    QCOMPARE(f.view.infoBox().lines().size(), qsizetype{3});
    QVERIFY(f.view.infoBox().lines()[0].startsWith("nvjet"));
    QVERIFY(f.view.infoBox().lines()[1].contains("200.0 µs"));
    QVERIFY(f.view.infoBox().lines()[2].contains("GEMM"));
    const QPoint place = f.view.infoBox().pos();
    moveMouse(f.view, f.at(f.streamRow("7"), 250));
    QVERIFY(f.view.infoBox().isVisible());
    QCOMPARE(f.view.infoBox().pos(), place);
    moveMouse(f.view, f.at(f.streamRow("7"), 800));
    QVERIFY(!f.view.infoBox().isVisible());
  }

  void theSelectedSliceIsReadableByAssistiveTechnology() {
    TimelineFixture f;
    f.openA();
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("20"), 400));
    const QString text = f.view.accessibleDescription();
    for (const char* part : {"A: ", "ncclDevKernel_AllReduce", "300.0 µs", "step 61", "stream 20"})
      QVERIFY2(text.contains(part), qPrintable(text));
  }

  void aSliceIsPaintedInItsClassColourInBothThemes() {
    for (const char* id : {"dark", "light"}) {
      TimelineFixture f(id);
      f.openA();
      const QImage image = f.view.grab().toImage();
      const double ratio = image.devicePixelRatio();
      const common::Theme theme = *common::Theme::load(id);
      const auto pixel = [&](const QPoint& at) { return image.pixelColor((QPointF(at) * ratio).toPoint()); };
      // Near the lower edge, where no label stands.
      const QPoint low(0, f.streamRow("7").height / 2 - 4);
      QCOMPARE(pixel(f.at(f.streamRow("7"), 200) + low), theme.of(analysis::ColourClass::DenseGemm));
      QCOMPARE(pixel(f.at(f.streamRow("7"), 510) + low), theme.of(analysis::ColourClass::Memory));
      QCOMPARE(pixel(f.at(f.streamRow("20"), 400) + low), theme.of(analysis::ColourClass::OtherCollective));
      QCOMPARE(pixel(f.at(f.streamRow("7"), 800) + low), theme.lane);
    }
  }

  void labelsAreLegibleOnEveryColourOfASlice() {
    for (const char* id : {"dark", "light"}) {
      TimelineFixture f(id);
      f.openA();
      const common::Theme theme = *common::Theme::load(id);
      const timeline::SlicePalette palette(theme, f.document.run(Side::A)->analysis->classes);
      std::vector<QColor> colours(theme.classes.begin(), theme.classes.end());
      for (std::uint32_t name = 0; name < 64; ++name) {
        colours.push_back(QColor(palette.colour(static_cast<trace::NameId>(name), trace::EventKind::Operator)));
        colours.push_back(QColor(palette.colour(static_cast<trace::NameId>(name), trace::EventKind::Annotation)));
      }
      for (const QColor& colour : colours) {
        const double ratio = common::contrastRatio(colour, common::readableTextOn(colour));
        QVERIFY2(ratio >= 4.5, qPrintable(QString("%1: %2 on %3").arg(id).arg(ratio).arg(colour.name())));
      }
    }
  }

  void aWideSliceHasALabelAndANarrowOneHasNone() {
    TimelineFixture f;
    f.openA();
    const common::Theme theme = *common::Theme::load("dark");
    const QImage image = f.view.grab().toImage();
    const auto colours = [&](double from, double to) {
      QSet<QRgb> seen;
      const QPoint a = f.at(f.streamRow("7"), from);
      const QPoint b = f.at(f.streamRow("7"), to);
      for (int x = a.x() + 3; x < b.x() - 3; ++x) seen.insert(image.pixel(x, a.y()));
      return seen.size();
    };
    QVERIFY(colours(100, 300) > 1);
    QCOMPARE(colours(500, 520), qsizetype{1});
  }

  void nothingIsRepaintedWhileNothingHappens() {
    TimelineFixture f;
    f.openBoth();
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 200));
    QTest::qWait(250);
    PaintCounter counter(f.view);
    QTest::qWait(300);
    QCOMPARE(counter.count, 0);
  }

  void selectionAndHoverLeaveThePaintedRowsAlone() {
    TimelineFixture f;
    f.openBoth();
    f.view.grab();
    const std::uint64_t painted = f.view.lanesImage().columnsPainted();
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 200));
    f.selection.setRange(SelectedRange{Side::A, {base::Nanoseconds(5'100'000), base::Nanoseconds(5'200'000)}});
    moveMouse(f.view, f.at(f.streamRow("20"), 400));
    f.view.grab();
    QCOMPARE(f.view.lanesImage().columnsPainted(), painted);
    QTest::keyClick(&f.view, Qt::Key_D);
    f.view.grab();
    QVERIFY(f.view.lanesImage().columnsReused() > 0);
  }

  void keysDoNothingWhileAnotherWidgetHasTheFocus() {
    QWidget window;
    auto* field = new QLineEdit(&window);
    TimelineFixture f;
    f.openA();
    f.view.setParent(&window);
    window.show();
    field->setFocus();
    const TimeRange before = f.state.range();
    QTest::keyClicks(field, "wasd0f");
    QCOMPARE(f.state.range(), before);
    f.view.setParent(nullptr);
  }

  void emptyAndEventlessDocumentsAreShownWithoutHarm() {
    TimelineFixture f;
    f.view.grab();
    for (const Qt::Key key :
         {Qt::Key_W, Qt::Key_F, Qt::Key_0, Qt::Key_Right, Qt::Key_Down, Qt::Key_R, Qt::Key_Period, Qt::Key_Escape})
      QTest::keyClick(&f.view, key);
    drag(f.view, {300, 100}, {500, 110}, Qt::ShiftModifier);
    test::TraceMaker none;
    f.document.setRuns(test::opened("empty", analysis::analyze(none.make())), std::nullopt, nullptr, {});
    f.view.grab();
    for (const Qt::Key key : {Qt::Key_W, Qt::Key_F, Qt::Key_0, Qt::Key_Right, Qt::Key_Down, Qt::Key_R, Qt::Key_Period})
      QTest::keyClick(&f.view, key);
    drag(f.view, {300, 100}, {500, 110}, Qt::ShiftModifier);
    f.view.grab();
    f.document.setRuns(std::nullopt, test::opened("only b", test::threeSteps(0)), nullptr, {});
    f.view.grab();
    QTest::keyClick(&f.view, Qt::Key_Down);
    QCOMPARE(f.selection.slice()->side, Side::B);
  }

  void theFrameTimesAreThoseOfFramesAndOnlyWhileTheyAreShown() {
    timeline::FrameMeter meter;
    QCOMPARE(meter.percentile95(), 0.0);
    for (int i = 100; i >= 1; --i) meter.add(i, {});
    QCOMPARE(meter.last(), 1.0);
    QCOMPARE(meter.percentile95(), 95.0);
    QCOMPARE(meter.worst(), 100.0);
    for (std::size_t i = 0; i < timeline::FrameMeter::kFrames; ++i) meter.add(2, {});
    QCOMPARE(meter.worst(), 2.0);

    TimelineFixture f;
    f.openA();
    const QImage plain = f.view.grab().toImage();
    QCOMPARE(f.view.frameMeter().frames(), std::size_t{0});
    f.view.setFrameTimesShown(true);
    const QImage shown = f.view.grab().toImage();
    QVERIFY(shown != plain);
    const std::size_t frames = f.view.frameMeter().frames();
    QVERIFY(frames >= 1);
    f.state.panBy(8 * f.view.axis().nsPerPixel());
    f.view.grab();
    const timeline::FrameWork& work = f.view.frameMeter().work();
    QVERIFY(f.view.frameMeter().frames() > frames);
    QVERIFY(work.reused > work.painted && work.painted > 0 && work.rectangles > 0);
    f.state.panBy(-8 * f.view.axis().nsPerPixel());
    f.view.setFrameTimesShown(false);
    QVERIFY(f.view.grab().toImage() == plain);
  }

  void anArrowLeadsFromTheLaunchToItsKernelAndBack() {
    test::TimelineFixture f;
    f.openA();
    const auto plain = f.view.grab().toImage();
    QVERIFY(f.view.launchArrows().links().empty());
    const timeline::Row& stream = f.streamRow("7");
    const trace::EventRef kernel{stream.lane, stream.subLane, 0};
    f.selection.setSlice(SelectedSlice{Side::A, kernel});
    const trace::EventRef call = *f.trace().launchOf(kernel);
    QCOMPARE(f.view.launchArrows().links(), (std::vector{std::pair{call, kernel}}));
    f.selection.setSlice(SelectedSlice{Side::A, call});
    QCOMPARE(f.view.launchArrows().links(), (std::vector{std::pair{call, kernel}}));
    // Between the call and the kernel, in the gap above the call, the picture has changed.
    const QImage with = f.view.grab().toImage();
    const int x = f.at(stream, 60).x();
    const int below = f.view.lanesRect().top() + stream.top + stream.height;
    int changed = 0;
    for (int y = below; y < f.view.height(); ++y) {
      for (int dx = -3; dx < 40; ++dx) changed += plain.pixel(x + dx, y) != with.pixel(x + dx, y);
    }
    QVERIFY2(changed > 50, qPrintable(QString::number(changed)));
  }

  void aGraphLaunchHasAnArrowToEachOfItsKernels() {
    trace::TraceBuilder builder;
    const auto host = builder.lane({trace::LaneKind::HostThread, "1", "1", -1});
    const auto gpu = builder.lane({trace::LaneKind::GpuStream, "", "7", 0});
    const auto add = [&](auto lane, std::int64_t start, std::int64_t length, const char* name, trace::EventKind kind) {
      builder.add(lane, trace::RawEvent{start, length, trace::kNoOffset, 5, builder.intern(name), kind, 0});
    };
    add(host, 0, 10, "cudaGraphLaunch", trace::EventKind::RuntimeCall);
    for (int i = 0; i < 3; ++i) add(gpu, 100 + i * 50, 30, "kernel", trace::EventKind::Kernel);
    test::TimelineFixture f;
    f.document.setRuns(test::opened("graph", analysis::analyze(std::move(builder).build())), std::nullopt, nullptr, "A");
    const trace::EventRef kernel{f.streamRow("7").lane, 0, 1};
    const trace::EventRef call = *f.trace().launchOf(kernel);
    f.selection.setSlice(SelectedSlice{Side::A, call});
    QCOMPARE(f.view.launchArrows().links().size(), std::size_t{3});
    f.selection.setSlice(SelectedSlice{Side::A, kernel});
    QCOMPARE(f.view.launchArrows().links(), (std::vector{std::pair{call, kernel}}));
    f.view.grab();
  }
};

QTEST_MAIN(TimelineViewTest)
#include "timeline_view_test.moc"

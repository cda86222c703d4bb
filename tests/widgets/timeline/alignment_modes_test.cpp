#include "common/text.h"
#include "page_fixture.h"
#include "timeline/alignment_words.h"
#include "timeline/delta_lane.h"

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>

#include <cmath>

using namespace threewalls;
using common::Side;
using timeline::AlignBy;
using timeline::Alignment;
using timeline::AlignmentMode;
using timeline::RowKind;

namespace {

constexpr const char* kGemm = "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_TNT";
constexpr const char* kFill = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)";

/// Two steps, 1 ms long on A, 2 ms on B. In each GEMM, fill, GEMM: on A at 100, 300 and 500 µs, on B at 200, 700 and 1300.
/// `wall`: Unix time of the clock's 0, in ns.
std::shared_ptr<const analysis::Analysis> twoSteps(bool b, std::int64_t origin, std::int64_t wall = 0) {
  test::TraceMaker maker;
  if (wall != 0) maker.info().baseTimeNanoseconds = wall;
  const std::int64_t length = b ? 2'000'000 : 1'000'000;
  for (int i = 0; i < 2; ++i) {
    const std::int64_t at = origin + i * length;
    maker.marker(7 + i, at, at + length);
    const std::int64_t times[] = {b ? 200'000 : 100'000, b ? 700'000 : 300'000, b ? 1'300'000 : 500'000};
    maker.kernel(kGemm, at + times[0], 50'000, at + 10'000);
    maker.kernel(kFill, at + times[1], 50'000, at + 20'000);
    maker.kernel(kGemm, at + times[2], 50'000, at + 30'000);
  }
  // The last step ends with the last event of the device.
  maker.kernel(kFill, origin + 2 * length - 100'000, 50'000, origin + length + 40'000);
  return analysis::analyze(maker.make());
}

struct Fixture : test::WindowFixture {
  using WindowFixture::WindowFixture;
  void open(std::int64_t originA = 1'000'000, std::int64_t wallA = 0, std::int64_t originB = 40'000'000, std::int64_t wallB = 0) {
    document.setRuns(test::opened("baseline", twoSteps(false, originA, wallA)),
                     test::opened("candidate", twoSteps(true, originB, wallB)), nullptr, "AB");
    page->state()->showStep(0);
  }
  const Alignment& alignment() { return page->state()->alignment(); }
  double startOf(Side side, std::string_view name, std::size_t which) {
    return alignment().toAligned(side, trace(side).interval(named(name, side).at(which)).start);
  }
  QString words() { return timeline::alignmentText(*page->state()); }
  QComboBox* modes() {
    for (QComboBox* box : page->findChildren<QComboBox*>()) {
      if (box->accessibleName() == "What A and B are aligned by") return box;
    }
    qFatal("no choice of modes");
  }
};

}  // namespace

class AlignmentModesTest : public QObject {
  Q_OBJECT

 private slots:
  void aPhaseIsLaidOverTheSamePhaseOfTheOtherSide() {
    Fixture f;
    f.open();
    f.selection.setSlice(common::SelectedSlice{Side::A, f.named("nvjet").at(1)});
    f.key(Qt::Key_L);
    QCOMPARE(f.startOf(Side::A, "nvjet", 1), 0.0);
    QCOMPARE(f.startOf(Side::B, "nvjet", 1), 0.0);
    // On the GPU a step starts with its first kernel: 400 µs before this GEMM on A, 1100 on B.
    QVERIFY2(f.words().contains("2 (of 2)"), qPrintable(f.words()));
    QVERIFY2(f.words().contains(QString("residual shift of step 7: ") + common::signedDuration(base::Nanoseconds(-700'000))),
             qPrintable(f.words()));
    // The next step is aligned at its own second GEMM.
    f.page->state()->showStep(1);
    QCOMPARE(f.startOf(Side::A, "nvjet", 3), 0.0);
    QCOMPARE(f.startOf(Side::B, "nvjet", 3), 0.0);
    f.commands.run("compare.alignSteps");
    QCOMPARE(f.startOf(Side::A, "nvjet", 2), 0.0);
    QCOMPARE(f.startOf(Side::B, "nvjet", 2), 0.0);
    QVERIFY(f.words().contains("residual shift 0"));
  }

  void aPhaseThatAStepLacksIsSaidAndStepStartsStand() {
    Fixture f;
    f.open();
    f.page->state()->align({AlignBy::Phase, "attn.fwd", 4}, 0);
    QVERIFY(!f.alignment().holds());
    QVERIFY2(f.words().contains("aligned by step start: no attn.fwd 5 (of 0)"), qPrintable(f.words()));
    QCOMPARE(f.alignment().toAligned(Side::B, f.alignment().step(Side::B, 0)->interval.start), 0.0);
  }

  void stretchedStepsAreEquallyLongAndClocksStayExact() {
    Fixture f;
    f.open();
    f.commands.run("compare.alignStretched");
    const auto width = [&](Side side) { return f.alignment().toAligned(side, f.alignment().step(side, 0)->interval).length(); };
    const auto truth = [&](Side side) { return f.alignment().step(side, 0)->interval.length(); };
    QVERIFY(truth(Side::A) != truth(Side::B));
    QCOMPARE(width(Side::A), static_cast<double>(truth(Side::A).count()));
    QVERIFY(std::abs(width(Side::B) - width(Side::A)) < 1);
    QVERIFY2(f.words().startsWith("B stretched ×0."), qPrintable(f.words()));
    // There and back on every side, to the nanosecond.
    for (const Side side : common::kSides) {
      for (const auto& event : f.named("nvjet", side)) {
        const base::Interval interval = f.trace(side).interval(event);
        QCOMPARE(f.alignment().toClock(side, f.alignment().toAligned(side, interval)), interval);
      }
    }
    // The other reference: now A gives way.
    f.key(Qt::Key_X);
    QCOMPARE(width(Side::B), static_cast<double>(truth(Side::B).count()));
    QVERIFY(std::abs(width(Side::B) - width(Side::A)) < 1);
    QVERIFY(f.words().startsWith("A stretched ×"));
  }

  /// What is under the pointer is what is drawn, on the stretched side too.
  void slicesAreFoundWhereTheyAreDrawnWhileStretched() {
    Fixture f;
    f.open();
    f.commands.run("compare.alignStretched");
    f.page->state()->showStep(0);
    auto* view = f.page->view();
    const QImage image = view->grab().toImage();
    for (const auto& event : f.named("nvjet", Side::B)) {
      const common::SelectedSlice slice{Side::B, event};
      const QRect rect = view->rectOf(slice);
      if (rect.isEmpty() || !view->lanesRect().contains(rect.center())) continue;
      QCOMPARE(*view->sliceAt(rect.center()), slice);
      const QPoint inside(rect.center().x(), rect.bottom() - 3);
      const QPoint outside(rect.right() + 6, rect.bottom() - 3);
      QVERIFY(image.pixelColor(inside) != image.pixelColor(outside));
    }
  }

  void recordingsOfOneMomentAreAlignedByTheWallClock() {
    Fixture f;
    // B's clock began 3 ms after A's; the same number on both clocks is not the same moment.
    f.open(1'000'000, 1'000'000'000'000, 500'000, 1'000'003'000'000 - 2'500'000);
    QVERIFY(f.commands.action("compare.alignClock")->isEnabled());
    f.commands.run("compare.alignClock");
    const auto wall = [&](Side side) {
      const auto& info = f.trace(side).info();
      return base::Nanoseconds(*info.baseTimeNanoseconds) + f.alignment().toClock(side, 12'000.0);
    };
    QCOMPARE(wall(Side::A).count(), wall(Side::B).count());
    QVERIFY(f.words().startsWith("aligned by the wall clock"));
  }

  void recordingsOfDifferentTimesAreNotAndTheReasonIsGiven() {
    Fixture f;
    f.open(1'000'000, 1'000'000'000'000, 1'000'000, 1'060'000'000'000);
    QVERIFY(!f.commands.action("compare.alignClock")->isEnabled());
    const auto* items = qobject_cast<QStandardItemModel*>(f.modes()->model());
    QVERIFY(!items->item(2)->isEnabled());
    QVERIFY2(items->item(2)->toolTip().contains("one began 60.00 s"), qPrintable(items->item(2)->toolTip()));
  }

  void whatIsShownOfTheReferenceStays() {
    Fixture f;
    f.open();
    f.page->state()->fit({200'000, 500'000});
    const base::Interval before = f.alignment().toClock(Side::A, f.page->state()->range());
    f.selection.setSlice(common::SelectedSlice{Side::A, f.named("nvjet").at(1)});
    f.commands.run("compare.alignPhase");
    QCOMPARE(f.alignment().toClock(Side::A, f.page->state()->range()), before);
  }

  void theChoiceOfModesFollowsAndActs() {
    Fixture f;
    f.open();
    QVERIFY(f.modes()->isVisible());
    f.modes()->setFocus();
    f.modes()->setCurrentIndex(3);
    emit f.modes()->activated(3);
    QCOMPARE(f.alignment().mode().by, AlignBy::Stretched);
    f.commands.run("compare.alignSteps");
    QCOMPARE(f.modes()->currentIndex(), 0);
    f.openA();
    QVERIFY(!f.modes()->isVisible());
    QVERIFY(!f.commands.action("compare.alignStretched")->isEnabled());
  }

  void aPlaceOfTheHistoryHasItsAlignment() {
    Fixture f;
    f.open();
    const auto place = f.page->state()->place();
    f.commands.run("compare.alignStretched");
    f.page->state()->show(place);
    QCOMPARE(f.alignment().mode(), AlignmentMode{});
    QCOMPARE(f.alignment().clock(Side::B).stretch, 1.0);
  }

  void theDeltaLaneShowsWhatEveryStepGainsAndLoses() {
    Fixture f;
    f.open();
    const auto& rows = f.page->view()->layout().rows();
    const auto delta = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.kind == RowKind::Delta; });
    QVERIFY(delta != rows.end());
    // Between the two sides.
    for (const auto& row : rows) {
      if (row.kind == RowKind::Delta || row.kind == RowKind::Gap) continue;
      QCOMPARE(row.side == Side::A, row.top < delta->top);
    }
    const auto deltas = timeline::stepDeltas(f.alignment(), Side::A);
    QCOMPARE(deltas.size(), std::size_t{2});
    for (const auto& step : deltas) {
      const auto a = f.alignment().step(Side::A, step.pair)->interval.length();
      const auto b = f.alignment().step(Side::B, step.pair)->interval.length();
      QCOMPARE(step.total, b - a);
    }
    QVERIFY2(timeline::deltaText(deltas[0], f.alignment(), Side::A).startsWith("step 7: B is "), "words");
    QVERIFY(timeline::deltaText(deltas[0], f.alignment(), Side::A).split('\n').first().endsWith("slower"));
    QVERIFY(
        timeline::deltaText(timeline::stepDeltas(f.alignment(), Side::B)[0], f.alignment(), Side::B).startsWith("step 7: A is "));

    // Bars: slower to the right of the middle, faster to the left, lengths in proportion over all steps.
    f.page->state()->fitAll();
    const timeline::DeltaLane lane(*f.page->state(), f.page->view()->axis(), QSizeF(f.page->view()->lanesRect().width(), 40), 14);
    QVERIFY(!lane.bars().empty());
    std::optional<double> scale;
    for (const auto& bar : lane.bars()) {
      const auto range = f.alignment().toAligned(Side::A, f.alignment().step(Side::A, bar.pair)->interval);
      const auto axis = f.page->view()->axis();
      const double left = std::max(axis.toPixel(range.start), 0.0), right = std::min(axis.toPixel(range.end), axis.width());
      const double middle = (left + right) / 2;
      if (bar.delta.count() > 0) QVERIFY(bar.rect.left() >= middle - 0.01);
      if (bar.delta.count() < 0) QVERIFY(bar.rect.right() <= middle + 0.01);
      QVERIFY(bar.rect.left() >= left && bar.rect.right() <= right);
      const double unit = bar.rect.width() / std::abs(static_cast<double>(bar.delta.count()));
      if (!scale) scale = unit;
      QVERIFY(std::abs(unit - *scale) < 1e-6 * *scale);
    }
  }

  void whatIsShownInAnotherStepBringsTheSameStepOfTheOtherSide() {
    Fixture f;
    f.open();
    QCOMPARE(*f.alignment().anchor(), std::size_t{0});
    f.selection.show(common::SelectedSlice{Side::A, f.named("nvjet").at(3)});
    QCOMPARE(*f.alignment().anchor(), std::size_t{1});
    QCOMPARE(f.alignment().residual(1)->count(), 0);
    const auto* view = f.page->view();
    QVERIFY(view->lanesRect().intersects(view->rectOf({Side::A, f.named("nvjet").at(3)})));
    const base::Interval step = f.alignment().step(Side::B, 0)->interval;
    f.selection.show(
        common::SelectedRange{Side::B, {step.start + base::Nanoseconds(10), step.start + base::Nanoseconds(20'000)}});
    QCOMPARE(*f.alignment().anchor(), std::size_t{0});
    // With one side there is nothing to bring, and the ruler stays as it is.
    f.document.setRuns(test::opened("alone", twoSteps(false, 0)), std::nullopt, nullptr, "A");
    f.page->state()->showStep(0);
    f.selection.show(common::SelectedSlice{Side::A, f.named("nvjet").at(3)});
    QCOMPARE(*f.alignment().anchor(), std::size_t{0});
  }

  void theBoxOfASliceGoesWhenTheSliceDoes() {
    Fixture f;
    f.open();
    auto* view = f.page->view();
    const common::SelectedSlice slice{Side::A, f.named("nvjet").at(0)};
    f.page->state()->fit(f.alignment().toAligned(Side::A, f.trace().interval(slice.event)), 1);
    QTest::mouseMove(view, view->rectOf(slice).center());
    QTRY_VERIFY(view->infoBox().isVisible());
    f.page->state()->panBy(300'000);
    QVERIFY(!view->infoBox().isVisible());
  }

  void aClickOnTheDeltaLaneSelectsTheStep() {
    Fixture f;
    f.open();
    f.page->state()->fitAll();
    auto* view = f.page->view();
    const auto& rows = view->layout().rows();
    const auto delta = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.kind == RowKind::Delta; });
    const auto range = f.alignment().toAligned(Side::A, f.alignment().step(Side::A, 1)->interval);
    const QPoint at(view->lanesRect().left() + static_cast<int>(view->axis().toPixel(range.middle())),
                    view->lanesRect().top() + delta->top - f.page->state()->scroll() + delta->height / 2);
    QTest::mouseClick(view, Qt::LeftButton, {}, at);
    QVERIFY(f.selection.range().has_value());
    QCOMPARE(f.selection.range()->range, f.alignment().step(Side::A, 1)->interval);
  }

  void theOtherSideIsQuietWhileOneIsEmphasised() {
    Fixture f;
    f.open();
    auto* view = f.page->view();
    const QRect b = view->rectOf({Side::B, f.named("nvjet", Side::B).at(0)});
    const QPoint probe(b.center().x(), b.bottom() - 3);
    const QColor full = view->grab().toImage().pixelColor(probe);
    f.key(Qt::Key_B);
    QCOMPARE(*f.page->state()->emphasised(), Side::A);
    const QColor quiet = view->grab().toImage().pixelColor(probe);
    QVERIFY(quiet != full);
    f.key(Qt::Key_B);
    QCOMPARE(view->grab().toImage().pixelColor(probe), full);
    f.key(Qt::Key_B);
    QVERIFY(!f.page->state()->emphasised());
    QCOMPARE(view->grab().toImage().pixelColor(probe), full);
  }
};

QTEST_MAIN(AlignmentModesTest)
#include "alignment_modes_test.moc"

#include "base/format.h"
#include "common/text.h"
#include "timeline/details_panel.h"
#include "timeline/figure_table.h"
#include "timeline/minimap.h"
#include "timeline/range_panel.h"
#include "timeline/timeline_page.h"
#include "timeline_fixture.h"

#include <QtTest>

#include <QApplication>
#include <QClipboard>

using namespace threewalls;
using common::SelectedRange;
using common::SelectedSlice;
using common::Side;

namespace {

struct PageFixture {
  common::Document document;
  common::Selection selection;
  common::JobService jobs;
  timeline::TimelinePage page{&document, &selection, &jobs};

  PageFixture() {
    page.setTheme(*common::Theme::load("dark"));
    page.resize(1300, 800);
    page.show();
  }
  void openBoth() {
    document.setRuns(test::opened("baseline", test::threeSteps(5'000'000)),
                     test::opened("candidate", test::threeSteps(900'000'000, 0.5)), nullptr, "AB");
  }
  const trace::Trace& trace(Side side) const { return *document.run(side)->analysis->trace; }
  trace::EventRef first(const char* name, Side side = Side::A) const {
    const trace::Trace& of = trace(side);
    for (std::size_t lane = 0; lane < of.lanes().size(); ++lane) {
      for (std::uint32_t k = 0; k < of.lanes()[lane].subLanes.size(); ++k) {
        for (std::uint32_t i = 0; i < of.lanes()[lane].subLanes[k].size(); ++i) {
          const trace::EventRef event{static_cast<trace::LaneId>(lane), k, i};
          if (of.name(event).find(name) != std::string_view::npos) return event;
        }
      }
    }
    qFatal("no such event");
  }
  QStringList line(const timeline::FigureTable& table, const QString& name) const {
    for (const auto& entry : table.lines()) {
      if (entry.cells.value(0).contains(name)) return entry.cells;
    }
    return {};
  }
};

}  // namespace

class TimelinePanelsTest : public QObject {
  Q_OBJECT

 private slots:
  void theRangePanelShowsTheLedgersOfTheSameAlignedRange() {
    PageFixture f;
    f.openBoth();
    const timeline::Alignment& alignment = f.page.state()->alignment();
    const base::Interval a = alignment.toClock(Side::A, timeline::TimeRange{0, 300'000});
    const base::Interval b = alignment.toClock(Side::B, timeline::TimeRange{0, 300'000});
    f.selection.setRange(SelectedRange{Side::B, b});
    const analysis::Ledger ledgerA = f.document.run(Side::A)->analysis->lanes[0].occupancy.ledger(a);
    const analysis::Ledger ledgerB = f.document.run(Side::B)->analysis->lanes[0].occupancy.ledger(b);
    QVERIFY(ledgerA.compute != ledgerB.compute);
    const timeline::FigureTable& table = f.page.rangePanel()->ledger();
    for (const analysis::LedgerPart part : analysis::kLedgerParts) {
      const QStringList cells = f.line(table, common::toText(analysis::label(part)));
      QCOMPARE(cells.value(1), common::duration(analysis::part(ledgerA, part)));
      QCOMPARE(cells.value(2), common::duration(analysis::part(ledgerB, part)));
      QCOMPARE(cells.value(3), common::signedDuration(analysis::part(ledgerB, part) - analysis::part(ledgerA, part)));
    }
    QCOMPARE(f.line(table, "together").value(1), QString("300.0 µs"));
    // Steps begin with the GEMM: in A it runs 200 µs, then the collective that began at 150 µs is exposed.
    QCOMPARE(f.line(table, "compute").value(1), QString("200.0 µs"));
    QCOMPARE(f.line(table, "compute").value(2), QString("100.0 µs"));
    QCOMPARE(f.line(table, "exposed communication").value(1), QString("100.0 µs"));
    QCOMPARE(f.line(table, "exposed communication").value(2), QString("150.0 µs"));
  }

  void theLongestKernelsAreClippedToTheRange() {
    PageFixture f;
    f.openBoth();
    const timeline::Alignment& alignment = f.page.state()->alignment();
    f.selection.setRange(SelectedRange{Side::A, alignment.toClock(Side::A, timeline::TimeRange{100'000, 250'000})});
    const timeline::FigureTable& table = f.page.rangePanel()->kernels();
    QTRY_COMPARE(f.line(table, "nvjet").value(1), QString("100.0 µs"));
    QCOMPARE(f.line(table, "nvjet").value(2), QString("–"));
    QCOMPARE(f.line(table, "nccl").value(1), QString("100.0 µs"));
    QCOMPARE(f.line(table, "nccl").value(2), QString("100.0 µs"));
  }

  void theKernelsOfTheRangeBeforeStayUntilThoseOfTheLastOneAreSummed() {
    PageFixture f;
    f.openBoth();
    const timeline::Alignment& alignment = f.page.state()->alignment();
    const auto select = [&](std::int64_t from, std::int64_t to) {
      f.selection.setRange(SelectedRange{
          Side::A, alignment.toClock(Side::A, timeline::TimeRange{static_cast<double>(from), static_cast<double>(to)})});
    };
    const timeline::FigureTable& table = f.page.rangePanel()->kernels();
    select(100'000, 250'000);
    QTRY_COMPARE(f.line(table, "nvjet").value(1), QString("100.0 µs"));
    select(0, 150'000);
    select(0, 50'000);
    // The ledger is of the new range at once; the kernels follow, and never those of the range in between.
    QCOMPARE(f.line(f.page.rangePanel()->ledger(), "together").value(1), QString("50.00 µs"));
    QCOMPARE(f.line(table, "nvjet").value(1), QString("100.0 µs"));
    QString seen;
    QTRY_VERIFY((seen = f.line(table, "nvjet").value(1)) != "100.0 µs");
    QCOMPARE(seen, QString("50.00 µs"));
    QVERIFY(f.line(table, "nccl").isEmpty());
    f.document.setRuns(std::nullopt, std::nullopt, nullptr, {});
    QVERIFY(f.line(table, "nvjet").isEmpty());
  }

  void withoutARangeThePanelShowsTheAlignedStepAndSaysHowToMeasure() {
    PageFixture f;
    f.openBoth();
    const timeline::FigureTable& table = f.page.rangePanel()->ledger();
    const analysis::Step& step = f.document.run(Side::B)->analysis->lanes[0].steps[*f.page.state()->alignment().anchor()];
    QCOMPARE(f.line(table, "compute").value(2), common::duration(step.ledger.compute));
    QCOMPARE(f.line(table, "together").value(2), common::duration(step.interval.length()));
    bool said = false;
    for (const QLabel* label : f.page.rangePanel()->findChildren<QLabel*>())
      said |= label->text().contains("Shift+drag to measure a range");
    QVERIFY(said);
  }

  void aSingleRunShowsSharesOfTheRange() {
    PageFixture f;
    f.document.setRuns(test::opened("only", test::threeSteps(0)), std::nullopt, nullptr, {});
    const timeline::Alignment& alignment = f.page.state()->alignment();
    f.selection.setRange(SelectedRange{Side::A, alignment.toClock(Side::A, timeline::TimeRange{0, 400'000})});
    QCOMPARE(f.line(f.page.rangePanel()->ledger(), "compute").value(2), QString("62.5 %"));
  }

  void theDetailsTellWhenWhereWhatAndWhy() {
    PageFixture f;
    f.openBoth();
    f.selection.setSlice(SelectedSlice{Side::A, f.first("nvjet")});
    QTRY_VERIFY(f.page.detailsPanel()->text().contains("#"));
    const QString text = f.page.detailsPanel()->text();
    for (const char* part : {"nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_TNT", "200.0 µs", "step 61", "stream 7",
                             "cudaLaunchKernel, 40.00 µs before", "3 × · median 200.0 µs", "GEMM"}) {
      QVERIFY2(text.contains(part), qPrintable(text));
    }
  }

  void theLaunchLinkGoesToTheCallAndBack() {
    PageFixture f;
    f.openBoth();
    const SelectedSlice kernel{Side::A, f.first("nvjet")};
    f.selection.setSlice(kernel);
    const auto link = [&]() -> QPushButton* {
      for (QPushButton* button : f.page.detailsPanel()->findChildren<QPushButton*>()) {
        if (button->isVisible() && button->text() == QString(QChar(0x2197))) return button;
      }
      return nullptr;
    };
    QTRY_VERIFY(link() != nullptr);
    QTest::mouseClick(link(), Qt::LeftButton);
    QTRY_COMPARE(f.selection.slice()->event, *f.trace(Side::A).launchOf(kernel.event));
    QTRY_VERIFY(link() != nullptr);
    QTest::mouseClick(link(), Qt::LeftButton);
    QTRY_COMPARE(f.selection.slice()->event, kernel.event);
  }

  void copyPutsTheFactsOnTheClipboard() {
    PageFixture f;
    f.openBoth();
    f.selection.setSlice(SelectedSlice{Side::B, f.first("nccl", Side::B)});
    for (QPushButton* button : f.page.detailsPanel()->findChildren<QPushButton*>()) {
      if (button->text() == "Copy") QTest::mouseClick(button, Qt::LeftButton);
    }
    QVERIFY(QApplication::clipboard()->text().startsWith("ncclDevKernel_AllReduce"));
  }

  void hostileNamesAreShownLiterally() {
    PageFixture f;
    test::TraceMaker maker;
    const std::string evil = "<img src=x onerror=alert(1)><b>&amp;\n\x01 <script>%1%2</script>";
    maker.marker(1, 0, 1'000'000);
    maker.kernel(evil, 100'000, 500'000, 50'000);
    f.document.setRuns(test::opened("<b>evil</b>", analysis::analyze(maker.make())), std::nullopt, nullptr, {});
    f.selection.setSlice(SelectedSlice{Side::A, f.first("img")});
    f.page.grab();
    bool found = false;
    for (const QLabel* label : f.page.findChildren<QLabel*>()) {
      QCOMPARE(label->textFormat(), Qt::PlainText);
      found |= QString(label->text()).remove(QChar(0x200B)).contains("<img src=x onerror=alert(1)>");
    }
    QVERIFY(found);
    QVERIFY(!f.page.detailsPanel()->text().contains(QChar(1)));
  }

  void theAlignmentAndItsResidualShiftAreAlwaysWritten() {
    PageFixture f;
    f.openBoth();
    const auto said = [&](const QString& words) {
      for (const QLabel* label : f.page.findChildren<QLabel*>()) {
        if (label->isVisible() && label->text().contains(words)) return true;
      }
      return false;
    };
    QVERIFY(said("aligned by step start, residual shift 0"));
    f.document.setRuns(f.document.run(Side::A), std::nullopt, nullptr, {});
    QVERIFY(!said("residual"));
    QVERIFY(said("time counts from the start of the step"));
  }

  void theStepChooserAlignsAndShowsTheChosenStep() {
    PageFixture f;
    f.openBoth();
    auto* chooser = f.page.findChild<QComboBox*>();
    QCOMPARE(chooser->count(), 3);
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Down);
    QCOMPARE(*f.page.state()->alignment().anchor(), std::size_t{1});
  }

  void theMinimapMovesAndResizesTheView() {
    PageFixture f;
    f.openBoth();
    auto* map = f.page.findChild<timeline::Minimap*>();
    timeline::ViewState& state = *f.page.state();
    const timeline::TimeAxis axis(state.bounds(), map->width());
    const timeline::TimeRange before = state.range();
    const int y = map->height() / 2;
    const auto moved = [&](double time) { return QPoint(static_cast<int>(axis.toPixel(time)), y); };
    const auto dragTo = [&](const QPoint& from, const QPoint& to) {
      QTest::mousePress(map, Qt::LeftButton, {}, from);
      QMouseEvent move(QEvent::MouseMove, to, map->mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
      QCoreApplication::sendEvent(map, &move);
      QTest::mouseRelease(map, Qt::LeftButton, {}, to);
    };
    dragTo(moved(before.middle()), moved(before.middle() + 700'000));
    QVERIFY(std::abs(state.range().middle() - before.middle() - 700'000) < 2 * axis.nsPerPixel());
    QVERIFY(std::abs(state.range().length() - before.length()) < 1);
    const timeline::TimeRange middle = state.range();
    dragTo(moved(middle.end), moved(middle.end - 300'000));
    QVERIFY(std::abs(state.range().start - middle.start) < 1);
    QVERIFY(std::abs(state.range().end - (middle.end - 300'000)) < 3 * axis.nsPerPixel());
  }

  void withoutARunThePageSaysWhatToBring() {
    PageFixture f;
    QString words;
    for (const QLabel* label : f.page.findChildren<QLabel*>()) {
      if (label->isVisible()) words += label->text() + ' ';
    }
    for (const char* part : {"Drop", "Ctrl+O", "sample"}) QVERIFY2(words.contains(part), qPrintable(words));
  }
};

QTEST_MAIN(TimelinePanelsTest)
#include "timeline_panels_test.moc"

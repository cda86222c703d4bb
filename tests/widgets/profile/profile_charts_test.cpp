#include "common/figures.h"
#include "common/theme.h"
#include "profile/ledger_bars.h"
#include "profile/overview_page.h"
#include "profile/waterfall_chart.h"
#include "widgets/sample_document.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace threewalls;
using base::Nanoseconds;
using common::Side;
using profile::LedgerBars;
using profile::WaterfallChart;

Q_DECLARE_METATYPE(threewalls::profile::LedgerRow)

namespace {

compare::Waterfall invented() {
  compare::Waterfall waterfall;
  waterfall.meanA = Nanoseconds(100'000'000);
  waterfall.delta = {Nanoseconds(-40'000'000), Nanoseconds(10'000'000), Nanoseconds(0),
                     Nanoseconds(-20'000'000), Nanoseconds(-1),         Nanoseconds(5'000'000)};
  waterfall.meanB = Nanoseconds(54'999'999);
  return waterfall;
}

common::Theme themeOf(const char* id) {
  return *common::Theme::load(QString::fromLatin1(id));
}

/// Share of a picture's pixels inside `rect` that have exactly this colour.
double coverage(const QImage& image, const QRectF& rect, const QColor& colour) {
  const QRect pixels = rect.toAlignedRect().intersected(image.rect());
  int hits = 0;
  for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
    for (int x = pixels.left(); x <= pixels.right(); ++x) hits += image.pixelColor(x, y).rgb() == colour.rgb() ? 1 : 0;
  }
  return pixels.isEmpty() ? 0 : static_cast<double>(hits) / (pixels.width() * pixels.height());
}

}  // namespace

class ProfileChartsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QFont font = QApplication::font();
    font.setPixelSize(13);
    QApplication::setFont(font);
  }

  void theBarsOfAWaterfallHangTogetherFromAToB() {
    for (const compare::Waterfall& waterfall :
         {invented(), compare::compare(test::sampleRun("loop").analysis, test::sampleRun("grouped").analysis).waterfall}) {
      const auto bars = profile::waterfallBars(waterfall);
      QCOMPARE(bars.size(), std::size_t{8});
      QCOMPARE(bars.front().to, waterfall.meanA);
      for (std::size_t i = 1; i + 1 < bars.size(); ++i) QCOMPARE(bars[i].from, bars[i - 1].to);
      QCOMPARE(bars[6].to, waterfall.meanB);
      QCOMPARE(bars.back().to, waterfall.meanB);
      QCOMPARE(bars.back().from, Nanoseconds(0));
    }
  }

  void theBreakdownOfOneRunAddsUpToItsMeanStep() {
    const auto analysis = test::sampleRun("loop").analysis;
    const auto bars = profile::breakdownBars(compare::waterfall({}, compare::steadySteps(*analysis)), Side::A);
    Nanoseconds sum{0};
    for (std::size_t i = 0; i + 1 < bars.size(); ++i) sum += bars[i].to - bars[i].from;
    QCOMPARE(sum, bars.back().to);
    // Independently: the mean duration of the steady steps.
    Nanoseconds total{0};
    std::int64_t count = 0;
    for (const auto& lane : analysis->lanes) {
      for (const analysis::Step* step : lane.steadySteps()) {
        total += step->interval.length();
        ++count;
      }
    }
    QVERIFY(std::abs((total / count - sum).count()) <= 1);
  }

  void barHeightsAreProportionalToTheirValues() {
    WaterfallChart chart;
    chart.setBars(profile::waterfallBars(invented()));
    chart.resize(700, 400);
    const double perNanosecond = chart.barRect(0).height() / 100e6;
    for (std::size_t i = 0; i < chart.bars().size(); ++i) {
      const auto& bar = chart.bars()[i];
      QVERIFY(std::abs(chart.barRect(i).height() - std::abs(static_cast<double>((bar.to - bar.from).count())) * perNanosecond) <
              0.01);
    }
    QCOMPARE(chart.barRect(1).top(), chart.barRect(0).top());  // a loss hangs from where A ends
    QCOMPARE(chart.barRect(7).bottom(), chart.barRect(0).bottom());
  }

  void aWaterfallIsPaintedInTheColoursOfItsParts_data() {
    QTest::addColumn<int>("dummy");
    QTest::newRow("dark") << 0;
    QTest::newRow("light") << 0;
  }
  void aWaterfallIsPaintedInTheColoursOfItsParts() {
    const common::Theme theme = themeOf(QTest::currentDataTag());
    WaterfallChart chart;
    chart.setTheme(theme);
    chart.setBars(profile::waterfallBars(invented()));
    chart.resize(700, 400);
    const QImage image = chart.grab().toImage();
    QVERIFY(coverage(image, chart.barRect(1).adjusted(2, 2, -2, -2), theme.of(analysis::LedgerPart::Compute)) > 0.98);
    QVERIFY(coverage(image, chart.barRect(4).adjusted(2, 2, -2, -2), theme.of(analysis::LedgerPart::IdleHost)) > 0.98);
    // A part of 1 ns still shows as a line.
    const QRectF tiny = chart.barRect(5);
    QVERIFY(coverage(image, QRectF(tiny.left(), tiny.center().y() - 2, tiny.width(), 4),
                     theme.of(analysis::LedgerPart::IdleProfiler)) > 0.3);
  }

  void labelsOfAWaterfallFitAtEveryWidth() {
    WaterfallChart chart;
    chart.setBars(profile::waterfallBars(
        compare::compare(test::sampleRun("loop").analysis, test::sampleRun("grouped").analysis).waterfall));
    QFont bold = chart.font();
    bold.setBold(true);
    for (int width = chart.minimumSizeHint().width(); width < 1200; width += 40) {
      chart.resize(width, chart.minimumSizeHint().height());
      const double column = width / 8.0;
      for (std::size_t i = 0; i < chart.bars().size(); ++i) {
        const auto& bar = chart.bars()[i];
        const double line = QFontMetricsF(bold).height();
        QVERIFY(chart.barRect(i).top() >= line);  // room for the value above
        for (const QString& word : bar.value.split(' ')) {
          QVERIFY2(common::figuresWidth(QFontMetricsF(bold), word) <= column, qPrintable(word));
        }
        for (const QString& word : bar.label.split(' ')) {
          QVERIFY2(QFontMetricsF(chart.font()).horizontalAdvance(word) <= column - 4, qPrintable(word));
        }
      }
    }
  }

  void aBarIsChosenByMouseAndByKeyboard() {
    WaterfallChart chart;
    chart.setTheme(themeOf("dark"));
    chart.setBars(profile::waterfallBars(invented()));
    chart.resize(700, 400);
    chart.show();
    QSignalSpy chosen(&chart, &WaterfallChart::chosen);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.barRect(4).center().toPoint());
    QCOMPARE(chosen.takeFirst().front().toULongLong(), 4ULL);
    QTest::mouseMove(&chart, QPoint(-5, -5));
    chart.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&chart, Qt::Key_Home);
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(chosen.takeFirst().front().toULongLong(), 1ULL);
  }

  void everyStepOfBothSidesHasABarOfItsLength() {
    common::Document document;
    test::openSample(document);
    LedgerBars bars;
    bars.setTheme(themeOf("light"));
    bars.setRows(profile::ledgerRows(document));
    QCOMPARE(bars.rows().size(), std::size_t{20});
    bars.resize(600, bars.sizeHint().height());
    double scale = 0;
    for (std::size_t i = 0; i < bars.rows().size(); ++i) {
      const double perNanosecond = bars.barRect(i).width() / static_cast<double>(bars.rows()[i].step->interval.length().count());
      if (i == 0) scale = perNanosecond;
      QVERIFY(std::abs(perNanosecond / scale - 1) < 1e-6);
    }
    // The first part of a step is compute, in its colour.
    const QImage image = bars.grab().toImage();
    const auto* step = bars.rows()[0].step;
    QRectF compute = bars.barRect(0);
    compute.setWidth(compute.width() * static_cast<double>(step->ledger.compute.count()) /
                     static_cast<double>(step->ledger.duration.count()));
    QVERIFY(coverage(image, compute.adjusted(1, 1, -2, -1), themeOf("light").of(analysis::LedgerPart::Compute)) > 0.98);
  }

  void clickingALedgerBarSelectsItsStep() {
    common::Document document;
    common::Selection selection;
    test::openSample(document);
    profile::OverviewPage page(&document, &selection);
    page.setTheme(themeOf("dark"));
    page.resize(1100, 900);
    page.show();
    QSignalSpy wanted(&page, &profile::OverviewPage::timelineWanted);
    auto* bars = page.findChild<LedgerBars*>();
    QTest::mouseClick(bars, Qt::LeftButton, {}, bars->barRect(13).center().toPoint());
    QVERIFY(selection.range().has_value());
    QCOMPARE(selection.range()->side, Side::B);
    QCOMPARE(selection.range()->range, document.run(Side::B)->analysis->lanes[0].steps[3].interval);
    QCOMPARE(wanted.count(), 1);
  }

  void clickingAWaterfallBarSelectsTheLongestStretchBehindIt() {
    common::Document document;
    common::Selection selection;
    test::openSample(document);
    profile::OverviewPage page(&document, &selection);
    page.setTheme(themeOf("dark"));
    page.resize(1100, 900);
    page.show();
    auto* chart = page.findChild<WaterfallChart*>();
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(static_cast<int>(chart->barRect(4).center().x()), chart->height() / 2));
    QVERIFY(selection.range().has_value());
    QCOMPARE(selection.range()->side, Side::A);  // host-bound idle is longer in A
    // Nothing of A's host-bound idle is longer, and all of the stretch is host-bound idle.
    const auto& occupancy = document.run(Side::A)->analysis->lanes[0].occupancy;
    QCOMPARE(occupancy.hostBoundIdle().totalWithin(selection.range()->range), selection.range()->range.length());
    for (const base::Interval& gap : occupancy.hostBoundIdle().intervals())
      QVERIFY(gap.length() <= selection.range()->range.length() ||
              gap.end > document.run(Side::A)->analysis->lanes[0].steps.back().interval.end ||
              gap.start < document.run(Side::A)->analysis->lanes[0].steps.front().interval.start);
  }

  void wallReasonsLeadToTheirStretches() {
    common::Document document;
    common::Selection selection;
    test::openSample(document);
    profile::OverviewPage page(&document, &selection);
    page.resize(1100, 900);
    page.show();
    const auto& reasons = document.run(Side::A)->analysis->wall.reasons;
    QVERIFY(!reasons.empty() && reasons.front().intervals.size() > 1);
    QPushButton* show = nullptr;
    for (QPushButton* button : page.findChildren<QPushButton*>()) {
      if (show == nullptr && button->isVisibleTo(&page) && button->text() == "show") show = button;
    }
    QVERIFY(show != nullptr);
    QTest::mouseClick(show, Qt::LeftButton);
    QCOMPARE(selection.range()->range, reasons.front().intervals[0]);
    QTest::mouseClick(show, Qt::LeftButton);
    QCOMPARE(selection.range()->range, reasons.front().intervals[1]);
  }

  void aRunThatIsAloneIsNotComparedWithAnything() {
    for (const Side side : common::kSides) {
      common::Document document;
      common::Selection selection;
      profile::OverviewPage page(&document, &selection);
      test::openAlone(document, side, "grouped");
      page.resize(1100, 900);
      page.show();
      for (const QLabel* label : page.findChildren<QLabel*>()) {
        if (label->isVisible())
          QVERIFY2(!label->text().contains(QStringLiteral("→")) && !label->text().contains("faster"), qPrintable(label->text()));
      }
      QCOMPARE(page.findChild<QLabel*>("stepTime")->text(), QString("24.83 ms"));
      QCOMPARE(page.findChild<LedgerBars*>()->rows().size(), std::size_t{10});
      QCOMPARE(page.findChild<WaterfallChart*>()->bars().size(), std::size_t{7});
    }
  }

  void nothingOnTheOverviewIsWiderThanThePage() {
    common::Document document;
    common::Selection selection;
    test::openSample(document);
    profile::OverviewPage page(&document, &selection);
    page.setTheme(themeOf("dark"));
    // From the smallest window without its guide on.
    for (const QSize size : {QSize(716, 400), QSize(840, 500), QSize(1180, 900)}) {
      page.resize(size);
      page.show();
      QTest::qWait(20);
      QVERIFY2(page.widget()->width() <= page.viewport()->width(),
               qPrintable(QString("%1 in %2").arg(page.widget()->width()).arg(page.viewport()->width())));
    }
  }
};

QTEST_MAIN(ProfileChartsTest)
#include "profile_charts_test.moc"

#include "timeline/time_axis.h"
#include "core/analysis/trace_maker.h"
#include "timeline/alignment.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace threewalls;
using common::Side;
using test::TraceMaker;
using timeline::Alignment;
using timeline::TimeAxis;
using timeline::TimeRange;

namespace {

/// Three steps of 100 ns from `start` on, one kernel each, step `late` begins `delay` ns later.
common::Run threeStepsFrom(const char* name, std::int64_t start, int firstNumber, int late = -1, std::int64_t delay = 0) {
  TraceMaker maker;
  std::int64_t at = start;
  for (int i = 0; i < 3; ++i) {
    if (i == late) at += delay;
    maker.marker(firstNumber + i, at, at + 100);
    maker.kernel("k", at + 20, 50, at + 5);
    at += 100;
  }
  common::Run out;
  out.name = QString::fromUtf8(name);
  out.analysis = analysis::analyze(maker.make());
  return out;
}

}  // namespace

class TimeAxisTest : public QObject {
  Q_OBJECT

 private slots:
  void pixelsAndTimesAreInverse() {
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) {
      const double start = std::uniform_real_distribution<>(-1e12, 1e12)(random);
      const double length = std::pow(10, std::uniform_real_distribution<>(std::log10(20.0), 12)(random));
      const TimeAxis axis({start, start + length}, 1700);
      const double pixel = std::uniform_real_distribution<>(0, 1700)(random);
      QVERIFY2(std::abs(axis.toPixel(axis.toTime(pixel)) - pixel) < 0.01, qPrintable(QString::number(length)));
    }
  }

  void zoomingKeepsTheTimeUnderThePointerWithinHalfAPixel() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 200; ++round) {
      TimeRange range{0, 1e10};
      const double pixel = std::uniform_real_distribution<>(0, 1700)(random);
      const double anchor = TimeAxis(range, 1700).toTime(pixel);
      for (int i = 0; i < 120; ++i) {
        range = timeline::zoomed(range, anchor, std::uniform_real_distribution<>(0.7, 1.2)(random), 4e10);
        QVERIFY(std::abs(TimeAxis(range, 1700).toPixel(anchor) - pixel) < 0.5);
      }
    }
  }

  void zoomingStopsAtTwentyNanosecondsAndAtTheLongestView() {
    TimeRange range{0, 1000};
    for (int i = 0; i < 100; ++i) range = timeline::zoomed(range, 500, 0.5, 1e6);
    QCOMPARE(range.length(), 20.0);
    for (int i = 0; i < 100; ++i) range = timeline::zoomed(range, 500, 2, 1e6);
    QCOMPARE(range.length(), 1e6);
  }

  void panningLeavesAtLeastHalfOfTheViewOnTheTrace() {
    const TimeRange bounds{1000, 2000};
    const TimeRange left = timeline::clamped({-5000, -4900}, bounds);
    QCOMPARE(left.length(), 100.0);
    QCOMPARE(left.end - bounds.start, 50.0);
    const TimeRange right = timeline::clamped({9000, 9100}, bounds);
    QCOMPARE(bounds.end - right.start, 50.0);
    QCOMPARE(timeline::clamped({1200, 1300}, bounds), (TimeRange{1200, 1300}));
  }

  void ticksStandAtOneTwoOrFiveTimesAPowerOfTenAndSayTheirUnit() {
    for (double length = 20; length < 1e13; length *= 1.37) {
      const TimeAxis axis({-length / 3, length}, 1500);
      double last = -1e300;
      double step = 0;
      int majors = 0;
      for (const timeline::Tick& tick : timeline::ticks(axis, 80)) {
        if (!tick.major) continue;
        ++majors;
        if (last > -1e299) {
          step = tick.time - last;
          QVERIFY(step / axis.nsPerPixel() >= 79.9);
          QVERIFY(step / axis.nsPerPixel() <= 80 * 5.01);
        }
        last = tick.time;
        const bool zero = std::abs(tick.time) < axis.nsPerPixel() / 10;
        QCOMPARE(tick.label == "0", zero);
        if (!zero) QVERIFY2(tick.label.contains(QRegularExpression("^[−]?[0-9.]+\u00A0(s|ms|µs|ns)$")), qPrintable(tick.label));
      }
      QVERIFY(majors >= 3);
      const double lead = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
      QVERIFY2(std::abs(lead - 1) < 1e-6 || std::abs(lead - 2) < 1e-6 || std::abs(lead - 5) < 1e-6,
               qPrintable(QString::number(lead)));
    }
  }

  void tickLabelsAreAllDifferent() {
    for (double length = 20; length < 1e12; length *= 3.1) {
      QSet<QString> seen;
      int count = 0;
      for (const timeline::Tick& tick : timeline::ticks(TimeAxis({1e9, 1e9 + length}, 1500), 80)) {
        if (tick.major) {
          seen.insert(tick.label);
          ++count;
        }
      }
      QCOMPARE(seen.size(), qsizetype{count});
    }
  }

  void stepsAreAlignedByTheirNumbersAndTheResidualShiftIsZeroThere() {
    common::Document document;
    // B runs the same steps much later on its clock, and its third one 30 ns late.
    document.setRuns(threeStepsFrom("a", 1'000, 61), threeStepsFrom("b", 777'000, 61, 2, 30), nullptr, {});
    Alignment alignment(document);
    QCOMPARE(alignment.steps().size(), std::size_t{3});
    QCOMPARE(alignment.steps()[1].label, QString("62"));
    alignment.setAnchor(0);
    QCOMPARE(alignment.residual(0)->count(), 0);
    QCOMPARE(alignment.residual(1)->count(), 0);
    QCOMPARE(alignment.residual(2)->count(), 30);
    alignment.setAnchor(2);
    QCOMPARE(alignment.residual(2)->count(), 0);
    QCOMPARE(alignment.residual(0)->count(), -30);
    for (const Side side : common::kSides) {
      QCOMPARE(alignment.toAligned(side, alignment.step(side, 2)->interval.start), 0.0);
      QCOMPARE(alignment.toClock(side, 12.0), alignment.step(side, 2)->interval.start + base::Nanoseconds(12));
    }
  }

  void stepsWithoutACommonNumberAreAlignedByTheirPlace() {
    common::Document document;
    document.setRuns(threeStepsFrom("a", 0, 61), threeStepsFrom("b", 0, 11), nullptr, {});
    const Alignment alignment(document);
    QCOMPARE(alignment.steps().size(), std::size_t{3});
    QCOMPARE(alignment.steps()[0].label, QString("61 / 11"));
  }

  void aStepThatOneSideDidNotRunStaysInTheListAlone() {
    common::Document document;
    document.setRuns(threeStepsFrom("a", 0, 61), threeStepsFrom("b", 0, 62), nullptr, {});
    const Alignment alignment(document);
    QCOMPARE(alignment.steps().size(), std::size_t{4});
    QVERIFY(!alignment.residual(0));
    QVERIFY(alignment.residual(1));
    QVERIFY(!alignment.residual(3));
  }
};

QTEST_MAIN(TimeAxisTest)
#include "time_axis_test.moc"

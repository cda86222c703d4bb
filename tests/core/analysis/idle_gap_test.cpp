#include "analysis/idle_gap.h"
#include "core/analysis/trace_maker.h"

#include <QTest>

#include <random>

using namespace threewalls;
using base::Interval;
using base::Nanoseconds;

namespace {

Interval interval(std::int64_t start, std::int64_t end) {
  return {Nanoseconds(start), Nanoseconds(end)};
}

std::optional<analysis::IdleGap> gapIn(const analysis::Analysis& analysis, Interval range) {
  return analysis::longestIdleGap(*analysis.trace, analysis.lanes.front(), range);
}

}  // namespace

class IdleGapTest : public QObject {
  Q_OBJECT

 private slots:
  void theGapOfAllStreamsTogetherIsFoundWithWhatEndedIt() {
    test::TraceMaker maker;
    maker.kernel("first", 100, 100, 50).kernel("beside", 150, 250, 60, 20);
    maker.kernel("short", 1000, 10, 900, 20).kernel("late", 1000, 50, 950).kernel("last", 1100, 10, 960);
    const auto analysis = analysis::analyze(maker.make());
    const auto gap = gapIn(*analysis, interval(0, 5000));
    QVERIFY(gap);
    QCOMPARE(gap->interval, interval(400, 1000));
    QCOMPARE(analysis->trace->name(*gap->endedBy), std::string_view("late"));
    QCOMPARE(analysis->trace->interval(*gap->launch).start.count(), std::int64_t(950));
    // Asked again for the gap alone it still says what ended it.
    QVERIFY(gapIn(*analysis, gap->interval)->endedBy == gap->endedBy);
  }

  void aRangeThatCutsTheGapOffNamesNoEnd() {
    test::TraceMaker maker;
    maker.kernel("first", 0, 10).kernel("second", 1000, 10);
    const auto analysis = analysis::analyze(maker.make());
    const auto gap = gapIn(*analysis, interval(5, 500));
    QCOMPARE(gap->interval, interval(10, 500));
    QVERIFY(!gap->endedBy && !gap->launch);
    // Its launch was not recorded.
    const auto whole = gapIn(*analysis, interval(0, 2000));
    QVERIFY(whole->endedBy && !whole->launch);
  }

  void aBusyOrEmptyRangeHasNone() {
    test::TraceMaker maker;
    maker.kernel("first", 0, 100).kernel("second", 100, 100, std::nullopt, 20);
    const auto analysis = analysis::analyze(maker.make());
    QVERIFY(!gapIn(*analysis, interval(0, 200)));
    QVERIFY(!gapIn(*analysis, interval(0, 900)));  // the time after the last event is no gap between events
    QVERIFY(!gapIn(*analysis, interval(50, 50)));
  }

  /// Against one flag for each nanosecond.
  void itIsTheLongestRunOfIdleNanoseconds() {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
      test::TraceMaker maker;
      constexpr int kLength = 600;
      std::vector<bool> busy(kLength + 100);
      int first = kLength, last = 0;
      for (int i = 0; i < 12; ++i) {
        const int start = static_cast<int>(random() % kLength);
        const int length = 1 + static_cast<int>(random() % 30);
        maker.kernel("k", start, length, std::nullopt, 7 + i % 3);
        std::fill_n(busy.begin() + start, length, true);
        first = std::min(first, start);
        last = std::max(last, start + length);
      }
      const auto analysis = analysis::analyze(maker.make());
      const int a = static_cast<int>(random() % kLength);
      const int b = a + static_cast<int>(random() % (kLength - a));
      int bestStart = 0, best = 0, run = 0;
      for (int t = std::max(a, first); t < std::min(b, last); ++t) {
        run = busy[static_cast<std::size_t>(t)] ? 0 : run + 1;
        if (run > best) {
          best = run;
          bestStart = t + 1 - run;
        }
      }
      const auto gap = gapIn(*analysis, interval(a, b));
      QCOMPARE(gap.has_value(), best > 0);
      if (gap) QCOMPARE(gap->interval, interval(bestStart, bestStart + best));
    }
  }
};

QTEST_GUILESS_MAIN(IdleGapTest)
#include "idle_gap_test.moc"

#include "analysis/interval_set.h"

#include <QtTest>

#include <bitset>
#include <random>

using threewalls::analysis::IntervalSet;
using threewalls::base::Interval;
using threewalls::base::Nanoseconds;

namespace {

constexpr int kTimes = 64;
/// The same set as one bit a unit of time: the independent computation.
using Bits = std::bitset<kTimes>;

struct Pair {
  IntervalSet set;
  Bits bits;
};

Interval between(int start, int end) {
  return {Nanoseconds(start), Nanoseconds(end)};
}

Bits bitsOf(const IntervalSet& set) {
  Bits bits;
  for (const Interval& interval : set.intervals()) {
    for (auto t = interval.start.count(); t < interval.end.count(); ++t) bits.set(static_cast<std::size_t>(t));
  }
  return bits;
}

Pair randomPair(std::mt19937& random) {
  std::vector<Interval> intervals;
  Bits bits;
  const auto count = random() % 9;
  for (std::size_t i = 0; i < count; ++i) {
    const int start = static_cast<int>(random() % kTimes);
    const int end = std::min<int>(kTimes, start + static_cast<int>(random() % 12));  // some are empty
    intervals.push_back(between(start, end));
    for (int t = start; t < end; ++t) bits.set(static_cast<std::size_t>(t));
  }
  return {IntervalSet(intervals), bits};
}

bool wellFormed(const IntervalSet& set) {
  const auto& intervals = set.intervals();
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (intervals[i].empty()) return false;
    if (i > 0 && intervals[i].start <= intervals[i - 1].end) return false;
  }
  return true;
}

}  // namespace

class IntervalSetTest : public QObject {
  Q_OBJECT

 private slots:
  void theUnionOfIntervalsInAnyOrderIsTheirBitmap() {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
      const Pair p = randomPair(random);
      QVERIFY(wellFormed(p.set));
      QCOMPARE(bitsOf(p.set), p.bits);
      QCOMPARE(p.set.total().count(), static_cast<std::int64_t>(p.bits.count()));
      QCOMPARE(p.set.empty(), p.bits.none());
    }
  }

  void operationsAreThoseOfBitmaps() {
    std::mt19937 random(2);
    for (int round = 0; round < 5000; ++round) {
      const Pair a = randomPair(random);
      const Pair b = randomPair(random);
      for (const auto& [got, expected] :
           {std::pair{unite(a.set, b.set), a.bits | b.bits}, std::pair{intersect(a.set, b.set), a.bits & b.bits},
            std::pair{subtract(a.set, b.set), a.bits & ~b.bits}}) {
        QVERIFY(wellFormed(got));
        QCOMPARE(bitsOf(got), expected);
        QCOMPARE(got.total().count(), static_cast<std::int64_t>(expected.count()));
      }
    }
  }

  void clippingAndTotalsOfRangesAreThoseOfBitmaps() {
    std::mt19937 random(3);
    for (int round = 0; round < 5000; ++round) {
      const Pair p = randomPair(random);
      const int start = static_cast<int>(random() % kTimes);
      const int end = static_cast<int>(random() % (kTimes + 1));  // may lie before start: an empty range
      Bits mask;
      for (int t = start; t < end; ++t) mask.set(static_cast<std::size_t>(t));
      const IntervalSet clipped = p.set.clipped(between(start, end));
      QVERIFY(wellFormed(clipped));
      QCOMPARE(bitsOf(clipped), p.bits & mask);
      QCOMPARE(p.set.totalWithin(between(start, end)).count(), static_cast<std::int64_t>((p.bits & mask).count()));
    }
  }

  void theLawsOfSetAlgebraHold() {
    std::mt19937 random(4);
    for (int round = 0; round < 2000; ++round) {
      const IntervalSet a = randomPair(random).set;
      const IntervalSet b = randomPair(random).set;
      const IntervalSet c = randomPair(random).set;
      QVERIFY(unite(a, b) == unite(b, a));
      QVERIFY(intersect(a, b) == intersect(b, a));
      QVERIFY(unite(a, unite(b, c)) == unite(unite(a, b), c));
      QVERIFY(intersect(a, unite(b, c)) == unite(intersect(a, b), intersect(a, c)));
      QVERIFY(subtract(a, unite(b, c)) == subtract(subtract(a, b), c));
      QVERIFY(unite(subtract(a, b), intersect(a, b)) == a);
      QVERIFY(subtract(a, a).empty());
      QCOMPARE(unite(a, b).total(), a.total() + b.total() - intersect(a, b).total());
    }
  }

  void aRangeSplitAnywhereAddsUp() {
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
      const IntervalSet set = randomPair(random).set;
      const int cut = static_cast<int>(random() % kTimes);
      QCOMPARE(set.totalWithin(between(0, cut)) + set.totalWithin(between(cut, kTimes)), set.total());
    }
  }

  void theLongestIntervalsComeLongestFirst() {
    const IntervalSet set({between(0, 2), between(10, 15), between(20, 21), between(30, 35), between(40, 43)});
    const std::vector<Interval> expected = {between(10, 15), between(30, 35), between(40, 43)};
    QVERIFY(longest(set, 3) == expected);
    QCOMPARE(longest(set, 99).size(), std::size_t{5});
    QVERIFY(longest(IntervalSet(), 3).empty());
  }
};

QTEST_GUILESS_MAIN(IntervalSetTest)
#include "interval_set_test.moc"

#include "base/statistics.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace threewalls::base;

namespace {

/// Every resample of ten values in blocks of five is one of 6 × 6 equally likely pairs of blocks: their exact medians, sorted.
std::vector<double> allMediansOfTen(const std::vector<double>& series) {
  std::vector<double> medians;
  for (std::size_t first = 0; first <= 5; ++first) {
    for (std::size_t second = 0; second <= 5; ++second) {
      std::vector<double> drawn(series.begin() + first, series.begin() + first + 5);
      drawn.insert(drawn.end(), series.begin() + second, series.begin() + second + 5);
      std::sort(drawn.begin(), drawn.end());
      medians.push_back((drawn[4] + drawn[5]) / 2);
    }
  }
  std::sort(medians.begin(), medians.end());
  return medians;
}

}  // namespace

class StatisticsTest : public QObject {
  Q_OBJECT
 private slots:
  void medianTakesTheMiddle() {
    QCOMPARE(median({3, 1, 2}), 2.0);
    QCOMPARE(median({4, 1, 3, 2}), 2.5);
    QCOMPARE(median({}), 0.0);
    QCOMPARE(mean(std::vector<double>{1, 2, 6}), 3.0);
  }

  void intervalOfTenValuesIsThatOfAllBlockPairs() {
    const std::vector<double> series = {111.7, 121.5, 111.2, 127.9, 117.3, 115.5, 120.0, 113.9, 115.6, 114.2};
    const std::vector<double> exact = allMediansOfTen(series);
    // 36 equally likely medians: 2.5 % lies within the smallest one, 97.5 % within the largest one.
    const Interval95 interval = medianCi95(series);
    QCOMPARE(interval[0], exact.front());
    QCOMPARE(interval[1], exact.back());
  }

  void ratioOfASeriesToItselfHoldsOneAndScales() {
    const std::vector<double> a = {10, 11, 10.5, 10.2, 10.8, 10.1, 10.9, 10.4, 10.6, 10.3};
    std::vector<double> b = a;
    const Interval95 same = medianRatioCi95(a, b);
    QVERIFY(same[0] < 1 && same[1] > 1);
    for (double& value : b) value *= 3;
    const Interval95 tripled = medianRatioCi95(a, b);
    QVERIFY(std::abs(tripled[0] - 3 * same[0]) < 1e-12);
    QVERIFY(std::abs(tripled[1] - 3 * same[1]) < 1e-12);
  }

  void intervalsAreTheSameOnEveryCall() {
    const std::vector<double> series = {5, 7, 6, 8, 5, 9, 7, 6, 5, 8, 7, 6, 9};
    QCOMPARE(medianCi95(series), medianCi95(series));
    QCOMPARE(medianCi95(std::vector<double>{4.0}), (Interval95{4.0, 4.0}));
  }

  void driftIsTheRelativeChangeAcrossTheWindow() {
    const std::vector<double> positions = {51, 52, 53, 54, 55};
    QVERIFY(std::abs(relativeDrift(positions, std::vector<double>{100, 101, 102, 103, 104}) - 4.0 / 102) < 1e-12);
    QCOMPARE(relativeDrift(positions, std::vector<double>{7, 7, 7, 7, 7}), 0.0);
    QCOMPARE(relativeDrift(std::vector<double>{1, 2}, std::vector<double>{1, 9}), 0.0);
    QCOMPARE(relativeDrift(positions, std::vector<double>{900, 7, 7, 7, 7}), 0.0);  // one slow iteration is no drift
    std::vector<double> many;
    std::vector<double> rising;
    for (int i = 0; i < 5'000; ++i) {
      many.push_back(i);
      rising.push_back(100 + 0.01 * i);
    }
    QVERIFY(std::abs(relativeDrift(many, rising) - 49.99 / 124.995) < 1e-9);
  }
};

QTEST_GUILESS_MAIN(StatisticsTest)
#include "statistics_test.moc"

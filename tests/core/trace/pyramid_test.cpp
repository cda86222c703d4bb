#include "trace/pyramid.h"

#include <QtTest>

#include <random>
#include <vector>

using threewalls::base::Nanoseconds;
using threewalls::trace::Pyramid;
using threewalls::trace::RangeSummary;

namespace {

RangeSummary bruteForce(const std::vector<std::int64_t>& durations, std::uint32_t first, std::uint32_t last) {
  RangeSummary out;
  std::int64_t busy = 0;
  std::int64_t longest = -1;
  for (std::uint32_t i = first; i < last; ++i) {
    busy += durations[i];
    if (durations[i] > longest) {
      longest = durations[i];
      out.longestIndex = i;
    }
    ++out.count;
  }
  out.busy = Nanoseconds(busy);
  out.longest = Nanoseconds(std::max<std::int64_t>(longest, 0));
  return out;
}

void compare(const Pyramid& pyramid, const std::vector<std::int64_t>& durations, std::uint32_t first, std::uint32_t last) {
  const auto duration = [&](std::uint32_t i) { return durations[i]; };
  const RangeSummary got = pyramid.summary(first, last, duration);
  const RangeSummary want = bruteForce(durations, first, last);
  QCOMPARE(got.count, want.count);
  QCOMPARE(got.busy.count(), want.busy.count());
  QCOMPARE(got.longest.count(), want.longest.count());
  QCOMPARE(got.longestIndex, want.longestIndex);
}

}  // namespace

class PyramidTest : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithBruteForceForEveryRangeOfSmallLanes() {
    std::mt19937_64 random(1);
    for (const std::uint32_t size : {0U, 1U, 15U, 16U, 17U, 33U, 255U, 256U, 257U, 300U}) {
      std::vector<std::int64_t> durations(size);
      for (auto& duration : durations) duration = static_cast<std::int64_t>(random() % 20);  // many ties
      const Pyramid pyramid(size, [&](std::uint32_t i) { return durations[i]; });
      for (std::uint32_t first = 0; first <= size; ++first) {
        for (std::uint32_t last = first; last <= size; ++last) compare(pyramid, durations, first, last);
      }
    }
  }

  void agreesWithBruteForceOnALargeLaneWithDurationsOfMoreThanFourSeconds() {
    std::mt19937_64 random(2);
    std::vector<std::int64_t> durations(70'000);
    for (auto& duration : durations) {
      duration = static_cast<std::int64_t>(random() % 50 == 0 ? 4'294'967'290 + random() % 1000 : random() % 100'000);
    }
    const auto size = static_cast<std::uint32_t>(durations.size());
    const Pyramid pyramid(size, [&](std::uint32_t i) { return durations[i]; });
    for (int i = 0; i < 300; ++i) {
      const auto a = static_cast<std::uint32_t>(random() % (size + 1));
      const auto b = static_cast<std::uint32_t>(random() % (size + 1));
      compare(pyramid, durations, std::min(a, b), std::max(a, b));
    }
    compare(pyramid, durations, 0, size);
  }

  void takesLittleMoreThanAByteAnEvent() {
    const Pyramid pyramid(1'000'000, [](std::uint32_t) { return std::int64_t{1}; });
    QVERIFY(pyramid.bytes() < 1'080'000);
  }
};

QTEST_GUILESS_MAIN(PyramidTest)
#include "pyramid_test.moc"

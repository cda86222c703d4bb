#include "analysis/analysis.h"
#include "common/theme.h"
#include "core/analysis/trace_maker.h"
#include "timeline/lane_pixels.h"
#include "timeline/launch_times.h"
#include "timeline/row_cache.h"
#include "timeline/slice_search.h"

#include <QtTest>

#include <cmath>
#include <map>
#include <random>

using namespace threewalls;
using base::Nanoseconds;
using test::TraceMaker;
using timeline::BucketCursor;
using timeline::BucketGrid;

namespace {

/// Busy with gaps, touching events, zero lengths and a few very long ones.
std::shared_ptr<const trace::Trace> randomLane(unsigned seed, int events) {
  std::mt19937 random(seed);
  TraceMaker maker;
  std::int64_t at = 100;
  for (int i = 0; i < events; ++i) {
    at += random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 40);
    const std::int64_t length = random() % 17 == 0 ? 0 : random() % 23 == 0 ? 400 + random() % 3000 : 1 + random() % 30;
    maker.kernel(i % 5 == 0   ? "nvjet_sm90_tst"
                 : i % 5 == 1 ? "Memset (Device)"
                              : "other_thing" + std::to_string(i % 7),
                 at, length);
    at += length + (length == 0 ? 1 : 0);
  }
  return maker.make();
}

const trace::SubLane& stream(const trace::Trace& trace) {
  return trace.lanes().front().subLanes.front();
}

struct Expected {
  std::int64_t busy = 0;
  std::int64_t longest = -1;
  std::uint32_t count = 0;
};

/// By looking at every event.
Expected bruteForce(const trace::SubLane& lane, std::int64_t start, std::int64_t end) {
  Expected out;
  for (std::uint32_t i = 0; i < lane.size(); ++i) {
    const std::int64_t first = lane.start(i).count();
    const std::int64_t last = lane.end(i).count();
    const bool inside = first == last ? first >= start && first < end : first < end && last > start;
    if (!inside) continue;
    const std::int64_t length = std::min(last, end) - std::max(first, start);
    out.busy += length;
    out.longest = std::max(out.longest, length);
    ++out.count;
  }
  return out;
}

}  // namespace

class LanePaintingTest : public QObject {
  Q_OBJECT

 private slots:
  void bucketsAgreeWithALookAtEveryEvent() {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const auto trace = randomLane(seed, 900);
      const trace::SubLane& lane = stream(*trace);
      const std::int64_t end = trace->span().end.count();
      for (const std::int64_t size : {1, 7, 33, 250, 1900, 20000}) {
        BucketCursor cursor(lane);
        for (std::int64_t at = 0; at < std::min<std::int64_t>(end + 2 * size, size * 3000); at += size) {
          const auto share = cursor.next(Nanoseconds(at), Nanoseconds(at + size));
          const Expected expected = bruteForce(lane, at, at + size);
          QCOMPARE(share.count, expected.count);
          QVERIFY(std::abs(share.covered * static_cast<double>(size) - static_cast<double>(expected.busy)) < 1e-6);
          if (expected.count == 0) continue;
          // The longest part, not the longest event: what crosses the edge counts only inside.
          const std::int64_t own =
              std::min(lane.end(share.longest).count(), at + size) - std::max(lane.start(share.longest).count(), at);
          QCOMPARE(own, expected.longest);
        }
      }
    }
  }

  void anEventThatCrossesTheEdgeOfTheViewCountsOnlyInside() {
    TraceMaker maker;
    maker.kernel("long", 0, 1000).kernel("short", 1000, 10);
    const auto trace = maker.make();
    BucketCursor cursor(stream(*trace));
    const auto share = cursor.next(Nanoseconds(995), Nanoseconds(1015));
    QCOMPARE(share.count, 2U);
    QCOMPARE(share.covered, 0.75);
    QCOMPARE(share.longest, 1U);
  }

  void aPixelBlendsTheClassColourIntoTheLaneByItsCoveredShare() {
    TraceMaker maker;
    maker.kernel("nvjet_sm90_tst_128x256", 0, 60).kernel("Memset (Device)", 100, 100);
    const auto trace = maker.make();
    const auto analysis = analysis::analyze(trace);
    for (const char* id : {"dark", "light"}) {
      const common::Theme theme = *common::Theme::load(id);
      const timeline::SlicePalette palette(theme, analysis->classes);
      std::array<QRgb, 3> pixels{};
      timeline::paintBuckets(stream(*trace), BucketGrid{{}, 0, 100}, 0, 3, palette, pixels.data());
      const QColor gemm = theme.of(analysis::ColourClass::DenseGemm);
      const auto mixed = [&](int under, int over) { return under + 0.6 * (over - under); };
      QVERIFY(std::abs(qRed(pixels[0]) - mixed(theme.lane.red(), gemm.red())) <= 2);
      QVERIFY(std::abs(qGreen(pixels[0]) - mixed(theme.lane.green(), gemm.green())) <= 2);
      QVERIFY(std::abs(qBlue(pixels[0]) - mixed(theme.lane.blue(), gemm.blue())) <= 2);
      const auto& second = analysis->classes.classOf(stream(*trace).name(1));
      QCOMPARE(QColor(pixels[1]), theme.of(second.colour));
      QCOMPARE(QColor(pixels[2]), theme.lane);
    }
  }

  void aLoneShortEventNeverVanishes() {
    TraceMaker maker;
    maker.kernel("k", 5'000, 1);
    const auto trace = maker.make();
    const auto analysis = analysis::analyze(trace);
    const common::Theme theme = *common::Theme::load("dark");
    const timeline::SlicePalette palette(theme, analysis->classes);
    QRgb pixel = 0;
    timeline::paintBuckets(stream(*trace), BucketGrid{{}, 0, 10'000}, 0, 1, palette, &pixel);
    QVERIFY(QColor(pixel) != theme.lane);
  }

  void panningByWholePixelsPaintsOnlyNewColumnsAndTheSamePixels() {
    const auto trace = randomLane(9, 500);
    const auto analysis = analysis::analyze(trace);
    const common::Theme theme = *common::Theme::load("light");
    const timeline::SlicePalette palette(theme, analysis->classes);
    const int columns = 300;
    timeline::RowCache kept;
    const auto row = [&](timeline::RowCache& cache, double start) {
      const double size = 12.375;
      const std::int64_t first = cache.alignTo({start, start + size * columns}, columns);
      const BucketGrid grid = cache.grid({});
      const auto pixels = cache.row({0, 0, 0}, first, columns, [&](std::int64_t from, std::int64_t to, QRgb* out) {
        timeline::paintBuckets(stream(*trace), grid, from, to, palette, out);
      });
      return std::vector<QRgb>(pixels.begin(), pixels.end());
    };
    row(kept, 1000);
    QCOMPARE(kept.columnsPainted(), std::uint64_t{300});
    for (const int shift : {8, 16, 3, -40}) {
      const std::uint64_t before = kept.columnsPainted();
      const auto panned = row(kept, 1000 + shift * 12.375);
      QVERIFY(kept.columnsPainted() - before <= 43);
      // A cache that starts on the same grid but never saw another place paints the same.
      timeline::RowCache fresh;
      fresh.alignTo({1000, 1000 + 12.375 * columns}, columns);
      QCOMPARE(panned, row(fresh, 1000 + shift * 12.375));
    }
  }

  void longEventsAreAllThatLastLongEnoughAndOverlapTheRange() {
    const auto trace = randomLane(4, 2000);
    const trace::SubLane& lane = stream(*trace);
    const std::int64_t end = trace->span().end.count();
    for (const std::int64_t minimum : {1, 20, 29, 500, 3000}) {
      for (const auto& [from, to] : {std::pair<std::int64_t, std::int64_t>{0, end}, {end / 3, end / 2}, {end / 2, end / 2 + 1}}) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < lane.size(); ++i) {
          if (lane.start(i).count() < to && lane.end(i).count() > from && lane.duration(i).count() >= minimum)
            expected.push_back(i);
        }
        const auto found = timeline::longEvents(lane, {Nanoseconds(from), Nanoseconds(to)}, Nanoseconds(minimum), 100'000);
        QVERIFY(found.has_value());
        QCOMPARE(*found, expected);
        if (expected.size() > 1)
          QVERIFY(!timeline::longEvents(lane, {Nanoseconds(from), Nanoseconds(to)}, Nanoseconds(minimum), expected.size() - 1));
      }
    }
  }

  void launchesAreCountedInTheBucketWhereTheyBegin() {
    TraceMaker maker;
    for (const std::int64_t at : {10, 11, 29, 30, 95}) maker.kernel("k", 1'000 + at * 10, 5, at);
    const auto trace = maker.make();
    const timeline::LaunchTimes launches(*trace);
    QCOMPARE(launches.counts(BucketGrid{{}, 0, 10}, 0, 11),
             (std::vector<std::uint32_t>{0, 2, 1, 1, 0, 0, 0, 0, 0, 1, 0}));
    QCOMPARE(launches.counts(BucketGrid{{}, 0, 1000}, -1, 2), (std::vector<std::uint32_t>{0, 5, 0}));
  }

  void theNextOfTheSameNameIsFoundInOtherSubLanesToo() {
    TraceMaker maker;
    // Overlapping events of one stream stand in two sub-lanes.
    maker.kernel("k", 0, 100).kernel("x", 200, 100).kernel("k", 250, 100).kernel("k", 400, 10);
    const auto trace = maker.make();
    std::vector<std::int64_t> starts;
    std::optional<trace::EventRef> at = trace::EventRef{static_cast<trace::LaneId>(0), 0, 0};
    for (; at; at = timeline::neighbourOfSameName(*trace, *at, 1)) starts.push_back(trace->interval(*at).start.count());
    QCOMPARE(starts, (std::vector<std::int64_t>{0, 250, 400}));
  }
};

QTEST_MAIN(LanePaintingTest)
#include "lane_painting_test.moc"

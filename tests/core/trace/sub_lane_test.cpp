#include "trace/sub_lane_split.h"
#include "trace/trace_builder.h"

#include <QtTest>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

using namespace threewalls;
using base::Interval;
using base::Nanoseconds;
using trace::RawEvent;
using trace::SubLane;

namespace {

const trace::LaneKey kThread{trace::LaneKind::HostThread, "1", "2", -1};

std::shared_ptr<const trace::Trace> build(const std::vector<RawEvent>& events) {
  trace::TraceBuilder builder;
  builder.intern("a name");
  const auto lane = builder.lane(kThread);
  for (const RawEvent& event : events) builder.add(lane, event);
  return std::move(builder).build();
}

RawEvent raw(std::int64_t start, std::int64_t duration, std::uint64_t offset = trace::kNoOffset) {
  RawEvent made;
  made.start = start;
  made.duration = duration;
  made.byteOffset = offset;
  made.kind = trace::EventKind::Operator;
  return made;
}

/// Overlaps, nests, repeats, some of no length, some beyond 32 bits; the offset tells events apart.
std::vector<RawEvent> randomEvents(std::mt19937_64& random, std::size_t count) {
  std::vector<RawEvent> events;
  for (std::size_t i = 0; i < count; ++i) {
    const auto start = static_cast<std::int64_t>(random() % 5000) - 1000;
    std::int64_t duration = static_cast<std::int64_t>(random() % 300);
    if (random() % 10 == 0) duration = 0;
    if (random() % 100 == 0) duration = 5'000'000'000 + static_cast<std::int64_t>(random() % 100);
    events.push_back(raw(start, duration, i));
  }
  return events;
}

}  // namespace

class SubLaneTest : public QObject {
  Q_OBJECT

 private slots:
  void keepsEveryEventAndNeverOverlapsWithinARow() {
    std::mt19937_64 random(3);
    for (const std::size_t count : {1U, 2U, 17U, 400U, 3000U}) {
      const std::vector<RawEvent> events = randomEvents(random, count);
      const auto trace = build(events);
      std::set<std::tuple<std::int64_t, std::int64_t, std::uint64_t>> found;
      for (const SubLane& row : trace->lanes().front().subLanes) {
        for (std::uint32_t i = 0; i < row.size(); ++i) {
          found.emplace(row.start(i).count(), row.duration(i).count(), row.byteOffset(i));
          if (i > 0) QVERIFY(row.start(i) >= row.end(i - 1));
        }
      }
      std::set<std::tuple<std::int64_t, std::int64_t, std::uint64_t>> given;
      for (const RawEvent& raw : events) given.emplace(raw.start, raw.duration, raw.byteOffset);
      QCOMPARE(found.size(), count);
      QVERIFY(found == given);
    }
  }

  void usesAsManyRowsAsEventsOverlapAtOnce() {
    std::mt19937_64 random(4);
    std::vector<RawEvent> events = randomEvents(random, 800);
    for (RawEvent& raw : events) raw.duration = std::max<std::int64_t>(raw.duration, 1);
    std::size_t deepest = 0;
    for (const RawEvent& at : events) {
      const auto open = std::count_if(events.begin(), events.end(), [&](const RawEvent& other) {
        return other.start <= at.start && at.start < other.start + other.duration;
      });
      deepest = std::max(deepest, static_cast<std::size_t>(open));
    }
    QCOMPARE(build(events)->lanes().front().subLanes.size(), deepest);
  }

  void putsNestedCallsAtTheirDepth() {
    const auto trace = build({raw(4, 2), raw(0, 10), raw(1, 8), raw(4, 1), raw(10, 3), raw(10, 3)});
    const auto& rows = trace->lanes().front().subLanes;
    QCOMPARE(rows.size(), std::size_t{4});
    QCOMPARE(rows[0].size(), 2U);                   // [0,10) and the first [10,13)
    QCOMPARE(rows[1].start(0), Nanoseconds(1));     // [1,9)
    QCOMPARE(rows[1].start(1), Nanoseconds(10));    // the second [10,13)
    QCOMPARE(rows[2].duration(0), Nanoseconds(2));  // [4,6) before its child [4,5)
    QCOMPARE(rows[3].duration(0), Nanoseconds(1));
  }

  void copesWithVeryManyRows() {
    std::vector<RawEvent> events;
    for (std::int64_t i = 0; i < 100'000; ++i) events.push_back(raw(i, 1'000'000));
    const std::vector<std::uint32_t> rows = trace::rowsOf(events, trace::StopCheck(base::Progress()));
    QCOMPARE(std::set<std::uint32_t>(rows.begin(), rows.end()).size(), events.size());
    QCOMPARE(rows.back(), 99'999U);
  }

  void findsEventsByTimeAndClipsTheEdgesOfARange() {
    std::mt19937_64 random(5);
    const auto trace = build(randomEvents(random, 2000));
    for (const SubLane& row : trace->lanes().front().subLanes) {
      for (int round = 0; round < 40; ++round) {
        const Nanoseconds a(static_cast<std::int64_t>(random() % 6000) - 1500);
        const Interval range{a, a + Nanoseconds(static_cast<std::int64_t>(random() % 2000))};
        std::uint32_t ending = 0;
        while (ending < row.size() && row.end(ending) <= range.start) ++ending;
        std::uint32_t starting = 0;
        while (starting < row.size() && row.start(starting) < range.end) ++starting;
        QCOMPARE(row.firstEndingAfter(range.start), ending);
        QCOMPARE(row.firstStartingAt(range.end), starting);

        Nanoseconds busy(0);
        Nanoseconds longest(0);
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < row.size() && !range.empty(); ++i) {
          if (row.end(i) <= range.start || row.start(i) >= range.end) continue;
          busy += std::min(row.end(i), range.end) - std::max(row.start(i), range.start);
          longest = std::max(longest, row.duration(i));
          ++count;
        }
        const trace::RangeSummary summary = row.summary(range);
        QCOMPARE(summary.busy.count(), busy.count());
        QCOMPARE(summary.longest.count(), longest.count());
        QCOMPARE(summary.count, count);
      }
    }
  }

  void clipsOneEventOnBothSides() {
    const auto trace = build({raw(100, 50)});
    const SubLane& row = trace->lanes().front().subLanes.front();
    const trace::RangeSummary summary = row.summary(Interval{Nanoseconds(110), Nanoseconds(120)});
    QCOMPARE(summary.busy, Nanoseconds(10));
    QCOMPARE(summary.longest, Nanoseconds(50));
    QCOMPARE(row.summary(Interval{Nanoseconds(150), Nanoseconds(160)}).count, 0U);
    QCOMPARE(row.summary(Interval{Nanoseconds(120), Nanoseconds(120)}).count, 0U);
  }

  void keepsColumnsExact() {
    RawEvent given = raw(-5, 9'000'000'000, (std::uint64_t{1} << 39) + 12345);
    given.kind = trace::EventKind::Other;
    given.flags = trace::event_flag::kRepaired;
    const auto trace = build({given});
    const SubLane& row = trace->lanes().front().subLanes.front();
    QCOMPARE(row.start(0), Nanoseconds(-5));
    QCOMPARE(row.duration(0), Nanoseconds(9'000'000'000));
    QCOMPARE(row.byteOffset(0), (std::uint64_t{1} << 39) + 12345);
    QCOMPARE(row.kind(0), trace::EventKind::Other);
    QCOMPARE(row.flags(0), trace::event_flag::kRepaired);
  }
};

QTEST_GUILESS_MAIN(SubLaneTest)
#include "sub_lane_test.moc"

#include "analysis/analysis.h"
#include "core/analysis/trace_maker.h"

#include <QtTest>

#include <limits>
#include <optional>
#include <random>

using namespace threewalls;
using analysis::Ledger;
using base::Interval;
using base::Nanoseconds;
using test::TraceMaker;
using trace::EventKind;

namespace {

constexpr int kEnd = 400;

enum class What { Compute, Communication, Graph, Memory };

struct Event {
  What what;
  int start;
  int end;
  std::optional<int> launch;
};

/// A random device recording and, beside it, the plain list it was made from.
struct Recording {
  std::vector<Event> events;
  std::vector<std::pair<int, int>> overhead;
  std::shared_ptr<const trace::Trace> trace;
};

Recording randomRecording(std::mt19937& random) {
  Recording out;
  TraceMaker maker;
  const auto below = [&](unsigned bound) { return static_cast<int>(random() % bound); };
  const int count = 1 + below(25);
  for (int i = 0; i < count; ++i) {
    Event event{static_cast<What>(below(4)), below(kEnd - 40), 0, std::nullopt};
    event.end = event.start + below(4) * below(10);                 // some have no length
    if (below(4) != 0) event.launch = event.start - below(60) + 5;  // some start before their call
    EventKind kind = EventKind::Kernel;
    std::string name = "nvjet_kernel";
    if (event.what == What::Communication) {
      const bool copy = below(3) == 0;
      name = copy ? "Memcpy PtoP (Device -> Device)" : "ncclDevKernel_AllReduce_Sum_f32";
      if (copy) kind = EventKind::MemoryCopy;
    } else if (event.what == What::Graph) {
      kind = EventKind::GraphSpan;
      name = "graph";
    } else if (event.what == What::Memory) {
      const bool set = below(2) == 0;
      kind = set ? EventKind::MemorySet : EventKind::MemoryCopy;
      name = set ? "Memset (Device)" : "a copy of some unknown name";
    } else if (below(3) == 0) {
      name = "a kernel that no rule names";
    }
    maker.gpu(kind, name, event.start, event.end - event.start, event.launch, 7 + below(3));
    out.events.push_back(event);
  }
  for (int i = below(3); i > 0; --i) {
    const int start = below(kEnd);
    const int length = below(40);
    maker.overhead(start, length);
    out.overhead.emplace_back(start, start + length);
  }
  out.trace = maker.make();
  return out;
}

/// The ledger by looking at every nanosecond on its own: the definition, word for word, with none of the set algebra.
Ledger countedNanosecondByNanosecond(const Recording& recording, int from, int to) {
  Ledger out;
  for (int t = from; t < to; ++t) {
    const auto runs = [&](What what) {
      return std::any_of(recording.events.begin(), recording.events.end(),
                         [&](const Event& e) { return e.what == what && e.start <= t && t < e.end; });
    };
    const bool k = runs(What::Compute), n = runs(What::Communication), g = runs(What::Graph), m = runs(What::Memory);
    const Nanoseconds one{1};
    out.duration += one;
    if (k || g) out.compute += one;
    if (g && !k) out.graph += one;
    if (n) out.communication += one;
    if (n && (k || g)) out.hidden += one;
    if (n && !k && !g) out.exposed += one;
    if (m && !k && !g && !n) out.memory += one;
    if (k || n || g || m) continue;
    out.idle += one;
    if (std::any_of(recording.overhead.begin(), recording.overhead.end(),
                    [&](const auto& row) { return row.first <= t && t < row.second; })) {
      out.profilerIdle += one;
      continue;
    }
    // The gap around t ends with the next start and began with the last end of everything that started before.
    int nextStart = std::numeric_limits<int>::max();
    int lastEnd = std::numeric_limits<int>::min();
    for (const Event& e : recording.events) {
      if (e.start > t) nextStart = std::min(nextStart, e.start);
      if (e.start <= t) lastEnd = std::max(lastEnd, e.end);
    }
    if (nextStart == std::numeric_limits<int>::max() || lastEnd == std::numeric_limits<int>::min()) continue;
    const bool launchedTooLate = std::all_of(recording.events.begin(), recording.events.end(), [&](const Event& e) {
      return e.start != nextStart || (e.launch && *e.launch >= lastEnd);
    });
    if (launchedTooLate) out.hostBoundIdle += one;
  }
  return out;
}

std::string shown(const Ledger& l) {
  std::string out;
  for (const Nanoseconds part : {l.duration, l.compute, l.graph, l.communication, l.hidden, l.exposed, l.memory, l.idle,
                                 l.hostBoundIdle, l.profilerIdle}) {
    out += std::to_string(part.count()) + " ";
  }
  return out;
}

Interval between(int start, int end) {
  return {Nanoseconds(start), Nanoseconds(end)};
}

analysis::DeviceOccupancy occupancyOf(const Recording& recording) {
  std::vector<trace::LaneId> streams;
  for (std::size_t i = 0; i < recording.trace->lanes().size(); ++i) {
    if (recording.trace->lanes()[i].key.kind == trace::LaneKind::GpuStream) streams.push_back(trace::LaneId(i));
  }
  const analysis::Classification classes(*recording.trace, analysis::ClassTable::builtIn());
  return {*recording.trace, streams, classes};
}

}  // namespace

class LedgerTest : public QObject {
  Q_OBJECT

 private slots:
  void theLedgerOfAnyRangeIsTheDefinitionCountedNanosecondByNanosecond() {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
      const Recording recording = randomRecording(random);
      const analysis::DeviceOccupancy occupancy = occupancyOf(recording);
      for (int range = 0; range < 4; ++range) {
        const int from = range == 0 ? 0 : static_cast<int>(random() % kEnd);
        const int to = range == 0 ? kEnd : static_cast<int>(random() % kEnd);
        const Ledger got = occupancy.ledger(between(from, to));
        const Ledger expected = countedNanosecondByNanosecond(recording, from, to);
        QVERIFY2(got == expected, ("\ngot      " + shown(got) + "\nexpected " + shown(expected)).c_str());
      }
    }
  }

  void partsAddUpExactlyAndStayWithinTheirWhole() {
    std::mt19937 random(12);
    for (int round = 0; round < 500; ++round) {
      const Recording recording = randomRecording(random);
      const int from = static_cast<int>(random() % kEnd);
      const Ledger l = occupancyOf(recording).ledger(between(from, from + static_cast<int>(random() % kEnd)));
      QCOMPARE(l.duration, l.compute + l.exposed + l.memory + l.idle);
      QCOMPARE(l.communication, l.hidden + l.exposed);
      QVERIFY(l.graph <= l.compute && l.otherIdle().count() >= 0 && l.memory.count() >= 0 && l.idle.count() >= 0);
      Nanoseconds sum{0};
      for (const analysis::LedgerPart p : analysis::kLedgerParts) sum += part(l, p);
      QCOMPARE(sum, l.duration);
    }
  }

  void adjacentRangesAddUp() {
    std::mt19937 random(13);
    for (int round = 0; round < 500; ++round) {
      const analysis::DeviceOccupancy occupancy = occupancyOf(randomRecording(random));
      const int cut = static_cast<int>(random() % kEnd);
      Ledger sum = occupancy.ledger(between(0, cut));
      sum += occupancy.ledger(between(cut, kEnd));
      QVERIFY(sum == occupancy.ledger(between(0, kEnd)));
    }
  }

  void theGapBeforeTheFirstEventIsNeverHostBound() {
    TraceMaker maker;
    maker.kernel("k", 100, 10, 90).kernel("k", 150, 10, 120);
    const auto analysis = analysis::analyze(maker.make());
    const analysis::DeviceOccupancy& occupancy = analysis->lanes[0].occupancy;
    QCOMPARE(occupancy.ledger(between(0, 110)).hostBoundIdle.count(), 0);
    QCOMPARE(occupancy.ledger(between(0, 160)).hostBoundIdle.count(), 40);
  }

  void idleUnderTheProfilerIsNotTheHosts() {
    TraceMaker maker;
    maker.kernel("k", 0, 10, 0).kernel("k", 100, 10, 90).overhead(20, 30);
    const auto analysis = analysis::analyze(maker.make());
    const Ledger ledger = analysis->totals;
    QCOMPARE(ledger.idle.count(), 90);
    QCOMPARE(ledger.profilerIdle.count(), 30);
    QCOMPARE(ledger.hostBoundIdle.count(), 60);
    QCOMPARE(ledger.otherIdle().count(), 0);
  }

  void theProfilersRowsOfAnotherProcessDoNotCount() {
    trace::TraceBuilder builder;
    const auto add = [&](trace::LaneKind kind, const char* process, int device, std::int64_t start, EventKind event) {
      builder.add(builder.lane({kind, process, "1", device}), {start, 10, trace::kNoOffset, -1, builder.intern("x"), event, 0});
    };
    for (const std::int64_t start : {0, 100}) {
      add(trace::LaneKind::GpuStream, "11", 0, start, EventKind::Kernel);
      add(trace::LaneKind::GpuStream, "22", 1, start, EventKind::Kernel);
    }
    add(trace::LaneKind::Overhead, "11", -1, 50, EventKind::Overhead);
    const auto analysis = analysis::analyze(std::move(builder).build());
    QCOMPARE(analysis->lanes.at(0).totals.profilerIdle.count(), 10);
    QCOMPARE(analysis->lanes.at(1).totals.profilerIdle.count(), 0);
  }

  void anEmptyRangeHasAnEmptyLedger() {
    TraceMaker maker;
    maker.kernel("k", 0, 10);
    const auto analysis = analysis::analyze(maker.make());
    QVERIFY(analysis->lanes[0].occupancy.ledger(between(5, 5)) == Ledger());
    QVERIFY(analysis->lanes[0].occupancy.ledger(between(9, 2)) == Ledger());
    QVERIFY(analysis::DeviceOccupancy().ledger(between(0, 7)).idle == Nanoseconds(7));
  }
};

QTEST_GUILESS_MAIN(LedgerTest)
#include "ledger_test.moc"

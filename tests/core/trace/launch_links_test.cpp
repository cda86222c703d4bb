#include "trace/trace_builder.h"

#include <QtTest>

using namespace threewalls;
using base::Nanoseconds;
using trace::EventKind;
using trace::EventRef;
using trace::LaneKind;
using trace::RawEvent;

namespace {

const trace::LaneKey kHost{LaneKind::HostThread, "415", "415", -1};
const trace::LaneKey kStream{LaneKind::GpuStream, "", "7", 0};

RawEvent event(std::int64_t start, std::int64_t duration, std::int64_t correlation, EventKind kind) {
  RawEvent raw;
  raw.start = start;
  raw.duration = duration;
  raw.correlation = correlation;
  raw.kind = kind;
  return raw;
}

struct Given {
  trace::TraceBuilder builder;
  Given() { builder.intern("x"); }
  Given& call(std::int64_t start, std::int64_t correlation, const trace::LaneKey& key = kHost) {
    builder.add(builder.lane(key), event(start, 5, correlation, EventKind::RuntimeCall));
    return *this;
  }
  Given& kernel(std::int64_t start, std::int64_t correlation, const trace::LaneKey& key = kStream, std::int64_t duration = 10) {
    builder.add(builder.lane(key), event(start, duration, correlation, EventKind::Kernel));
    return *this;
  }
  std::shared_ptr<const trace::Trace> trace() { return std::move(builder).build(); }
};

/// GPU lanes come first in display order.
EventRef gpu(std::uint32_t index, std::uint32_t lane = 0) {
  return {trace::LaneId(lane), 0, index};
}

std::optional<std::int64_t> launchStart(const trace::Trace& trace, const EventRef& ref) {
  const auto call = trace.launchOf(ref);
  if (!call) return std::nullopt;
  return trace.interval(*call).start.count();
}

}  // namespace

class LaunchLinksTest : public QObject {
  Q_OBJECT

 private slots:
  void tiesGpuEventsToTheirCalls() {
    const auto trace = Given().call(0, 1).call(10, 2).kernel(20, 1).kernel(40, 2).kernel(60, 3).trace();
    QCOMPARE(launchStart(*trace, gpu(0)), std::optional<std::int64_t>(0));
    QCOMPARE(launchStart(*trace, gpu(1)), std::optional<std::int64_t>(10));
    QVERIFY(!trace->launchOf(gpu(2)));
    QCOMPARE(trace->diagnostics().count("gpu_event_without_launch"), std::uint64_t{1});
    QCOMPARE(trace->launches().size(), std::size_t{2});
  }

  void findsAllThatAGraphLaunchStarted() {
    const trace::LaneKey other{LaneKind::GpuStream, "", "20", 0};
    const auto trace = Given().call(0, 9).kernel(50, 9).kernel(20, 9, other).kernel(80, 9).kernel(100, 4).trace();
    const EventRef call = *trace->launchOf(gpu(0));
    const std::vector<EventRef> launched = trace->launchedBy(call);
    QCOMPARE(launched.size(), std::size_t{3});
    QCOMPARE(trace->interval(launched[0]).start, Nanoseconds(20));
    QCOMPARE(trace->interval(launched[2]).start, Nanoseconds(80));
    QVERIFY(trace->launchedBy(gpu(0)).empty());
  }

  void takesTheLastOfSeveralCallsThatStartsBeforeTheGpuEvent() {
    const auto trace = Given().call(0, 1).call(30, 1).call(60, 1).kernel(40, 1).kernel(100, 1).trace();
    QCOMPARE(launchStart(*trace, gpu(0)), std::optional<std::int64_t>(30));
    QCOMPARE(launchStart(*trace, gpu(1)), std::optional<std::int64_t>(60));
    QCOMPARE(trace->diagnostics().count("duplicate_correlation"), std::uint64_t{1});
  }

  void takesTheFirstCallWhenTheGpuEventStartsBeforeAll() {
    const auto trace = Given().call(50, 1).call(70, 1).kernel(40, 1).trace();
    QCOMPARE(launchStart(*trace, gpu(0)), std::optional<std::int64_t>(50));
    QCOMPARE(trace->diagnostics().count("negative_launch_latency"), std::uint64_t{1});
  }

  void neverJoinsAcrossProcesses() {
    const trace::LaneKey hostB{LaneKind::HostThread, "9", "9", -1};
    const trace::LaneKey streamB{LaneKind::GpuStream, "9", "7", 1};
    const auto trace = Given().call(0, 1).call(5, 1, hostB).kernel(20, 1).kernel(20, 1, streamB).trace();
    QVERIFY(!trace->launchOf(gpu(0)));  // two processes: nobody knows whose stream this is
    QCOMPARE(launchStart(*trace, gpu(0, 1)), std::optional<std::int64_t>(5));
    QCOMPARE(trace->diagnostics().count("duplicate_correlation"), std::uint64_t{0});
  }

  void findsEachOfManyCallsInAnyOrder() {
    Given given;
    for (std::int64_t i = 0; i < 5000; ++i) given.call(i * 10, (i * 7919) % 5000);
    for (std::int64_t i = 0; i < 5000; ++i) given.kernel(100'000 + i * 10, (i * 104729) % 5000);
    const auto trace = given.trace();
    std::vector<std::int64_t> startOf(5000);
    for (std::int64_t i = 0; i < 5000; ++i) startOf[static_cast<std::size_t>((i * 7919) % 5000)] = i * 10;
    for (std::int64_t i = 0; i < 5000; ++i) {
      QCOMPARE(launchStart(*trace, gpu(static_cast<std::uint32_t>(i))),
               std::optional<std::int64_t>(startOf[static_cast<std::size_t>((i * 104729) % 5000)]));
    }
  }

  void countsOverlapsWithinAStream() {
    const auto trace = Given().kernel(0, -1).kernel(8, -1).kernel(20, -1).trace();
    QCOMPARE(trace->diagnostics().count("same_stream_overlap"), std::uint64_t{1});
    QCOMPARE(trace->lanes().front().subLanes.size(), std::size_t{2});
  }

  void flagsStrayDurationsAndStatesTheirShare() {
    Given given;
    for (std::int64_t i = 0; i < 2999; ++i) given.kernel(i * 20, -1);
    given.kernel(2001, -1, kStream, 30'000);
    const auto trace = given.trace();
    QCOMPARE(trace->diagnostics().count("stray_duration"), std::uint64_t{1});
    QCOMPARE(trace->diagnostics().count("same_stream_overlap"), std::uint64_t{1});  // the stray itself began within a kernel
    std::uint64_t flagged = 0;
    for (const trace::SubLane& row : trace->lanes().front().subLanes) {
      for (std::uint32_t i = 0; i < row.size(); ++i) {
        if ((row.flags(i) & trace::event_flag::kStray) == 0) continue;
        ++flagged;
        QCOMPARE(row.duration(i), Nanoseconds(30'000));
      }
    }
    QCOMPARE(flagged, std::uint64_t{1});
    const auto& entries = trace->diagnostics().entries();
    const auto stray = std::find_if(entries.begin(), entries.end(), [](const auto& d) { return d.code == "stray_duration"; });
    QVERIFY(stray->message.find("50.0 %") != std::string::npos);  // 30,000 of 59,990
  }

  void believesALongEventThatCoversNoOther() {
    Given given;
    for (std::int64_t i = 0; i < 2999; ++i) given.kernel(i * 20, -1);
    given.kernel(100'000, -1, kStream, 30'000);
    QCOMPARE(given.trace()->diagnostics().count("stray_duration"), std::uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(LaunchLinksTest)
#include "launch_links_test.moc"

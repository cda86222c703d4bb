#include "trace/trace_builder.h"
#include "support/synthetic_trace.h"
#include "trace/natural_order.h"

#include <QtTest>

using namespace threewalls;
using trace::EventKind;
using trace::LaneKind;
using trace::RawEvent;

class TraceBuilderTest : public QObject {
  Q_OBJECT

 private slots:
  void ordersLanesForDisplayAndDropsEmptyOnes() {
    trace::TraceBuilder builder;
    const RawEvent event{0, 5, trace::kNoOffset, -1, builder.intern("x"), EventKind::Other, 0};
    const auto host = builder.lane({LaneKind::HostThread, "20", "20", -1});
    const auto late = builder.lane({LaneKind::HostThread, "3", "3", -1});
    const auto stream10 = builder.lane({LaneKind::GpuStream, "", "10", 0});
    const auto stream7 = builder.lane({LaneKind::GpuStream, "", "7", 0});
    const auto other = builder.lane({LaneKind::GpuStream, "", "7", 1});
    builder.lane({LaneKind::GpuSync, "", "7", 1});
    QCOMPARE(builder.lane({LaneKind::HostThread, "20", "20", -1}), host);
    builder.setLabels(host, "thread 20 (python3)", "python3 20");
    builder.setSortOrder(late, 1, 0);
    for (const auto lane : {host, late, stream10, stream7, other}) builder.add(lane, event);
    const auto trace = std::move(builder).build();
    std::vector<std::string> labels;
    for (const trace::Lane& lane : trace->lanes()) labels.push_back(lane.processLabel + "/" + lane.label);
    QCOMPARE(labels, (std::vector<std::string>{"GPU 0/stream 7", "GPU 0/stream 10", "GPU 1/stream 7",
                                               "python3 20/thread 20 (python3)", "process 3/thread 3"}));
    QCOMPARE(trace->lanes()[1].stream, std::optional<std::int64_t>(10));
    QVERIFY(!trace->lanes()[3].stream);
  }

  void comparesDigitsAsNumbers() {
    QVERIFY(trace::compareNatural("stream 7", "stream 10") < 0);
    QVERIFY(trace::compareNatural("stream 18446744073709551615", "stream 9223372036854775807") > 0);
    QVERIFY(trace::compareNatural("a7b", "a7") > 0);
    QVERIFY(trace::compareNatural("a07", "a7") != 0);
    QCOMPARE(trace::compareNatural("a7", "a7"), 0);
    QCOMPARE(trace::compareNatural("", ""), 0);
  }

  void isTheSameWhateverTheOrderAndThePartsEventsComeIn() {
    std::vector<RawEvent> events;
    for (std::uint64_t i = 0; i < 500; ++i) {
      events.push_back({static_cast<std::int64_t>(i * 37 % 100), static_cast<std::int64_t>(i % 9), i, -1, trace::NameId(0),
                        EventKind::Operator, 0});
    }
    const trace::LaneKey key{LaneKind::HostThread, "1", "1", -1};
    trace::TraceBuilder oneByOne;
    oneByOne.intern("x");
    for (const RawEvent& event : events) oneByOne.add(oneByOne.lane(key), event);
    trace::TraceBuilder inParts;
    inParts.intern("x");
    const auto lane = inParts.lane(key);
    inParts.add(lane, std::vector<RawEvent>(events.rbegin(), events.rbegin() + 200));
    for (std::size_t i = 0; i < 100; ++i) inParts.add(lane, events[i]);
    inParts.add(lane, std::vector<RawEvent>(events.begin() + 100, events.begin() + 300));
    const auto a = std::move(oneByOne).build();
    const auto b = std::move(inParts).build();
    QCOMPARE(a->eventCount(), b->eventCount());
    QCOMPARE(a->lanes()[0].subLanes.size(), b->lanes()[0].subLanes.size());
    for (std::size_t s = 0; s < a->lanes()[0].subLanes.size(); ++s) {
      const trace::SubLane& left = a->lanes()[0].subLanes[s];
      const trace::SubLane& right = b->lanes()[0].subLanes[s];
      QCOMPARE(left.size(), right.size());
      for (std::uint32_t i = 0; i < left.size(); ++i) QCOMPARE(left.byteOffset(i), right.byteOffset(i));
    }
  }

  void givesAnEmptyTraceForNoEvents() {
    const auto trace = trace::TraceBuilder().build();
    QCOMPARE(trace->eventCount(), std::uint64_t{0});
    QVERIFY(trace->span().empty());
    QVERIFY(trace->lanes().empty());
  }

  void stopsWithinTheSortOfOneLargeLane() {
    std::stop_source stop;
    stop.request_stop();
    trace::TraceBuilder builder;
    const auto lane = builder.lane({LaneKind::HostThread, "1", "1", -1});
    for (std::int64_t i = 0; i < 100'000; ++i) {
      builder.add(lane, RawEvent{i * 7919 % 100'000, 1, trace::kNoOffset, -1, trace::NameId(0), EventKind::Operator, 0});
    }
    QVERIFY(std::move(builder).build(base::Progress(stop.get_token(), {})) == nullptr);
  }

  void saysThatAnEventWithoutTextHasNone() {
    const auto trace = test::syntheticTrace(1000);
    QVERIFY(!trace->rawJson({trace::LaneId(0), 0, 0}));
  }

  void staysUnderTheCeilingOf32BytesAnEventThoughAQuarterOfAllAreLaunches() {
    const auto trace = test::syntheticTrace(200'000);
    QCOMPARE(trace->lanes().size(), std::size_t{64});
    QVERIFY(trace->eventCount() > 190'000 && trace->eventCount() < 210'000);
    QCOMPARE(trace->diagnostics().count("gpu_event_without_launch"), std::uint64_t{0});
    QCOMPARE(trace->diagnostics().count("negative_launch_latency"), std::uint64_t{0});
    QCOMPARE(trace->launches().size(), static_cast<std::size_t>(trace->gpuEventCount()));
    QVERIFY2(static_cast<double>(trace->bytes()) < 32.0 * static_cast<double>(trace->eventCount()),
             qPrintable(QString::number(static_cast<double>(trace->bytes()) / static_cast<double>(trace->eventCount()))));
  }
};

QTEST_GUILESS_MAIN(TraceBuilderTest)
#include "trace_builder_test.moc"

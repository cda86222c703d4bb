#include "trace/kineto_reader.h"
#include "trace/open.h"
#include "trace_text.h"

#include <QtTest>

#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <set>

using namespace threewalls;
using base::Nanoseconds;
using test::completeEvent;
using test::document;
using test::json;
using trace::EventKind;
using trace::LaneKind;

namespace {

std::shared_ptr<const trace::Trace> opened(const std::string& path, const trace::ReadOptions& options = {}) {
  const auto result = trace::readTrace(path, {}, options);
  if (!result) qWarning("%s", result.error().text().c_str());
  return result ? *result : nullptr;
}

std::shared_ptr<const trace::Trace> openedText(const std::string& text) {
  const test::Folder folder;
  return opened(folder.write("t.json", text));
}

std::string op(const std::string& name, int start, int length) {
  return completeEvent("cpu_op", name, "1", "1", std::to_string(start), std::to_string(length));
}

Nanoseconds startOf(const trace::Trace& trace, std::string_view name) {
  const auto found = test::eventsNamed(trace, name);
  return found.empty() ? Nanoseconds(-1) : trace.interval(found.front()).start;
}

Nanoseconds lengthOf(const trace::Trace& trace, std::string_view name) {
  const auto found = test::eventsNamed(trace, name);
  return found.empty() ? Nanoseconds(-1) : trace.interval(found.front()).length();
}

const trace::Lane* laneOfKind(const trace::Trace& trace, LaneKind kind) {
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.key.kind == kind) return &lane;
  }
  return nullptr;
}

}  // namespace

class KinetoReaderTest : public QObject {
  Q_OBJECT

 private slots:
  void readsTimesToTheNanosecondWhereADoubleCannot() {
    // 2^53 µs is 9.007e15; Unix time in ns is beyond 2^53, too.
    const auto trace = openedText(document({completeEvent("cpu_op", "a", "1", "1", "1695835542514261.001", "0.999"),
                                            completeEvent("cpu_op", "b", "1", "1", "1695835542514263.0024", "1.0006"),
                                            completeEvent("cpu_op", "c", "1", "1", "1.5e3", "25E-1"),
                                            completeEvent("cpu_op", "d", "1", "1", "-0.25", "0")}));
    QCOMPARE(startOf(*trace, "a").count(), 1695835542514261001);
    QCOMPARE(lengthOf(*trace, "a").count(), 999);
    QCOMPARE(startOf(*trace, "b").count(), 1695835542514263002);
    QCOMPARE(lengthOf(*trace, "b").count(), 1001);
    QCOMPARE(startOf(*trace, "c").count(), 1'500'000);
    QCOMPARE(lengthOf(*trace, "c").count(), 2500);
    QCOMPARE(startOf(*trace, "d").count(), -250);
  }

  void sortsEventsIntoLanesByCategory() {
    const auto trace = openedText(document({
        completeEvent("kernel", "k", "0", "7", "10", "1", "\"correlation\": 5"),
        completeEvent("gpu_memcpy", "c", "0", "7", "12", "1"),
        completeEvent("gpu_memset", "s", "0", "7", "14", "1"),
        completeEvent("gpu_user_annotation", "g", "0", "7", "10", "5"),
        completeEvent("cuda_sync", "y", "0", "7", "16", "1"),
        completeEvent("cuda_runtime", "r", "1", "2", "1", "1", "\"correlation\": 5"),
        completeEvent("cuda_driver", "d", "1", "2", "3", "1"),
        completeEvent("user_annotation", "u", "1", "2", "0", "9"),
        completeEvent("python_function", "p", "1", "2", "5", "1"),
        completeEvent("cpu_op", "stream", "1", "2", "7", "1", "\"stream\": 7"),
        completeEvent("overhead", "o", "-1", "0", "0", "1"),
        completeEvent("mtia_ccp_events", "m", "9", "9", "0", "1"),
        completeEvent("Trace", "span", "\"Spans\"", "\"PyTorch Profiler\"", "0", "99"),
    }));
    QCOMPARE(trace->eventCount(), std::uint64_t{12});
    QCOMPARE(trace->gpuEventCount(), std::uint64_t{3});
    QCOMPARE(trace->info().format, std::string("kineto"));
    const std::vector<std::pair<std::string, EventKind>> kinds = {
        {"k", EventKind::Kernel},        {"c", EventKind::MemoryCopy}, {"s", EventKind::MemorySet},
        {"g", EventKind::GpuAnnotation}, {"y", EventKind::GpuSync},    {"r", EventKind::RuntimeCall},
        {"d", EventKind::DriverCall},    {"u", EventKind::Annotation}, {"p", EventKind::PythonFunction},
        {"stream", EventKind::Operator}, {"o", EventKind::Overhead},   {"m", EventKind::Other}};
    for (const auto& [name, kind] : kinds) QCOMPARE(trace->kind(test::eventsNamed(*trace, name).front()), kind);
    QCOMPARE(laneOfKind(*trace, LaneKind::GpuStream)->eventCount(), std::size_t{3});
    QCOMPARE(laneOfKind(*trace, LaneKind::GpuStream)->key.device, 0);
    QCOMPARE(laneOfKind(*trace, LaneKind::GpuStream)->stream, std::optional<std::int64_t>(7));
    QCOMPARE(laneOfKind(*trace, LaneKind::HostThread)->eventCount(), std::size_t{5});
    QVERIFY(laneOfKind(*trace, LaneKind::GpuAnnotation) != nullptr && laneOfKind(*trace, LaneKind::GpuSync) != nullptr);
    QVERIFY(laneOfKind(*trace, LaneKind::Overhead) != nullptr && laneOfKind(*trace, LaneKind::Other) != nullptr);
    const auto kernel = test::eventsNamed(*trace, "k").front();
    QCOMPARE(std::string(trace->name(*trace->launchOf(kernel))), std::string("r"));
  }

  void readsTheNamesOf2021AndOfRocm() {
    const auto trace = openedText(document({
        completeEvent("Kernel", "old kernel", "0", "\"stream 7\"", "10", "1", "\"correlation\": 5"),
        completeEvent("Runtime", "cudaLaunchKernel", "\"25738\"", "\"25738\"", "1", "1", "\"correlation\": 5"),
        completeEvent("kernel", "Cijk_Alik_Bljk", "3", "0", "10", "1", "\"device\": 3, \"stream\": 0, \"correlation\": 6"),
        completeEvent("cuda_runtime", "hipExtModuleLaunchKernel", "25738", "25738", "3", "1", "\"correlation\": 6"),
    }));
    QCOMPARE(trace->launches().size(), std::size_t{2});
    QCOMPARE(trace->lanes().size(), std::size_t{3});  // the host thread is one, as text and as number
    QCOMPARE(trace->lanes()[0].label, std::string("stream 7"));
    QCOMPARE(trace->lanes()[1].key.device, 3);
  }

  void pairsBeginAndEndEventsByThread() {
    const auto b = [](const char* name, int tid, int ts) {
      return json("{'ph':'B','cat':'cpu_op','name':'" + std::string(name) + "','pid':1,'tid':" + std::to_string(tid) +
                  ",'ts':" + std::to_string(ts) + "}");
    };
    const auto e = [](int tid, int ts) {
      return json("{'ph':'E','pid':1,'tid':" + std::to_string(tid) + ",'ts':" + std::to_string(ts) + "}");
    };
    const auto trace = openedText(document({b("outer", 1, 0), b("other", 2, 1), b("inner", 1, 2), e(1, 5), e(2, 6), e(1, 9),
                                            e(1, 10), b("open", 1, 20), b("last", 1, 21), e(1, 30)}));
    QCOMPARE(lengthOf(*trace, "outer"), Nanoseconds(9000));
    QCOMPARE(lengthOf(*trace, "inner"), Nanoseconds(3000));
    QCOMPARE(lengthOf(*trace, "other"), Nanoseconds(5000));
    QCOMPARE(lengthOf(*trace, "last"), Nanoseconds(9000));
    QCOMPARE(lengthOf(*trace, "open"), Nanoseconds(10000));
    QCOMPARE(test::eventsNamed(*trace, "inner").front().subLane, 1U);
    QCOMPARE(trace->diagnostics().count("unmatched_end"), std::uint64_t{1});
    QCOMPARE(trace->diagnostics().count("unfinished_begin"), std::uint64_t{1});
  }

  void tiesGpuEventsWithoutCorrelationByTheirFlows() {
    const auto flow = [](const char* ph, const char* cat, const char* pid, const char* tid, int ts, int id) {
      return json("{'ph':'" + std::string(ph) + "','cat':'" + cat + "','name':'x','pid':" + pid + ",'tid':" + tid +
                  ",'ts':" + std::to_string(ts) + ",'id':" + std::to_string(id) + "}");
    };
    const std::vector<std::string> events = {completeEvent("cuda_runtime", "first", "1", "1", "10", "2"),
                                             completeEvent("cuda_runtime", "second", "1", "1", "20", "2"),
                                             completeEvent("kernel", "k", "0", "7", "30", "2"),
                                             flow("s", "ac2g", "1", "1", 20, 77),
                                             flow("s", "fwdbwd", "1", "1", 10, 77),
                                             flow("f", "ac2g", "0", "7", 30, 77)};
    const auto trace = openedText(document(events));
    const auto call = trace->launchOf(test::eventsNamed(*trace, "k").front());
    QVERIFY(call.has_value());
    QCOMPARE(std::string(trace->name(*call)), std::string("second"));
  }

  void takesMetadataFromBothSidesOfTheEventsButNoNames() {
    const auto trace = openedText(document(
        {op("a", 0, 1)},
        json("'schemaVersion': 1, 'distributedInfo': {'backend': 'nccl', 'rank': 3, 'world_size': 8}, 'host_name': 'h', "),
        json(", 'baseTimeNanoseconds': 1727743122000000000, 'username': 'u', 'trace_id': 'ab}c', 'traceEventsX': [1, {}],"
             "'deviceProperties': [{'id': 0, 'name': 'NVIDIA H200', 'totalGlobalMem': 150109880320, 'numSms': 132}, {'id': 1,"
             "'name': ''}]")));
    const trace::TraceInfo& info = trace->info();
    QCOMPARE(info.rank, std::optional<int>(3));
    QCOMPARE(info.worldSize, std::optional<int>(8));
    QCOMPARE(info.baseTimeNanoseconds, std::optional<std::int64_t>(1727743122000000000));
    QCOMPARE(info.devices.size(), std::size_t{2});
    QCOMPARE(info.devices[0].memoryBytes, std::uint64_t{150109880320});
    QCOMPARE(info.devices[0].multiprocessors, 132);
    QCOMPARE(info.metadata.at("trace_id"), std::string("ab}c"));
    QVERIFY(info.metadata.count("host_name") == 0 && info.metadata.count("username") == 0);
  }

  void labelsAndOrdersLanesByMetadataEvents() {
    const auto trace = openedText(document({
        op("a", 0, 1),
        completeEvent("cpu_op", "b", "1", "2", "0", "1"),
        json("{'ph':'M','name':'process_name','pid':1,'tid':0,'args':{'name':'python3'}}"),
        json("{'ph':'M','name':'thread_name','pid':1,'tid':1,'args':{'name':'thread 1 (pt_autograd_0)'}}"),
        json("{'ph':'M','name':'thread_name','pid':1,'tid':1,'args':{'name':'thread 1 (python3)'}}"),
        json("{'ph':'M','name':'thread_sort_index','pid':1,'tid':1,'args':{'sort_index':5}}"),
    }));
    QCOMPARE(trace->lanes()[0].label, std::string("thread 2"));
    QCOMPARE(trace->lanes()[1].label, std::string("thread 1 (pt_autograd_0)"));
    QCOMPARE(trace->lanes()[1].processLabel, std::string("python3 1"));
  }

  void givesEachEventsOwnText() {
    const test::Folder folder;
    const std::vector<std::string> events = test::awkwardEvents(70);
    const auto trace = opened(folder.write("t.json", document(events)), {2, 256});
    std::set<std::string> texts;
    for (std::size_t l = 0; l < trace->lanes().size(); ++l) {
      for (std::size_t s = 0; s < trace->lanes()[l].subLanes.size(); ++s) {
        for (std::uint32_t i = 0; i < trace->lanes()[l].subLanes[s].size(); ++i) {
          texts.insert(trace->rawJson({trace::LaneId(static_cast<std::uint32_t>(l)), static_cast<std::uint32_t>(s), i}).value());
        }
      }
    }
    std::set<std::string> written;
    for (const std::string& event : events) {
      if (event.find("\"X\", \"cat\"") < 20 || event.find("\"ph\":\"B\"") == 1) written.insert(event);
    }
    QVERIFY(texts == written);
  }

  void isTheSameForAnyPieceSizeAndNumberOfThreads() {
    const test::Folder folder;
    const std::string path = folder.write("t.json", document(test::awkwardEvents(700), "", json(", 'traceName': 'x'")));
    const std::string whole = test::dump(*opened(path, {1, 64 << 20}));
    QVERIFY(whole.find("no event\"},{") != std::string::npos);
    for (const std::size_t bytes : {16U, 100U, 333U, 1000U, 5000U, 40'000U}) {
      for (const unsigned threads : {1U, 2U, 4U}) QCOMPARE(test::dump(*opened(path, {threads, bytes})), whole);
    }
    const std::string packed =
        folder.write("t.json.gz", test::gzip(document(test::awkwardEvents(700), "", json(", 'traceName': 'x'"))));
    const auto inflated = opened(packed, {2, 1000});
    QCOMPARE(inflated->eventCount(), opened(path)->eventCount());
  }

  void readsTheAwkwardEventsAsTheyWereMeant() {
    const auto trace = openedText(document(test::awkwardEvents(700)));
    QCOMPARE(trace->eventCount(), std::uint64_t{400});  // X of three kinds and B with E, 100 each
    QCOMPARE(trace->gpuEventCount(), std::uint64_t{100});
    QCOMPARE(trace->launches().size(), std::size_t{100});
    QVERIFY(!test::eventsNamed(*trace, "C:\\temp\\").empty());
    QVERIFY(!test::eventsNamed(*trace, "},{\"ph\": \"X\", \"name\": \"no event\"},{").empty());
    QVERIFY(!test::eventsNamed(*trace, "Ἑλλάς 🚀 🚀").empty());
    QCOMPARE(trace->diagnostics().entries().size(), std::size_t{0});
  }

  void cutShortItKeepsAllCompleteEventsWhereverTheCutIs() {
    const test::Folder folder;
    const std::vector<std::string> events = test::awkwardEvents(28);
    const std::string text = document(events);
    std::vector<std::size_t> ends;
    for (std::size_t at = text.find('['), i = 0; i < events.size(); ++i) {
      at = text.find(events[i], at) + events[i].size();
      ends.push_back(at);
    }
    for (std::size_t size = text.find('[') + 1; size < ends.back(); size += 7) {
      const auto trace = opened(folder.write("t.json", text.substr(0, size)), {1, 700});
      QVERIFY(trace != nullptr);
      const auto complete =
          static_cast<std::size_t>(std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= size; }));
      std::uint64_t expected = 0;  // B counts with or without its E
      for (std::size_t i = 0; i < complete; ++i) expected += i % 7 < 4 ? 1 : 0;
      QCOMPARE(trace->eventCount(), expected);
      QVERIFY(trace->diagnostics().count("truncated_text") + trace->diagnostics().count("missing_bracket") == 1);
    }
  }

  void repairsAndCounts_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("offset");
    QTest::addColumn<int>("events");
    const auto row = [](const char* tag, const std::string& text, const char* code, int count, std::size_t offset, int events) {
      QTest::newRow(tag) << QByteArray(text.data(), static_cast<qsizetype>(text.size())) << QByteArray(code) << count
                         << static_cast<int>(offset) << events;
    };
    const std::string a = op("a", 0, 5);
    const std::string b = op("b", 10, 5);
    const std::string good = document({a, b});
    const auto with = [&](const std::string& event) { return document({a, event, b}); };
    const std::size_t second = document({a}).find(a) + a.size() + 4;  // of an event behind a
    row("byte order mark", "\xEF\xBB\xBF" + good, "byte_order_mark", 1, 0, 2);
    row("trailing text", good + "// the end", "trailing_text", 1, good.rfind('}') + 1, 2);
    row("missing duration", with(completeEvent("cpu_op", "x", "1", "1", "6", "")), "missing_duration", 1, second, 3);
    row("negative duration", with(op("x", 6, -2)), "negative_duration", 1, second, 3);
    row("text numbers", with(completeEvent("cpu_op", "x", "1", "1", "\"6\"", "\"1.5\"")), "text_number", 2, second, 3);
    row("NaN time", with(completeEvent("cpu_op", "x", "1", "1", "NaN", "1")), "bad_number", 1, second, 2);
    row("NaN duration", with(completeEvent("cpu_op", "x", "1", "1", "6", "NaN")), "bad_number", 1, second, 3);
    row("time out of range", with(completeEvent("cpu_op", "x", "1", "1", "1e300", "1")), "time_out_of_range", 1, second, 2);
    row("duration out of range", with(completeEvent("cpu_op", "x", "1", "1", "6", "99999999999999999999999")),
        "time_out_of_range", 1, second, 3);
    const std::string noTime = json("{'ph':'X','cat':'cpu_op','name':'x','dur':1}");
    row("missing time", with(noTime), "missing_time", 1, second, 2);
    const std::string twice = json("{'ph':'X','cat':'cpu_op','name':'x','name':'y','pid':1,'tid':1,'ts':6,'dur':1}");
    row("duplicate key", with(twice), "duplicate_key", 1, second + twice.rfind("\"name\""), 3);
    row("NaN argument", with(completeEvent("gpu_memcpy", "x", "0", "7", "6", "0", "\"bandwidth\": -Infinity")),
        "not_a_number_token", 1,
        with(completeEvent("gpu_memcpy", "x", "0", "7", "6", "0", "\"bandwidth\": -Infinity")).find("-Inf"), 3);
    const std::string control = with(op("x\ny\x01z", 6, 1));
    row("control characters", control, "control_character", 2, control.find("x\ny") + 1, 3);
    const std::string bytes = with(op("x\xFF\xC3(", 6, 1));
    row("bad UTF-8", bytes, "invalid_utf8", 2, bytes.find('\xFF'), 3);
    row("number in the list", with("17"), "not_an_event", 1, second, 2);
    row("counter", with(json("{'ph':'C','name':'x','pid':1,'ts':6,'args':{'v':1}}")), "counter_event", 1, second, 2);
    row("async", with(json("{'ph':'b','id':1,'name':'x','pid':1,'ts':6}")), "async_event", 1, second, 2);
    row("instant", with(json("{'ph':'i','s':'t','name':'[memory]','pid':1,'tid':1,'ts':6}")), "instant_event", 1, second, 2);
    row("unknown phase", with(json("{'ph':'?','name':'x'}")), "unknown_phase", 1, second, 2);
    row("damaged event", with("{\"ph\": \"X\", nonsense}"), "damaged_event", 1, second, 2);
    row("open string", with("{\"ph\": \"X, \"name\": \"x\"}"), "damaged_event", 1, second, 2);
    row("missing bracket of a list", "[" + a + "," + b, "missing_bracket", 1, 1 + a.size() + 1 + b.size(), 2);
    row("comma at the end of a list", "[" + a + "," + b + ",\n", "missing_bracket", 1, 1 + a.size() + 1 + b.size() + 2, 2);
    row("no events", document({}), "no_events", 1, 0, 0);
    row("empty list", "[]", "no_events", 1, 0, 0);
    const std::string nanoseconds = document({completeEvent("cpu_op", "a", "1", "1", "1695835542514261000", "5"),
                                              completeEvent("cpu_op", "b", "1", "1", "1695835542514271000", "5")});
    row("nanoseconds", nanoseconds, "implausible_time", 1, nanoseconds.find("\"ts\""), 2);
  }

  void repairsAndCounts() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    QFETCH(int, count);
    QFETCH(int, offset);
    QFETCH(int, events);
    const test::Folder folder;
    const std::string path = folder.write("t.json", text.toStdString());
    for (const std::size_t piece : {std::size_t{20}, std::size_t{4} << 20}) {
      const auto trace = opened(path, {2, piece});
      QVERIFY(trace != nullptr);
      QCOMPARE(trace->eventCount(), static_cast<std::uint64_t>(events));
      std::vector<base::Diagnostic> found = trace->diagnostics().entries();
      std::erase_if(found, [](const base::Diagnostic& d) { return d.code == "gpu_event_without_launch"; });
      QCOMPARE(found.size(), std::size_t{1});
      QCOMPARE(QByteArray::fromStdString(found.front().code), code);
      QCOMPARE(found.front().count, static_cast<std::uint64_t>(count));
      QCOMPARE(static_cast<int>(found.front().byteOffset.value_or(0)), offset);
      QCOMPARE(found.front().file, path);
      QVERIFY(!found.front().message.empty());
      if (events < 2) continue;
      QVERIFY(startOf(*trace, "a") == Nanoseconds(0));
      QCOMPARE(startOf(*trace, "b") - startOf(*trace, "a"), Nanoseconds(code == "implausible_time" ? 10'000'000 : 10'000));
      QCOMPARE(lengthOf(*trace, "b"), Nanoseconds(5000));
    }
  }

  void takesTheLastOfTwoEqualKeys() {
    const auto trace =
        openedText("[" + json("{'ph':'X','cat':'cpu_op','name':'x','name':'y','pid':1,'tid':1,'ts':6,'ts':7,'dur':1}]"));
    QCOMPARE(startOf(*trace, "y"), Nanoseconds(7000));
    QCOMPARE(trace->diagnostics().count("duplicate_key"), std::uint64_t{2});
  }

  void neverCountsARepairedDuration() {
    const auto trace = openedText(document({op("x", 6, -2), completeEvent("cpu_op", "y", "1", "1", "6", "")}));
    for (const char* name : {"x", "y"}) {
      const auto event = test::eventsNamed(*trace, name).front();
      QCOMPARE(trace->interval(event).length(), Nanoseconds(0));
      QCOMPARE(trace->subLane(event).flags(event.index), trace::event_flag::kRepaired);
    }
  }

  void survivesAHoleInTheMiddleOfTheFile() {
    std::vector<std::string> events;
    for (int i = 0; i < 2000; ++i) events.push_back(op("event " + std::to_string(i), i * 10, 5));
    std::string text = document(events);
    const std::size_t middle = text.find("event 1000");
    text.replace(middle, 400, std::string(400, '\0'));
    const test::Folder folder;
    const std::string path = folder.write("t.json", text);
    for (const std::size_t piece : {std::size_t{3000}, std::size_t{4} << 20}) {
      const auto trace = opened(path, {2, piece});
      QVERIFY2(trace->eventCount() >= 1990, qPrintable(QString::number(trace->eventCount())));
      QVERIFY(!test::eventsNamed(*trace, "event 1999").empty());
      QVERIFY(!test::eventsNamed(*trace, "event 998").empty());
      QVERIFY(trace->diagnostics().count("damaged_event") > 0);
    }
  }

  void readsPlainChromeTraces() {
    const auto trace = openedText("[" + json("{'name':'f','ph':'X','ts':1,'dur':2,'pid':'Device 0','tid':'CUDA API 7'}") + "]");
    QCOMPARE(trace->info().format, std::string("chrome"));
    QCOMPARE(trace->lanes().front().key.kind, LaneKind::HostThread);
    QCOMPARE(trace->lanes().front().label, std::string("CUDA API 7"));
    QCOMPARE(trace->lanes().front().processLabel, std::string("Device 0"));
  }

  void readsGzipOfSeveralMembersAndCutOrDamagedOnes() {
    const test::Folder folder;
    std::vector<std::string> events;
    for (int i = 0; i < 3000; ++i) events.push_back(op("event " + std::to_string(i * 7919 % 3001), i * 10, 5));
    const std::string text = document(events);
    const std::string first = test::gzip(text.substr(0, 1000));
    const std::string second = test::gzip(text.substr(1000));
    const auto whole = opened(folder.write("misnamed.json", first + second), {2, 5000});
    QCOMPARE(whole->eventCount(), std::uint64_t{3000});
    QCOMPARE(whole->info().textBytes, static_cast<std::uint64_t>(text.size()));
    QVERIFY(whole->diagnostics().empty());
    QCOMPARE(whole->rawJson(test::eventsNamed(*whole, "event 0").front()).value(), events[0]);

    const std::string all = first + second;
    const auto cut = opened(folder.write("cut.gz", all.substr(0, all.size() / 2)), {2, 5000});
    QVERIFY(cut->eventCount() > 500 && cut->eventCount() < 3000);
    QCOMPARE(cut->diagnostics().count("truncated_gzip"), std::uint64_t{1});
    QCOMPARE(cut->diagnostics().count("truncated_text"), std::uint64_t{1});

    std::string bad = all;
    for (std::size_t i = all.size() / 2; i < all.size() / 2 + 50; ++i) bad[i] = static_cast<char>(~bad[i]);
    const auto damaged = opened(folder.write("bad.gz", bad), {2, 5000});
    QVERIFY(damaged->eventCount() > 500);
    QCOMPARE(damaged->diagnostics().count("corrupt_gzip"), std::uint64_t{1});

    const auto padded = opened(folder.write("padded.gz", all + std::string(512, '\0')));
    QVERIFY(padded->diagnostics().empty());
    QVERIFY(padded->info().contentHash != whole->info().contentHash);
  }

  void saysWhatAFileIsThatIsNoTrace_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* tag, const std::string& content, const char* word) {
      QTest::newRow(tag) << QByteArray(content.data(), static_cast<qsizetype>(content.size())) << QString(word);
    };
    row("empty", "", "empty");
    row("SQLite", std::string("SQLite format 3\0\x10", 17), "SQLite");
    row("SQLite in gzip", test::gzip("SQLite format 3"), "SQLite");
    row("pickle", "\x80\x04\x95", "pickle");
    row("zip", "PK\x03\x04", "zip");
    row("zstd", "\x28\xB5\x2F\xFD\x24", "zstd");
    row("Nsight Compute", "==PROF== Connected\n\"ID\",\"Process ID\"\n", "Nsight Compute");
    row("Megatron log", " [2024-01-01] iteration 1/ 2 | elapsed time per iteration (ms): 3.0 |", "Megatron");
    row("Megatron log with a bracket first", "[2024-01-01] iteration 1/ 2 | elapsed time per iteration (ms): 3.0 |", "Megatron");
    row("rocprofv3", json("{'rocprofiler-sdk-tool': [{}]}"), "rocprofv3");
    row("execution trace", json("{'schema': '1.0', 'nodes': []}"), "execution trace");
    row("other JSON", json("{'a': 1}"), "no list of trace events");
    row("memory timeline", "[[-1, \"x\", 3, 4]]", "no trace events");
    row("list of other objects", json("[{'a': 1}]"), "no trace events");
    row("HTML", "<!DOCTYPE html>", "HTML");
    row("XPlane", std::string("\x0A\x10\0/host:CPU", 12), "XPlane");
    row("UTF-16", std::string("\xFF\xFE{\0", 4), "UTF-16");
    row("text", "hello", "text");
    row("binary",
        std::string("\x7F"
                    "ELF\x02\x01\0",
                    7),
        "binary");
    row("cut before the events", json("{'schemaVersion': 1, 'deviceProp"), "no list of trace events");
  }

  void saysWhatAFileIsThatIsNoTrace() {
    QFETCH(QByteArray, content);
    QFETCH(QString, word);
    const test::Folder folder;
    const std::string path = folder.write("trace.json", content.toStdString());
    const auto result = trace::readTrace(path, {}, {});
    QVERIFY(!result);
    QVERIFY2(QString::fromStdString(result.error().message).contains(word), result.error().message.c_str());
    QCOMPARE(result.error().file, path);
    QVERIFY(!result.error().hint.empty());
  }

  void saysWhyAFileCannotBeOpened() {
    const test::Folder folder;
    QCOMPARE(trace::openTrace(folder.path() + "/none").error().code, base::ErrorCode::CannotRead);
    const auto folderError = trace::openTrace(folder.path()).error();
    QVERIFY(folderError.message.find("folder") != std::string::npos);
  }

  void stopsWhenAskedAndLeavesNothingBehind() {
    const test::Folder folder;
    const test::Folder temporary;
    const std::string path = folder.write("t.json.gz", test::gzip(document(test::awkwardEvents(7000))));
    qputenv("TMPDIR", QByteArray::fromStdString(temporary.path()));
    std::stop_source stop;
    std::atomic<int> reports = 0;
    const base::Progress progress(stop.get_token(), [&](std::uint64_t done, std::uint64_t total) {
      QVERIFY(done <= total);
      if (++reports == 3) stop.request_stop();
    });
    const auto result = trace::readTrace(path, progress, {2, 1000});
    qunsetenv("TMPDIR");
    QVERIFY(!result);
    QCOMPARE(result.error().code, base::ErrorCode::Cancelled);
    QCOMPARE(result.error().file, path);
    QVERIFY(std::filesystem::is_empty(temporary.path()));
  }

  void saysThatThereIsNoRoomForTheInflatedText() {
    const test::Folder folder;
    const std::string path = folder.write("t.json.gz", test::gzip(document(test::awkwardEvents(7000))));
    qputenv("TMPDIR", "/nonexistent");
    const auto nowhere = trace::openTrace(path);
    qunsetenv("TMPDIR");
    QVERIFY(!nowhere && nowhere.error().hint.find("TMPDIR") != std::string::npos);

    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{20'000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto full = trace::openTrace(path);
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!full && full.error().hint.find("TMPDIR") != std::string::npos);
    QCOMPARE(full.error().file, path);
  }
};

QTEST_GUILESS_MAIN(KinetoReaderTest)
#include "kineto_reader_test.moc"

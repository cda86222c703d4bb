#include "trace/kineto_reader.h"
#include "trace_text.h"

#include <QtTest>

#include <set>

using namespace threewalls;
using base::Nanoseconds;
using test::completeEvent;
using test::document;
using test::json;
using test::lengthOf;
using test::op;
using test::opened;
using test::openedText;
using test::startOf;
using trace::EventKind;
using trace::LaneKind;

namespace {

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

  void readsPlainChromeTraces() {
    const auto trace = openedText("[" + json("{'name':'f','ph':'X','ts':1,'dur':2,'pid':'Device 0','tid':'CUDA API 7'}") + "]");
    QCOMPARE(trace->info().format, std::string("chrome"));
    QCOMPARE(trace->lanes().front().key.kind, LaneKind::HostThread);
    QCOMPARE(trace->lanes().front().label, std::string("CUDA API 7"));
    QCOMPARE(trace->lanes().front().processLabel, std::string("Device 0"));
  }
};

QTEST_GUILESS_MAIN(KinetoReaderTest)
#include "kineto_reader_test.moc"

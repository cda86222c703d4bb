#include "support/plain_file.h"
#include "support/test_files.h"
#include "trace/nsys/nsys_environment.h"
#include "trace/nsys/nsys_importer.h"
#include "trace/nsys/nsys_names.h"
#include "trace/nsys/nsys_tables.h"
#include "trace/open.h"
#include "trace/valid_text.h"

#include <QtTest>

#include <sqlite3.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

using namespace threewalls;
using namespace threewalls::trace;

namespace {

base::Result<std::shared_ptr<const Trace>> import(std::string_view bytes) {
  PlainFile file;
  file.text = test::rawText(bytes);
  file.info.file = "test.sqlite";
  return nsys::importNsys(std::move(file));
}

/// The bytes of a database made by these statements.
std::string database(const std::string& sql) {
  sqlite3* db = nullptr;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) qFatal("sqlite3_open");
  char* why = nullptr;
  if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &why) != SQLITE_OK) qFatal("%s", why);
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(db, "main", &size, 0);
  const std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  sqlite3_close(db);
  return out;
}

/// globalTid of a thread; process 5 of machine 1 is 1<<48 | 5<<24.
std::string tid(std::int64_t process, std::int64_t thread) {
  return std::to_string((std::int64_t{1} << 48) | (process << 24) | thread);
}

const char* const kSchema =
    "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, streamId INT, correlationId INT, globalPid INT,"
    " demangledName INT, shortName INT, graphNodeId INT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT, globalTid INT, correlationId INT, nameId INT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, streamId INT, correlationId INT, globalPid INT,"
    " copyKind INT, srcKind INT, dstKind INT, srcDeviceId INT, dstDeviceId INT);"
    "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT, globalTid INT, endGlobalTid INT, textId INT, "
    "domainId INT);"
    "INSERT INTO StringIds VALUES(1,'kernel_a'),(2,'cudaLaunchKernel_v7000'),(3,'Step 3, op_id = "
    "12'),(4,'kernel_b'),(5,'cudaGraphLaunch_v10000');";

std::vector<EventRef> eventsOf(const Trace& trace, EventKind kind) {
  std::vector<EventRef> out;
  for (std::uint32_t l = 0; l < trace.lanes().size(); ++l) {
    const Lane& lane = trace.lanes()[l];
    for (std::uint32_t s = 0; s < lane.subLanes.size(); ++s) {
      for (std::uint32_t i = 0; i < lane.subLanes[s].size(); ++i) {
        if (lane.subLanes[s].kind(i) == kind) out.push_back({LaneId(l), s, i});
      }
    }
  }
  std::sort(out.begin(), out.end(), [&](const EventRef& a, const EventRef& b) { return trace.interval(a) < trace.interval(b); });
  return out;
}

const Lane& laneOf(const Trace& trace, const EventRef& event) {
  return trace.lane(event.lane);
}

QString nameOf(const Trace& trace, const EventRef& event) {
  const std::string_view name = trace.name(event);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

std::int64_t unionOf(std::vector<base::Interval> intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::int64_t total = 0, until = std::numeric_limits<std::int64_t>::min();
  for (const base::Interval& interval : intervals) {
    const std::int64_t from = std::max(interval.start.count(), until);
    if (interval.end.count() > from) total += interval.end.count() - from;
    until = std::max(until, interval.end.count());
  }
  return total;
}

}  // namespace

class NsysTest : public QObject {
  Q_OBJECT

 private slots:
  void figuresOfEveryRealExportAreTheOraclesToTheNanosecond_data() {
    QTest::addColumn<QString>("file");
    for (const std::string& path : test::sharedFilesBelow("traces/nsys")) {
      if (path.ends_with(".sqlite.gz")) QTest::newRow(path.substr(path.rfind('/') + 1).c_str()) << QString::fromStdString(path);
    }
    if (!test::sharedFile("traces/nsys")) QTest::newRow("none") << QString();
  }

  void figuresOfEveryRealExportAreTheOraclesToTheNanosecond() {
    QFETCH(QString, file);
    if (file.isEmpty()) QSKIP("the shared traces are not here");
    std::ifstream in(*test::sharedFile("oracles_traces/nsys.json"));
    const auto oracle = nlohmann::json::parse(in);
    const std::string key = "nsys/" + file.section('/', -1).toStdString();
    QVERIFY(oracle["files"].contains(key));

    const auto trace = openTrace(file.toStdString());
    QVERIFY2(trace.has_value(), trace ? "" : trace.error().text().c_str());
    std::set<std::pair<std::string, int>> devices;
    for (const Lane& lane : (*trace)->lanes()) {
      if (lane.key.kind == LaneKind::GpuStream) devices.insert({lane.key.process, lane.key.device});
    }
    const auto& lanes = oracle["files"][key]["lanes"];
    QCOMPARE(devices.size(), lanes.size());
    for (const auto& [process, device] : devices) {
      const auto& wanted = lanes.at("pid" + (process.empty() ? "0" : process) + "/device" + std::to_string(device));
      std::vector<base::Interval> all, copies, graphs;
      std::vector<std::int64_t> latencies;
      std::set<std::int64_t> streams;
      std::int64_t kernels = 0, linked = 0;
      for (const EventKind kind : {EventKind::Kernel, EventKind::MemoryCopy, EventKind::MemorySet, EventKind::GraphSpan}) {
        for (const EventRef& event : eventsOf(**trace, kind)) {
          const Lane& lane = laneOf(**trace, event);
          if (lane.key.process != process || lane.key.device != device) continue;
          const base::Interval interval = (*trace)->interval(event);
          all.push_back(interval);
          if (kind == EventKind::GraphSpan) graphs.push_back(interval);
          if (kind == EventKind::MemoryCopy || kind == EventKind::MemorySet) copies.push_back(interval);
          kernels += kind == EventKind::Kernel ? 1 : 0;
          streams.insert(*lane.stream);
          if (const auto call = (*trace)->launchOf(event)) {
            ++linked;
            latencies.push_back((interval.start - (*trace)->interval(*call).end).count());
          }
        }
      }
      const auto [first, last] = std::minmax_element(all.begin(), all.end(), [](auto& a, auto& b) { return a.start < b.start; });
      std::int64_t end = std::numeric_limits<std::int64_t>::min();
      for (const auto& interval : all) end = std::max(end, interval.end.count());
      QCOMPARE(static_cast<std::int64_t>(all.size()), wanted["gpu_rows"].get<std::int64_t>());
      QCOMPARE(kernels, wanted["kernels"].get<std::int64_t>());
      QCOMPARE(static_cast<std::int64_t>(copies.size()), wanted["memory_ops"].get<std::int64_t>());
      QCOMPARE(static_cast<std::int64_t>(graphs.size()), wanted["graph_spans"].get<std::int64_t>());
      QCOMPARE(streams, wanted["streams"].get<std::set<std::int64_t>>());
      QCOMPARE(first->start.count(), wanted["first_start_ns"].get<std::int64_t>());
      QCOMPARE(end - first->start.count(), wanted["span_ns"].get<std::int64_t>());
      QCOMPARE(unionOf(all), wanted["busy_union_ns"].get<std::int64_t>());
      QCOMPARE(unionOf(copies), wanted["memory_union_ns"].get<std::int64_t>());
      QCOMPARE(unionOf(graphs), wanted["graph_union_ns"].get<std::int64_t>());
      QCOMPARE(linked, wanted["rows_linked_to_a_runtime_call"].get<std::int64_t>());
      std::sort(latencies.begin(), latencies.end());
      const std::size_t half = latencies.size() / 2;
      const auto low = static_cast<double>(latencies[half - (latencies.size() % 2 == 0 ? 1 : 0)]);
      QCOMPARE((low + static_cast<double>(latencies[half])) / 2, wanted["launch_return_to_start_ns_median"].get<double>());
    }

    const auto& ranges = oracle["files"][key]["nvtx"];
    const std::int64_t expected = ranges.is_null() ? 0 : ranges["by_type"].value("59", std::int64_t{0});
    QCOMPARE(static_cast<std::int64_t>(eventsOf(**trace, EventKind::Annotation).size()), expected);
  }

  void correlationIdsAreJoinedWithinTheirProcessOnly() {
    const auto trace =
        import(database(std::string(kSchema) + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(100,200,0,7,9," + tid(5, 0) +
                        ",1,NULL,NULL),(100,250,0,7,9," + tid(6, 0) +
                        ",4,NULL,NULL);INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(10,20,0," + tid(5, 50) + ",9,2),(30,40,1," +
                        tid(6, 60) + ",9,2);INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(50,60,0," + tid(5, 50) + ",77,2);"));
    QVERIFY(trace.has_value());
    const auto kernels = eventsOf(**trace, EventKind::Kernel);
    QCOMPARE(kernels.size(), std::size_t{2});
    for (const EventRef& kernel : kernels) {
      const auto call = (*trace)->launchOf(kernel);
      QVERIFY(call.has_value());
      QCOMPARE(laneOf(**trace, *call).key.process, laneOf(**trace, kernel).key.process);
      QCOMPARE(nameOf(**trace, *call), QString("cudaLaunchKernel"));
    }
    QCOMPARE((*trace)->kind(*(*trace)->launchOf(kernels[0])), EventKind::RuntimeCall);
    QCOMPARE((*trace)->kind(*(*trace)->launchOf(kernels[1])), EventKind::DriverCall);
    QVERIFY(laneOf(**trace, kernels[0]).processLabel != laneOf(**trace, kernels[1]).processLabel);
  }

  void aGraphThatWasRecordedByNodeIsNotCountedTwice() {
    const auto trace = import(database(std::string(kSchema) +
                                       "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INT, end INT, deviceId INT, streamId "
                                       "INT, correlationId INT, globalPid INT, graphId INT);"
                                       "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(100,200,0,7,9," +
                                       tid(5, 0) +
                                       ",1,NULL,33);"
                                       "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES(100,400,0,7,9," +
                                       tid(5, 0) + ",1),(500,600,0,7,10," + tid(5, 0) + ",2);"));
    QVERIFY(trace.has_value());
    const auto spans = eventsOf(**trace, EventKind::GraphSpan);
    QCOMPARE(spans.size(), std::size_t{1});
    QCOMPARE(nameOf(**trace, spans[0]), QString("CUDA graph 2"));
    QCOMPARE((*trace)->diagnostics().count("graph_span_with_nodes"), std::uint64_t{1});
  }

  void copiesAreNamedLikeKinetosAndPeerCopiesAreTold() {
    const auto trace = import(database(std::string(kSchema) + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(1,2,0,7,1," +
                                       tid(5, 0) + ",1,0,2,NULL,NULL),(3,4,0,7,2," + tid(5, 0) + ",8,2,2,0,1),(5,6,0,7,3," +
                                       tid(5, 0) + ",8,2,2,1,1),(7,8,0,7,4," + tid(5, 0) +
                                       ",11,NULL,NULL,NULL,NULL),(9,10,0,7,5," + tid(5, 0) + ",99,99,-1,NULL,NULL);"));
    QVERIFY(trace.has_value());
    QStringList names;
    for (const EventRef& event : eventsOf(**trace, EventKind::MemoryCopy)) names << nameOf(**trace, event);
    QCOMPARE(names, QStringList({"Memcpy HtoD (Pageable -> Device)", "Memcpy PtoP (Device -> Device)",
                                 "Memcpy DtoD (Device -> Device)", "Memcpy HtoD (Unified)", "Memcpy"}));
  }

  void rangesComeFromTextsAndStringIdsWithTheirDomains() {
    const auto trace = import(database(std::string(kSchema) + "INSERT INTO NVTX_EVENTS VALUES(0,NULL,75,'NCCL'," + tid(5, 50) +
                                       ",NULL,NULL,2),"
                                       "(10,20,59,'plain'," +
                                       tid(5, 50) + ",NULL,NULL,0),(30,40,59,NULL," + tid(5, 50) +
                                       ",NULL,3,0),"
                                       "(50,60,59,'ncclAllReduce'," +
                                       tid(5, 50) + ",NULL,NULL,2),(70,80,59,'other process'," + tid(6, 60) +
                                       ",NULL,NULL,2),"
                                       "(15,90,60,'across threads'," +
                                       tid(5, 50) + "," + tid(5, 51) +
                                       ",NULL,0),"
                                       "(95,NULL,34,'mark'," +
                                       tid(5, 50) + ",NULL,NULL,0),(96,NULL,59,'open'," + tid(5, 50) +
                                       ",NULL,NULL,0),"
                                       "(100,120,59,NULL," +
                                       tid(5, 50) + ",NULL,999,0);"));
    QVERIFY(trace.has_value());
    std::map<QString, base::Interval> found;
    for (const EventRef& event : eventsOf(**trace, EventKind::Annotation))
      found[nameOf(**trace, event)] = (*trace)->interval(event);
    const QStringList wanted{"(unnamed)", "Step 3", "[NCCL] ncclAllReduce", "across threads",
                             "mark",      "open",   "other process",        "plain"};
    QStringList names;
    for (const auto& [name, interval] : found) names << name;
    QCOMPARE(names, wanted);
    QCOMPARE(found["mark"].length().count(), std::int64_t{0});
    QCOMPARE(found["open"].end.count(), std::int64_t{120});
    QCOMPARE((*trace)->diagnostics().count("unfinished_range"), std::uint64_t{1});
    for (const base::Diagnostic& entry : (*trace)->diagnostics().entries()) QVERIFY2(entry.count > 0, entry.code.c_str());
    const auto across = eventsOf(**trace, EventKind::Annotation)[1];
    QCOMPARE(nameOf(**trace, across), QString("across threads"));
    QCOMPARE(laneOf(**trace, across).label, std::string("NVTX start/end ranges"));
  }

  void badTimesAndTypesAreCountedAndTheRestIsKept() {
    const auto trace = import(database(std::string(kSchema) + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(NULL,200,0,7,1," +
                                       tid(5, 0) + ",1,NULL,NULL),('soon',200,0,7,2," + tid(5, 0) +
                                       ",1,NULL,NULL),(300,200,0,7,3," + tid(5, 0) + ",1,NULL,NULL),(400,NULL,0,7,4," +
                                       tid(5, 0) + ",NULL,4,NULL),(-9223372036854775808,9223372036854775807,0,7,5," + tid(5, 0) +
                                       ",1,NULL,NULL),(500,x'00ff',9999999999,'stream',-4,'pid',1,NULL,NULL),(-50,-40,0,7,7," +
                                       tid(5, 0) + ",99,98,NULL);"));
    QVERIFY(trace.has_value());
    const base::Diagnostics& diagnostics = (*trace)->diagnostics();
    QCOMPARE(diagnostics.count("row_without_time"), std::uint64_t{3});
    QCOMPARE(diagnostics.count("negative_duration"), std::uint64_t{1});
    QCOMPARE(diagnostics.count("missing_duration"), std::uint64_t{2});
    QCOMPARE(diagnostics.count("unnamed_event"), std::uint64_t{1});
    const auto kernels = eventsOf(**trace, EventKind::Kernel);
    QCOMPARE(kernels.size(), std::size_t{4});
    QCOMPARE((*trace)->interval(kernels[0]).length().count(), std::int64_t{10});
    QCOMPARE(nameOf(**trace, kernels[2]), QString("kernel_b"));
    QCOMPARE(laneOf(**trace, kernels[3]).key.device, -1);
  }

  void aLaterTableVersionWinsAndWhatWouldRunCodeIsNotRead() {
    const auto trace = import(database(
        "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES(1,'new'),(2,'old');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, demangledName INT); INSERT INTO "
        "CUPTI_ACTIVITY_KIND_KERNEL VALUES(1,2,2);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL_V3(start INT, end INT, demangledName INT) ; INSERT INTO "
        "CUPTI_ACTIVITY_KIND_KERNEL_V3 VALUES(1,2,1);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL_V10x(start INT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL_V8(start INT, end INT AS (start + 1), _rowid_ AS (hex(zeroblob(100000000))));"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL_V8(start) VALUES(1);"
        "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL_V9 AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) "
        "SELECT x AS start, x AS end FROM c;"
        "CREATE TABLE \"\"\"; DROP TABLE StringIds; --'\"(\"a\"\"b\" INT);"));
    QVERIFY(trace.has_value());
    const auto kernels = eventsOf(**trace, EventKind::Kernel);
    QCOMPARE(kernels.size(), std::size_t{1});
    QCOMPARE(nameOf(**trace, kernels[0]), QString("new"));
    QCOMPARE((*trace)->diagnostics().count("table_not_collected"), std::uint64_t{6});
  }

  void tablesWithoutRowNumbersAndHostileTextsAreRead() {
    const auto trace = import(
        database("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds "
                 "VALUES(1,printf('%.*c',1000000,'x')),(2,CAST(x'6162ff00c0af' AS TEXT));"
                 "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT PRIMARY KEY, end INT, demangledName INT) WITHOUT ROWID;"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(1,2,1),(3,4,2);"));
    QVERIFY(trace.has_value());
    const auto kernels = eventsOf(**trace, EventKind::Kernel);
    QCOMPARE(kernels.size(), std::size_t{2});
    QCOMPARE((*trace)->name(kernels[0]).size(), nsys::SqliteRows::kLongestText);
    QVERIFY(nameOf(**trace, kernels[1]).startsWith("ab\uFFFD"));
    QVERIFY((*trace)->name(kernels[1]).find('\0') == std::string_view::npos);
  }

  void aDatabaseOfAnotherKindIsRefusedWithAHint() {
    const auto other = import(database("CREATE TABLE addresses(name TEXT, street TEXT);"));
    QVERIFY(!other.has_value());
    QCOMPARE(other.error().code, base::ErrorCode::UnknownFormat);
    QVERIFY(other.error().hint.find("nsys export") != std::string::npos);
    const auto empty = import(database("VACUUM;"));
    QVERIFY(!empty.has_value());
    QVERIFY(!import("SQLite format 3").has_value());
    QVERIFY(!import(std::string("SQLite format 3\0", 16) + std::string(5000, '\xAA')).has_value());
    QVERIFY(!import("").has_value());
  }

  void anyTruncationGivesAnErrorOrAPartAndADiagnostic() {
    std::string sql = kSchema;
    for (int i = 0; i < 3000; ++i) {
      sql += "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + std::to_string(i * 10) + "," + std::to_string(i * 10 + 5) +
             ",0,7," + std::to_string(i) + "," + tid(5, 0) + ",1,NULL,NULL);";
    }
    const std::string whole = database(sql);
    bool partly = false;
    for (std::size_t size = 0; size < whole.size(); size += 1777) {
      const auto trace = import(std::string_view(whole).substr(0, size));
      if (!trace) continue;
      QVERIFY((*trace)->eventCount() <= 3000);
      QVERIFY((*trace)->diagnostics().count("truncated_file") == 1);
      partly |= (*trace)->eventCount() > 0 && (*trace)->eventCount() < 3000 && (*trace)->diagnostics().count("damaged_table") > 0;
    }
    QVERIFY(partly);
  }

  void aReportThatIsNoExportSaysHowToExportIt() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("run.nsys-rep").toStdString();
    std::ofstream(path) << "not a trace";
    const auto trace = openTrace(path);
    QVERIFY(!trace.has_value());
    QVERIFY(trace.error().hint.find("nsys export --type sqlite") != std::string::npos);
  }

  void flippedBytesNeverCrash() {
    std::string sql = kSchema;
    for (int i = 0; i < 400; ++i) {
      const std::string at = std::to_string(i * 10);
      sql +=
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + at + "," + at + "+5,0,7," + at + "," + tid(5, 0) + ",1,NULL,NULL);";
      sql += "INSERT INTO NVTX_EVENTS VALUES(" + at + "," + at + "+5,59,'range " + at + "'," + tid(5, 50) + ",NULL,NULL,0);";
    }
    const std::string whole = database(sql);
    std::uint32_t random = 12345;
    int read = 0;
    for (int round = 0; round < 200; ++round) {
      std::string bytes = whole;
      for (int flip = 0; flip < 8; ++flip) {
        random = random * 1664525 + 1013904223;
        bytes[(random >> 4) % bytes.size()] = static_cast<char>(random >> 24);
      }
      if (const auto trace = import(bytes)) {
        ++read;
        QVERIFY((*trace)->eventCount() <= bytes.size());
      }
    }
    QVERIFY(read > 0);
  }

  void onlyVariablesThatMatterAreKeptAndSecretsAreRedacted() {
    const std::string bytes = database(
        std::string(kSchema) +
        "CREATE TABLE META_DATA_CAPTURE(name TEXT, value TEXT); CREATE TABLE TARGET_INFO_SYSTEM_ENV(name TEXT, value TEXT);"
        "INSERT INTO META_DATA_CAPTURE VALUES('PROCESS_0:ENVIRONMENT:NCCL_ALGO','Ring'),('PROCESS_0:ENV_3','NVTE_FLASH_ATTN=1'),"
        "('PROCESS_0:ENV_4','AWS_SECRET_ACCESS_KEY=hunter2'),('PROCESS_0:ENV_5','HF_TOKEN=hf_abc'),('PROCESS_0:ENV_6','PATH=/usr/"
        "bin'),"
        "('PROCESS_0:ENV_7','NCCL_AUTH_TOKEN=hunter2'),('PROCESS_0:ENV_8','TORCH_X=https://user:hunter2@host/'),"
        "('PROCESS_0:CUDA_FLUSH_PERIOD','7'),('PROCESS_0:ARGUMENT_1','--password=hunter2'),('PROCESS_0:USER_NAME','hunter2');"
        "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES('DeviceEnvironment','CUDA_DEVICE_MAX_CONNECTIONS=1'||char(10)||'DB=hunter2'),"
        "('DeviceEnvironment2','{\"UB_SKIPMC\":\"1\",\"WANDB_API_KEY\":\"hunter2\",\"TORCH_NCCL_X\":\"sk-hunter2\"}'),('Hostname'"
        ",'hunter2'),"
        "('NvDriverVersion','580.1');");
    const auto trace = import(bytes);
    QVERIFY(trace.has_value());
    const std::map<std::string, std::string> wanted = {{"env.NCCL_ALGO", "Ring"},
                                                       {"env.NVTE_FLASH_ATTN", "1"},
                                                       {"env.NCCL_AUTH_TOKEN", "(redacted)"},
                                                       {"env.TORCH_X", "(redacted)"},
                                                       {"env.CUDA_DEVICE_MAX_CONNECTIONS", "1"},
                                                       {"env.UB_SKIPMC", "1"},
                                                       {"env.TORCH_NCCL_X", "(redacted)"},
                                                       {"driver_version", "580.1"}};
    QCOMPARE((*trace)->info().metadata, wanted);
    QVERIFY(nsys::looksSecret("NCCL_X", "a8F3kq9ZpL0vW7xYt5Rb2Nc4"));
    QVERIFY(!nsys::looksSecret("TORCH_CUDA_ARCH_LIST", "7.0 7.5 8.0 8.6 9.0+PTX"));
    QVERIFY(!nsys::looksSecret("NCCL_IB_HCA", "mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5"));
  }

  void callsAndRangesLoseWhatMakesTheirNamesUnique() {
    QCOMPARE(nsys::apiName("cudaLaunchKernel_v7000"), std::string_view("cudaLaunchKernel"));
    QCOMPARE(nsys::apiName("cudaMemcpyAsync_ptsz_v7000"), std::string_view("cudaMemcpyAsync"));
    QCOMPARE(nsys::apiName("cuMemcpyHtoDAsync_v2"), std::string_view("cuMemcpyHtoDAsync"));
    QCOMPARE(nsys::apiName("cuLaunchKernel"), std::string_view("cuLaunchKernel"));
    QCOMPARE(nsys::apiName("_v7"), std::string_view("_v7"));
    QCOMPARE(nsys::rangeName("aten::mm, op_id = 317126"), std::string_view("aten::mm"));
    QCOMPARE(nsys::rangeName("Step 190 to 200"), std::string_view("Step 190 to 200"));
    QCOMPARE(validText("a\xC3\xA9\xED\xA0\x80z"), std::string("a\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz"));
  }

  void aRowCanBeReadAgainByItsPlace() {
    const std::string bytes = database(std::string(kSchema) + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(100,200,0,7,9," +
                                       tid(5, 0) + ",1,NULL,NULL),(300,400,0,7,10," + tid(5, 0) + ",4,NULL,NULL);");
    const auto file = test::rawText(bytes);
    const auto trace = nsys::importNsys({file, {}, {}});
    QVERIFY(trace.has_value());
    const EventRef kernel = eventsOf(**trace, EventKind::Kernel)[1];
    const auto json = (*trace)->rawJson(kernel);
    QVERIFY(json.has_value());
    const auto row = nlohmann::json::parse(*json);
    QCOMPARE(row["start"].get<int>(), 300);
    QCOMPARE(row["demangledName"].get<std::string>(), std::string("kernel_b"));
    QVERIFY(!nsys::rowJson(file, kNoOffset).has_value());
  }
};

QTEST_GUILESS_MAIN(NsysTest)
#include "nsys_test.moc"

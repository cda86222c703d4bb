// Import of an Nsight Systems export against a bare SELECT scan of the same tables, in one run. Counter `rows` is rows a second.
// A generated export by default (as many kernels, calls and NVTX ranges as $ROWS says, 300,000 each); $NSYS names a real one.

#include "trace/nsys/nsys_importer.h"
#include "trace/nsys/nsys_tables.h"

#include <benchmark/benchmark.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

using namespace threewalls::trace;

namespace {

std::string generated(const std::string& rows) {
  const std::string path = "/tmp/threewalls_bench_nsys." + std::to_string(getpid()) + ".sqlite";
  const std::string numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<" + rows + ") ";
  // Shaped as a training process: one thread launches, a kernel follows 5 µs later, ranges are two deep. 281474978000000 is a
  // globalTid of process 0, thread 1289344.
  const std::string sql =
      "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
      "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, greenContextId INT, streamId INT,"
      " correlationId INT, globalPid INT, demangledName INT, shortName INT, mangledName INT, launchType INT, cacheConfig INT,"
      " registersPerThread INT, gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT, blockZ INT, graphNodeId INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT, globalTid INT, correlationId INT, nameId INT,"
      " returnValue INT, callchainId INT);"
      "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, rangeId INT, category INT, color INT, text TEXT, globalTid INT,"
      " endGlobalTid INT, textId INT, domainId INT);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<300) INSERT INTO StringIds SELECT i, 'void kernel_'||i||'<float>(float*)' FROM n;" +
      numbers +
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i*10000+5000, i*10000+13000, 0, 1, 0, 7+i%3, i, 281474976710656, 1+i%300, 1+i%300, 1, 1, 0,"
      " 64, 128, 1, 1, 256, 1, 1, NULL FROM n;" +
      numbers +
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i*10000, i*10000+3000, 0, 281474978000000, i, 1+i%10, 0, NULL FROM n;" + numbers +
      "INSERT INTO NVTX_EVENTS SELECT i*10000-1000-500*(i%2), i*10000+4000+500*(i%2), 59, NULL, NULL, NULL, 'aten::op'||(i%50)||', op_id = '||i,"
      " 281474978000000, NULL, NULL, 0 FROM n; COMMIT;";
  sqlite3* db = nullptr;
  char* why = nullptr;
  if (sqlite3_open(path.c_str(), &db) != SQLITE_OK || sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &why) != SQLITE_OK) {
    std::fprintf(stderr, "%s\n", why != nullptr ? why : "cannot write");
    std::exit(1);
  }
  sqlite3_close(db);
  return path;
}

const std::string& exportPath() {
  static const std::string path = [] {
    const char* given = std::getenv("NSYS");
    const char* rows = std::getenv("ROWS");
    if (given != nullptr) return std::string(given);
    static const std::string own = generated(rows != nullptr ? rows : "300000");
    std::atexit([] { unlink(own.c_str()); });
    return own;
  }();
  return path;
}

/// Every event table and StringIds, with all columns read as numbers or texts when `columns` says so, else only stepped through.
std::uint64_t scan(bool columns) {
  sqlite3* db = nullptr;
  sqlite3_open_v2(exportPath().c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
  std::uint64_t rows = 0;
  std::int64_t sum = 0;
  for (std::size_t t = 0; t <= nsys::kEventTableCount; ++t) {
    const std::string name = t < nsys::kEventTableCount ? std::string(nsys::tableName(static_cast<nsys::EventTable>(t))) : "StringIds";
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, ("SELECT * FROM " + name).c_str(), -1, &statement, nullptr) != SQLITE_OK) continue;
    const int count = sqlite3_column_count(statement);
    while (sqlite3_step(statement) == SQLITE_ROW) {
      ++rows;
      for (int i = 0; columns && i < count; ++i) {
        sum += sqlite3_column_type(statement, i) == SQLITE_TEXT ? *sqlite3_column_text(statement, i) : sqlite3_column_int64(statement, i);
      }
    }
    sqlite3_finalize(statement);
  }
  sqlite3_close(db);
  benchmark::DoNotOptimize(sum);
  return rows;
}

void bareSelect(benchmark::State& state) {
  std::uint64_t rows = 0;
  for (auto _ : state) rows += scan(state.range(0) != 0);
  state.counters["rows"] = benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsRate);
}

void import(benchmark::State& state) {
  const std::uint64_t rowsOfOne = scan(false);
  std::uint64_t rows = 0;
  for (auto _ : state) {
    auto file = readPlainFile(exportPath());
    const auto trace = file ? nsys::importNsys(std::move(*file)) : threewalls::base::Result<std::shared_ptr<const Trace>>(threewalls::base::fail(file.error()));
    if (!trace) state.SkipWithError(trace.error().text().c_str());
    rows += rowsOfOne;
  }
  state.counters["rows"] = benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsRate);
}

}  // namespace

BENCHMARK(bareSelect)->Name("bare SELECT, rows stepped through")->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK(bareSelect)->Name("bare SELECT, columns read")->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(import)->Name("import to a Trace")->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();

#include "trace/nsys/nsys_importer.h"

#include "trace/nsys/nsys_environment.h"
#include "trace/nsys/nsys_event_reader.h"
#include "trace/valid_text.h"

#include <algorithm>

namespace threewalls::trace::nsys {
namespace {

constexpr std::size_t kLongestMessage = 2000;

bool isExport(const SqliteFile& file) {
  for (std::size_t i = 0; i < kEventTableCount; ++i) {
    if (newest(file, tableName(static_cast<EventTable>(i))) != nullptr) return true;
  }
  return file.table("META_DATA_EXPORT") != nullptr && file.table("StringIds") != nullptr;
}

base::Error notAnExport(const SqliteFile& file, const std::string& path) {
  base::Error error{base::ErrorCode::UnknownFormat,
                    "This is a SQLite database, but not an Nsight Systems export: none of its tables (" +
                        std::to_string(file.tables().size()) + ") holds GPU work, CUDA calls or NVTX ranges.",
                    path};
  error.hint = "Make an export with: nsys export --type sqlite REPORT.nsys-rep";
  return error;
}

/// Runs `row` over a table when it is there.
template <class Row>
void forEach(const SqliteFile& file, const char* name, const std::vector<std::string>& columns, const Row& row) {
  const SqliteTable* table = newest(file, name);
  if (table == nullptr) return;
  auto rows = file.rows(*table, columns);
  while (rows && rows->next()) row(*rows);
}

/// Facts about the export, the machine and the recording that say how a job performs; no host, user, path or argument.
void readMetadata(const SqliteFile& file, TraceInfo& info) {
  const std::map<std::string, std::string, std::less<>> kept = {{"EXPORT_PRODUCT_VERSION", "nsys_version"},
                                                                {"EXPORT_SCHEMA_VERSION", "nsys_schema"},
                                                                {"NvDriverVersion", "driver_version"},
                                                                {"CudaDriverVersion", "cuda_driver_version"},
                                                                {"CpuDescription", "cpu"},
                                                                {"CpuCores", "cpu_cores"},
                                                                {"OsDescription", "os"},
                                                                {"CUDA_GRAPH_TRACE_OPTIONS:MODE", "cuda_graph_trace"}};
  EnvironmentFilter environment;
  for (const char* table : {"META_DATA_EXPORT", "META_DATA_CAPTURE", "TARGET_INFO_SYSTEM_ENV"}) {
    forEach(file, table, {"name", "value"}, [&](SqliteRows& row) {
      const std::string recorded(row.text(0));
      std::string name = recorded;
      const std::string_view value = row.text(1);
      if (name.starts_with("PROCESS_0:")) name.erase(0, 10);
      if (const auto at = kept.find(name); at != kept.end()) info.metadata[at->second] = validText(value.substr(0, 256));
      environment.add(recorded, value);
    });
  }
  for (const auto& [name, value] : environment.kept()) info.metadata["env." + name] = value;
  forEach(file, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"},
          [&](SqliteRows& row) { info.baseTimeNanoseconds = row.integer(0); });
}

/// Devices by the number that CUDA gives them: events carry that one, and it may differ from the machine's.
void readDevices(const SqliteFile& file, TraceBuilder& builder) {
  std::map<std::int64_t, Device> machine;
  forEach(file, "TARGET_INFO_GPU", {"id", "name", "totalMemory", "smCount"}, [&](SqliteRows& row) {
    Device device;
    device.name = validText(row.text(1));
    device.memoryBytes = static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(2).value_or(0), 0));
    device.multiprocessors = static_cast<int>(std::clamp<std::int64_t>(row.integer(3).value_or(0), 0, 1 << 20));
    machine.emplace(row.integer(0).value_or(-1), std::move(device));
  });
  std::map<std::int64_t, std::int64_t> byCuda;
  bool ambiguous = false;
  forEach(file, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId"}, [&](SqliteRows& row) {
    const std::int64_t gpu = row.integer(0).value_or(-1);
    ambiguous |= byCuda.try_emplace(row.integer(1).value_or(-1), gpu).first->second != gpu;
  });
  if (byCuda.empty()) {
    for (const auto& [gpu, device] : machine) byCuda.emplace(gpu, gpu);
  }
  for (const auto& [cuda, gpu] : byCuda) {
    const auto at = machine.find(gpu);
    if (at == machine.end() || cuda < 0 || cuda > 4096) continue;
    builder.info.devices.push_back(at->second);
    builder.info.devices.back().id = static_cast<int>(cuda);
  }
  if (ambiguous) {
    builder.diagnostics.note({base::Severity::Info,
                              "device_numbers_differ",
                              "Processes of this export give different GPUs the same number; lanes are told apart by process.",
                              builder.info.file,
                              {},
                              {},
                              1});
  }
}

/// Warnings and errors of the recording itself, such as dropped events.
void readRecorderMessages(const SqliteFile& file, TraceBuilder& builder) {
  std::string warnings, errors;
  std::uint64_t warningCount = 0, errorCount = 0;
  forEach(file, "DIAGNOSTIC_EVENT", {"severity", "text"}, [&](SqliteRows& row) {
    const auto severity = row.integer(0);
    if (severity != 2 && severity != 3) return;
    std::string& all = severity == 3 ? errors : warnings;
    ++(severity == 3 ? errorCount : warningCount);
    if (all.size() < kLongestMessage) all += " " + validText(row.text(1).substr(0, kLongestMessage));
  });
  if (warningCount > 0) {
    builder.diagnostics.note({base::Severity::Warning,
                              "recorder_warning",
                              "Nsight Systems warned:" + warnings,
                              builder.info.file,
                              {},
                              {},
                              warningCount});
  }
  if (errorCount > 0) {
    builder.diagnostics.note({base::Severity::Error,
                              "recorder_error",
                              "Nsight Systems reported an error:" + errors,
                              builder.info.file,
                              {},
                              {},
                              errorCount});
  }
}

}  // namespace

base::Result<std::shared_ptr<const Trace>> importNsys(PlainFile file, const base::Progress& progress) {
  auto database = SqliteFile::open(file.text);
  if (!database) {
    base::Error error = database.error();
    error.file = file.info.file;
    return base::fail(std::move(error));
  }
  if (!isExport(*database)) return base::fail(notAnExport(*database, file.info.file));

  TraceBuilder builder;
  builder.info = std::move(file.info);
  builder.diagnostics = std::move(file.diagnostics);
  builder.info.format = "nsys";
  if (database->missingBytes() > 0) {
    builder.diagnostics.note({base::Severity::Warning,
                              "truncated_file",
                              "The file is " + std::to_string(database->missingBytes()) +
                                  " bytes shorter than its header says; what is left was read.",
                              builder.info.file,
                              {},
                              {},
                              1});
  }
  Strings strings(builder);
  if (const SqliteTable* table = newest(*database, "StringIds")) {
    auto rows = database->rows(*table, {"id", "value"});
    if (!rows || !strings.read(std::move(*rows), 4 * file.text->size())) {
      builder.diagnostics.note({base::Severity::Warning,
                                "names_incomplete",
                                "The table of names could be read only in part; some events have no name.",
                                builder.info.file,
                                {},
                                {},
                                1});
    }
  }
  Lanes lanes(builder, strings);
  if (const SqliteTable* table = newest(*database, "PROCESSES")) {
    if (auto rows = database->rows(*table, {"globalPid", "name"})) lanes.readProcesses(std::move(*rows));
  }
  if (const SqliteTable* table = newest(*database, "ThreadNames")) {
    if (auto rows = database->rows(*table, {"nameId", "globalTid"})) lanes.readThreadNames(std::move(*rows));
  }
  readMetadata(*database, builder.info);
  readDevices(*database, builder);
  readRecorderMessages(*database, builder);

  EventReader reader(*database, builder, strings, lanes, progress);
  reader.readAll();
  if (reader.cancelled()) return base::fail({base::ErrorCode::Cancelled, "Loading was cancelled.", builder.info.file});
  lanes.finish();
  builder.setText(std::move(file.text));
  const std::string path = builder.info.file;
  auto trace = std::move(builder).build(progress);
  if (trace == nullptr) return base::fail({base::ErrorCode::Cancelled, "Loading was cancelled.", path});
  return trace;
}

}  // namespace threewalls::trace::nsys

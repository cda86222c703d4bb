#include "trace/nsys/nsys_event_reader.h"

#include <algorithm>
#include <limits>

namespace threewalls::trace::nsys {
namespace {

constexpr std::int64_t kFarthest = std::int64_t{1} << 61;  ///< 73 years: sums and differences of times stay in 64 bits
constexpr std::uint64_t kRowsBetweenReports = 8192;
const std::vector<std::string> kGpuColumns = {"start",    "end",           "globalPid",  "deviceId",
                                              "streamId", "correlationId", "graphNodeId"};
constexpr int kExtra = 7;  ///< first column after kGpuColumns

std::vector<std::string> gpuColumns(std::initializer_list<const char*> extra) {
  std::vector<std::string> out = kGpuColumns;
  out.insert(out.end(), extra.begin(), extra.end());
  return out;
}

/// A word of what is absent in nearly every export says nothing: only tables that a user could have asked for are worth naming.
bool worthNaming(EventTable table) {
  return table != EventTable::GraphTrace && table != EventTable::ProfilerOverhead && table != EventTable::CuptiOverhead;
}

}  // namespace

EventReader::EventReader(const SqliteFile& file, TraceBuilder& builder, Strings& strings, Lanes& lanes,
                         const base::Progress& progress)
    : m_file(file),
      m_builder(builder),
      m_strings(strings),
      m_lanes(lanes),
      m_progress(progress),
      m_unnamed(builder.intern("(unnamed)")) {
  for (std::size_t i = 0; i < kEventTableCount; ++i) {
    if (const SqliteTable* table = newest(file, tableName(static_cast<EventTable>(i))))
      m_rowsExpected += file.estimatedRows(*table);
  }
}

void EventReader::readAll() {
  readMemoryWords();
  readKernels();
  readCopies();
  readSets();
  readGraphs();
  readSyncs();
  readCalls();
  readDomains();
  readRanges();
  readOsRuntime();
  readOverhead();
  addUnfinished();
  noteFindings();
}

void EventReader::scan(EventTable code, const std::vector<std::string>& columns, const Row& row) {
  const SqliteTable* table = newest(m_file, tableName(code));
  if (m_cancelled) return;
  if (table == nullptr) {
    if (worthNaming(code)) m_missingTables.emplace_back(contents(code));
    return;
  }
  for (const std::string& column :
       {std::string("start"), std::string("end"), std::string("correlationId"), std::string("globalPid"),
        std::string("globalTid"), std::string("deviceId"), std::string("streamId")}) {
    const bool wanted = std::find(columns.begin(), columns.end(), column) != columns.end();
    const bool there = std::find(table->columns.begin(), table->columns.end(), column) != table->columns.end();
    if (wanted && !there) m_missingColumns.push_back(std::string(tableName(code)) + "." + column);
  }
  auto rows = m_file.rows(*table, columns);
  while (rows && rows->next()) {
    row(*rows);
    if (++m_rowsRead % kRowsBetweenReports != 0) continue;
    m_progress.report(m_rowsRead, std::max(m_rowsExpected, m_rowsRead));
    if (m_progress.stopRequested()) {
      m_cancelled = true;
      return;
    }
  }
  if (rows && !rows->damaged()) return;
  const std::string why = rows ? rows->error() : rows.error().message;
  m_damagedTables.push_back(std::string(tableName(code)) + " after " + std::to_string(rows ? rows->rowsRead() : 0) + " rows (" +
                            why + ")");
}

std::optional<EventReader::Times> EventReader::times(SqliteRows& row) {
  const auto start = row.integer(0);
  const auto end = row.integer(1);
  const auto believable = [](std::int64_t time) { return time > -kFarthest && time < kFarthest; };
  if (!start || !believable(*start)) {
    ++m_found["row_without_time"];
    return std::nullopt;
  }
  Times out{*start, 0, 0};
  if (!end || !believable(*end)) {
    ++m_found["missing_duration"];
    out.flags = event_flag::kRepaired;
  } else if (*end < *start) {
    ++m_found["negative_duration"];
    out.flags = event_flag::kRepaired;
  } else {
    out.duration = *end - *start;
  }
  m_lastEnd = std::max(m_lastEnd, out.start + out.duration);
  return out;
}

RawEvent EventReader::event(EventTable table, SqliteRows& row, const Times& times, NameId name, EventKind kind) const {
  RawEvent out;
  out.start = times.start;
  out.duration = times.duration;
  out.byteOffset = rowPlace(table, row.rowId());
  out.name = name;
  out.kind = kind;
  out.flags = times.flags;
  return out;
}

void EventReader::addGpu(EventTable table, SqliteRows& row, EventKind kind, NameId name) {
  const auto when = times(row);
  if (!when) return;
  const std::int64_t device = row.integer(3).value_or(-1);
  const LaneKind lane = kind == EventKind::GpuSync ? LaneKind::GpuSync : LaneKind::GpuStream;
  RawEvent out = event(table, row, *when, name, kind);
  out.correlation = std::max<std::int64_t>(row.integer(5).value_or(-1), -1);
  if (kind == EventKind::GpuSync) out.correlation = -1;
  const bool believable = device >= 0 && device < std::numeric_limits<std::int32_t>::max();
  m_builder.add(m_lanes.gpu(lane, row.integer(2), believable ? device : -1, row.integer(4).value_or(-1)), out);
}

void EventReader::readMemoryWords() {
  const auto read = [&](const char* name, const auto& set) {
    const SqliteTable* table = newest(m_file, name);
    if (table == nullptr) return;
    auto rows = m_file.rows(*table, {"id", "name"});
    while (rows && rows->next()) set(rows->integer(0).value_or(-1), rows->text(1));
  };
  read("ENUM_CUDA_MEMCPY_OPER", [&](std::int64_t id, std::string_view name) { m_words.setCopyKind(id, name); });
  read("ENUM_CUDA_MEM_KIND", [&](std::int64_t id, std::string_view name) { m_words.setMemoryKind(id, name); });
}

void EventReader::readKernels() {
  const bool graphs = newest(m_file, tableName(EventTable::GraphTrace)) != nullptr;
  scan(EventTable::Kernel, gpuColumns({"demangledName", "shortName", "mangledName"}), [&](SqliteRows& row) {
    auto name = m_strings.name(row.integer(kExtra));
    for (int i = kExtra + 1; !name && i < kExtra + 3; ++i) name = m_strings.name(row.integer(i));
    if (!name) ++m_found["unnamed_event"];
    if (graphs && !row.isNull(6)) m_graphNodes[processPart(row.integer(2).value_or(0))].insert(row.integer(5).value_or(-1));
    addGpu(EventTable::Kernel, row, EventKind::Kernel, name.value_or(m_unnamed));
  });
}

void EventReader::readCopies() {
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, NameId> names;
  scan(EventTable::Memcpy, gpuColumns({"copyKind", "srcKind", "dstKind", "srcDeviceId", "dstDeviceId"}), [&](SqliteRows& row) {
    auto kind = row.integer(kExtra);
    const auto from = row.integer(kExtra + 3), to = row.integer(kExtra + 4);
    if (kind == 8 && from && to && *from != *to) kind = 10;  // device to device across devices: a peer copy
    const auto [at, fresh] =
        names.try_emplace({kind.value_or(-1), row.integer(kExtra + 1).value_or(-1), row.integer(kExtra + 2).value_or(-1)});
    if (fresh) at->second = m_builder.intern(m_words.copy(kind, row.integer(kExtra + 1), row.integer(kExtra + 2)));
    addGpu(EventTable::Memcpy, row, EventKind::MemoryCopy, at->second);
  });
}

void EventReader::readSets() {
  scan(EventTable::Memset, gpuColumns({"memKind"}), [&](SqliteRows& row) {
    addGpu(EventTable::Memset, row, EventKind::MemorySet, m_builder.intern(m_words.set(row.integer(kExtra))));
  });
}

void EventReader::readGraphs() {
  scan(EventTable::GraphTrace, gpuColumns({"graphId"}), [&](SqliteRows& row) {
    const auto nodes = m_graphNodes.find(processPart(row.integer(2).value_or(0)));
    if (nodes != m_graphNodes.end() && nodes->second.contains(row.integer(5).value_or(-1))) {
      ++m_found["graph_span_with_nodes"];
      return;
    }
    const auto graph = row.integer(kExtra);
    addGpu(EventTable::GraphTrace, row, EventKind::GraphSpan,
           m_builder.intern(graph ? "CUDA graph " + std::to_string(*graph) : std::string("CUDA graph")));
  });
}

void EventReader::readSyncs() {
  scan(EventTable::Synchronization, gpuColumns({"syncType"}), [&](SqliteRows& row) {
    addGpu(EventTable::Synchronization, row, EventKind::GpuSync, m_builder.intern(syncName(row.integer(kExtra))));
  });
}

void EventReader::readCalls() {
  scan(EventTable::Runtime, {"start", "end", "globalTid", "correlationId", "nameId", "eventClass"}, [&](SqliteRows& row) {
    const auto thread = row.integer(2);
    if (!thread) ++m_found["row_without_thread"];
    const auto when = thread ? times(row) : std::nullopt;
    if (!when) return;
    const auto name = m_strings.api(row.integer(4));
    if (!name) ++m_found["unnamed_event"];
    const EventKind kind = row.integer(5) == 1 ? EventKind::DriverCall : EventKind::RuntimeCall;
    RawEvent out = event(EventTable::Runtime, row, *when, name.value_or(m_unnamed), kind);
    out.correlation = std::max<std::int64_t>(row.integer(3).value_or(-1), -1);
    m_builder.add(m_lanes.host(LaneKind::HostThread, *thread), out);
  });
}

void EventReader::readOsRuntime() {
  scan(EventTable::OsRuntime, {"start", "end", "globalTid", "nameId"}, [&](SqliteRows& row) {
    const auto thread = row.integer(2);
    const auto when = thread ? times(row) : std::nullopt;
    if (!when) return;
    const NameId name = m_strings.name(row.integer(3)).value_or(m_unnamed);
    m_builder.add(m_lanes.host(LaneKind::Other, *thread), event(EventTable::OsRuntime, row, *when, name, EventKind::Other));
  });
}

void EventReader::readOverhead() {
  for (const EventTable table : {EventTable::ProfilerOverhead, EventTable::CuptiOverhead}) {
    scan(table, {"start", "end", "globalTid", "nameId"}, [&](SqliteRows& row) {
      const auto when = times(row);
      if (!when) return;
      const NameId name = m_strings.name(row.integer(3)).value_or(m_unnamed);
      m_builder.add(m_lanes.host(LaneKind::Overhead, row.integer(2).value_or(0)),
                    event(table, row, *when, name, EventKind::Overhead));
    });
  }
}

void EventReader::addUnfinished() {
  for (auto& [lane, range] : m_unfinished) {
    range.duration = std::max<std::int64_t>(m_lastEnd - range.start, 0);
    m_builder.add(lane, range);
  }
}

}  // namespace threewalls::trace::nsys

#pragma once

#include "base/progress.h"
#include "trace/nsys/nsys_lanes.h"
#include "trace/nsys/nsys_names.h"
#include "trace/nsys/nsys_tables.h"
#include "trace/trace_builder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace threewalls::trace::nsys {

/// Turns the rows of the event tables into events of a TraceBuilder.
class EventReader {
 public:
  EventReader(const SqliteFile& file, TraceBuilder& builder, Strings& strings, Lanes& lanes, const base::Progress& progress);
  void readAll();
  bool cancelled() const { return m_cancelled; }
  std::uint64_t rowsRead() const { return m_rowsRead; }

 private:
  using Row = std::function<void(SqliteRows&)>;
  struct Times {
    std::int64_t start = 0;
    std::int64_t duration = 0;
    std::uint8_t flags = 0;
  };
  /// Runs `row` over every row of a table; the first two of `columns` are start and end.
  void scan(EventTable table, const std::vector<std::string>& columns, const Row& row);
  /// None when the row cannot be placed in time.
  std::optional<Times> times(SqliteRows& row);
  RawEvent event(EventTable table, SqliteRows& row, const Times& times, NameId name, EventKind kind) const;

  void readMemoryWords();
  void readKernels();
  void readCopies();
  void readSets();
  void readGraphs();
  void readSyncs();
  void readCalls();
  void readRanges();
  void readDomains();
  void readOsRuntime();
  void readOverhead();
  /// Columns start, end, globalPid, deviceId, streamId, correlationId and graphNodeId come first in every table of GPU work.
  void addGpu(EventTable table, SqliteRows& row, EventKind kind, NameId name);
  void addUnfinished();
  void noteFindings();

  const SqliteFile& m_file;
  TraceBuilder& m_builder;
  Strings& m_strings;
  Lanes& m_lanes;
  const base::Progress& m_progress;
  MemoryWords m_words;
  NameId m_unnamed;
  std::unordered_map<std::int64_t, std::unordered_set<std::int64_t>> m_graphNodes;  ///< process -> correlations with nodes
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> m_domains;           ///< (process, domain) -> name
  std::vector<std::pair<std::uint32_t, RawEvent>> m_unfinished;                     ///< ranges without an end, by lane
  std::vector<std::string> m_damagedTables, m_missingTables, m_missingColumns;
  std::map<std::string, std::uint64_t> m_found;  ///< finding -> how often
  std::int64_t m_lastEnd = 0;
  std::uint64_t m_rowsRead = 0, m_rowsExpected = 0;
  bool m_cancelled = false;
};

}  // namespace threewalls::trace::nsys

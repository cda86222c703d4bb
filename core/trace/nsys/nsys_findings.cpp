// What EventReader says about the rows that it read.
#include "trace/nsys/nsys_event_reader.h"

namespace threewalls::trace::nsys {
namespace {

struct Finding {
  base::Severity severity;
  const char* code;
  const char* message;
};
constexpr Finding kFindings[] = {
    {base::Severity::Warning, "row_without_time", "Some rows have no start time that can be believed; they were left out."},
    {base::Severity::Warning, "missing_duration", "Some rows have no end; they count as having no length."},
    {base::Severity::Warning, "negative_duration", "Some rows end before they start; they count as having no length."},
    {base::Severity::Info, "unfinished_range",
     "Some NVTX ranges were still open when the recording stopped; they end with its last event."},
    {base::Severity::Info, "unnamed_event", "Some rows have no name in this export; they are shown as \"(unnamed)\"."},
    {base::Severity::Info, "graph_span_with_nodes",
     "Some CUDA graphs were recorded both as a whole and by node; only the nodes count."},
    {base::Severity::Warning, "row_without_thread", "Some rows name no thread; they were left out."},
};

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace

void EventReader::noteFindings() {
  base::Diagnostics& diagnostics = m_builder.diagnostics;
  const std::string& file = m_builder.info.file;
  for (const Finding& finding : kFindings) {
    if (const auto at = m_found.find(finding.code); at != m_found.end() && at->second > 0) {
      diagnostics.note({finding.severity, finding.code, finding.message, file, {}, {}, at->second});
    }
  }
  if (!m_damagedTables.empty()) {
    diagnostics.note({base::Severity::Warning,
                      "damaged_table",
                      "Tables that could be read only in part: " + joined(m_damagedTables) + ".",
                      file,
                      {},
                      {},
                      m_damagedTables.size()});
  }
  if (!m_missingTables.empty()) {
    diagnostics.note({base::Severity::Info,
                      "table_not_collected",
                      "Not in this export: " + joined(m_missingTables) + ".",
                      file,
                      {},
                      {},
                      m_missingTables.size()});
  }
  if (!m_missingColumns.empty()) {
    diagnostics.note({base::Severity::Info,
                      "column_not_collected",
                      "Columns that this export lacks: " + joined(m_missingColumns) + ".",
                      file,
                      {},
                      {},
                      m_missingColumns.size()});
  }
  if (m_lanes.overflow() > 0) {
    diagnostics.note({base::Severity::Warning,
                      "too_many_lanes",
                      "The export names more streams and threads than can be shown; the rest stand in common lanes.",
                      file,
                      {},
                      {},
                      m_lanes.overflow()});
  }
}

}  // namespace threewalls::trace::nsys

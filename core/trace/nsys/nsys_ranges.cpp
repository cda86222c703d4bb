// The NVTX part of EventReader.
#include "trace/nsys/nsys_event_reader.h"
#include "trace/valid_text.h"

namespace threewalls::trace::nsys {
namespace {

/// Numbers of eventType, the same in every release seen.
constexpr std::int64_t kMark = 34;
constexpr std::int64_t kPushPopRange = 59;
constexpr std::int64_t kStartEndRange = 60;
constexpr std::int64_t kDomainCreate = 75;

const std::vector<std::string> kColumns = {"start", "end", "globalTid", "eventType", "text", "textId", "domainId"};
enum Column { Start, End, Thread, Type, Text, TextId, Domain };

}  // namespace

void EventReader::readDomains() {
  const SqliteTable* table = newest(m_file, tableName(EventTable::Nvtx));
  if (table == nullptr) return;
  auto rows = m_file.rows(*table, kColumns);
  while (rows && rows->next()) {
    if (rows->integer(Type) != kDomainCreate) continue;
    const std::string_view text = rows->isNull(Text) ? m_strings.text(rows->integer(TextId)) : rows->text(Text);
    m_domains[{processPart(rows->integer(Thread).value_or(0)), rows->integer(Domain).value_or(0)}] = validText(text);
  }
}

void EventReader::readRanges() {
  scan(EventTable::Nvtx, kColumns, [&](SqliteRows& row) {
    const auto type = row.integer(Type);
    const bool mark = type == kMark;
    if (!mark && type != kPushPopRange && type != kStartEndRange) return;  // names of threads, categories, domains
    const auto thread = row.integer(Thread);
    if (!thread) {
      ++m_found["row_without_thread"];
      return;
    }
    const bool open = row.isNull(End);
    const std::uint64_t repaired = m_found["missing_duration"];
    const auto when = times(row);
    if (!when) return;
    if (open) m_found["missing_duration"] = repaired;  // an open end is what NVTX means by a mark or an unfinished range

    const auto domain = m_domains.find({processPart(*thread), row.integer(Domain).value_or(0)});
    std::optional<NameId> name;
    if (domain != m_domains.end() && !domain->second.empty()) {
      const std::string text = row.isNull(Text) ? std::string(m_strings.text(row.integer(TextId))) : validText(row.text(Text));
      name = m_builder.intern("[" + domain->second + "] " + std::string(rangeName(text)));
    } else if (row.isNull(Text)) {
      name = m_strings.range(row.integer(TextId));
    } else {
      name = m_builder.intern(rangeName(validText(row.text(Text))));
    }
    if (!name) ++m_found["unnamed_event"];
    RawEvent out = event(EventTable::Nvtx, row, *when, name.value_or(m_unnamed), EventKind::Annotation);
    const std::uint32_t lane =
        type == kStartEndRange ? m_lanes.processRanges(*thread) : m_lanes.host(LaneKind::HostThread, *thread);
    if (!open || mark) {
      if (mark) out.flags = 0;
      m_builder.add(lane, out);
      return;
    }
    ++m_found["unfinished_range"];
    m_unfinished.emplace_back(lane, out);
  });
}

}  // namespace threewalls::trace::nsys

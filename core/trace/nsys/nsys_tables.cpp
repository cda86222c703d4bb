#include "trace/nsys/nsys_tables.h"

#include "trace/sub_lane.h"
#include "trace/valid_text.h"

#include <nlohmann/json.hpp>

#include <charconv>

namespace threewalls::trace::nsys {
namespace {

struct Entry {
  std::string_view name;
  std::string_view contents;
};

constexpr std::array<Entry, kEventTableCount> kTables = {{
    {"CUPTI_ACTIVITY_KIND_KERNEL", "kernels"},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", "memory copies"},
    {"CUPTI_ACTIVITY_KIND_MEMSET", "memory sets"},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "whole CUDA graphs"},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUDA calls"},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "synchronization"},
    {"NVTX_EVENTS", "NVTX ranges"},
    {"OSRT_API", "operating system calls"},
    {"PROFILER_OVERHEAD", "profiler overhead"},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", "CUPTI overhead"},
}};
constexpr int kRowBits = 35;

/// Columns whose numbers are ids into StringIds.
bool isStringId(std::string_view column) {
  return column == "nameId" || column == "textId" || column == "jsonTextId" || column == "demangledName" ||
         column == "shortName" || column == "mangledName";
}

std::optional<std::string> stringOf(const SqliteFile& file, std::int64_t id) {
  const SqliteTable* strings = newest(file, "StringIds");
  if (strings == nullptr) return std::nullopt;
  if (auto row = file.row(*strings, {"id", "value"}, id); row && row->next() && row->integer(0) == id) {
    return validText(row->text(1));  // the id is the row's number in every export seen
  }
  auto rows = file.rows(*strings, {"id", "value"});
  while (rows && rows->next()) {
    if (rows->integer(0) == id) return validText(rows->text(1));
  }
  return std::nullopt;
}

}  // namespace

std::string_view tableName(EventTable table) {
  return kTables[static_cast<std::size_t>(table)].name;
}
std::string_view contents(EventTable table) {
  return kTables[static_cast<std::size_t>(table)].contents;
}

const SqliteTable* newest(const SqliteFile& file, std::string_view name) {
  const SqliteTable* best = nullptr;
  int bestVersion = 0;
  for (const SqliteTable& table : file.tables()) {
    std::string_view rest = table.name;
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    int version = 1;
    if (!rest.empty()) {
      if (!rest.starts_with("_V")) continue;
      const auto [end, error] = std::from_chars(rest.data() + 2, rest.data() + rest.size(), version);
      if (error != std::errc() || end != rest.data() + rest.size()) continue;
    }
    if (version > bestVersion) {
      best = &table;
      bestVersion = version;
    }
  }
  return best;
}

std::uint64_t rowPlace(EventTable table, std::int64_t rowId) {
  if (rowId <= 0 || rowId >= std::int64_t{1} << kRowBits) return kNoOffset;
  return static_cast<std::uint64_t>(table) << kRowBits | static_cast<std::uint64_t>(rowId);
}

base::Result<std::string> rowJson(const std::shared_ptr<const RawText>& file, std::uint64_t place) {
  const std::uint64_t number = place >> kRowBits;
  if (place == kNoOffset || number >= kEventTableCount) {
    return base::fail({base::ErrorCode::InvalidArgument, "This event has no row of its own in the file."});
  }
  const auto database = SqliteFile::open(file);
  if (!database) return base::fail(database.error());
  const SqliteTable* table = newest(*database, kTables[number].name);
  const auto rowId = static_cast<std::int64_t>(place & ((std::uint64_t{1} << kRowBits) - 1));
  base::Error gone{base::ErrorCode::BadData, "The row of this event is not in the file any more.", "", {}, {},
                   "Open the file again."};
  if (table == nullptr) return base::fail(std::move(gone));
  auto row = database->row(*table, table->columns, rowId);
  if (!row || !row->next()) return base::fail(std::move(gone));
  nlohmann::ordered_json json = {{"table", validText(table->name)}, {"row", rowId}};
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    const int column = static_cast<int>(i);
    if (row->isNull(column)) continue;
    const std::string key = validText(table->columns[i]);
    if (const auto number64 = row->integer(column)) {
      const auto text = isStringId(table->columns[i]) ? stringOf(*database, *number64) : std::nullopt;
      if (text) {
        json[key] = *text;
      } else {
        json[key] = *number64;
      }
    } else {
      json[key] = validText(row->text(column));
    }
  }
  return json.dump();
}

}  // namespace threewalls::trace::nsys

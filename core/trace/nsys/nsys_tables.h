#pragma once

#include "base/result.h"
#include "trace/nsys/sqlite_file.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace threewalls::trace::nsys {

/// The event tables that are read. The order is part of row places and must not change.
enum class EventTable : std::uint8_t {
  Kernel,
  Memcpy,
  Memset,
  GraphTrace,
  Runtime,
  Synchronization,
  Nvtx,
  OsRuntime,
  ProfilerOverhead,
  CuptiOverhead
};
constexpr std::size_t kEventTableCount = 10;

/// "CUPTI_ACTIVITY_KIND_KERNEL".
std::string_view tableName(EventTable table);
/// "kernels": what a user calls its rows.
std::string_view contents(EventTable table);

/// The table of this name or, since releases add suffixes, the one with the highest "_V2", "_V3".
const SqliteTable* newest(const SqliteFile& file, std::string_view name);

/// Where a row stands, as a RawEvent::byteOffset; kNoOffset when it cannot be told.
std::uint64_t rowPlace(EventTable table, std::int64_t rowId);

/// The row at a place as one JSON object, string ids resolved.
base::Result<std::string> rowJson(const std::shared_ptr<const RawText>& file, std::uint64_t place);

}  // namespace threewalls::trace::nsys

#pragma once

#include "trace/nsys/sqlite_file.h"
#include "trace/trace_builder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace threewalls::trace::nsys {

/// The export's StringIds. Only what events name goes into the trace's name table: the rest are symbols of call chains.
class Strings {
 public:
  explicit Strings(TraceBuilder& builder) : m_builder(builder) {}
  /// Texts beyond `mostBytes` together are left out: a damaged file can repeat a text without end. False when the table could not
  /// be read to its end.
  bool read(SqliteRows rows, std::uint64_t mostBytes);

  /// Empty for an unknown id.
  std::string_view text(std::optional<std::int64_t> id) const;
  /// The text as an event's name; none for an unknown id.
  std::optional<NameId> name(std::optional<std::int64_t> id);
  /// As name(), without the version that CUDA calls carry.
  std::optional<NameId> api(std::optional<std::int64_t> id);
  /// As name(), without the counters that PyTorch appends to its ranges.
  std::optional<NameId> range(std::optional<std::int64_t> id);

 private:
  struct Entry {
    std::string text;
    std::optional<NameId> name, api, range;
  };
  Entry* find(std::optional<std::int64_t> id);

  TraceBuilder& m_builder;
  std::unordered_map<std::int64_t, Entry> m_entries;
};

}  // namespace threewalls::trace::nsys

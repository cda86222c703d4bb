#include "trace/nsys/nsys_strings.h"

#include "trace/nsys/nsys_names.h"
#include "trace/valid_text.h"

namespace threewalls::trace::nsys {

bool Strings::read(SqliteRows rows, std::uint64_t mostBytes) {
  std::uint64_t bytes = 0;
  while (rows.next()) {
    const auto id = rows.integer(0);
    const std::string_view text = rows.text(1);
    bytes += text.size();
    if (id && bytes <= mostBytes) m_entries[*id].text = validText(text);
  }
  return !rows.damaged() && bytes <= mostBytes;
}

Strings::Entry* Strings::find(std::optional<std::int64_t> id) {
  const auto at = id ? m_entries.find(*id) : m_entries.end();
  return at == m_entries.end() ? nullptr : &at->second;
}

std::string_view Strings::text(std::optional<std::int64_t> id) const {
  const auto at = id ? m_entries.find(*id) : m_entries.end();
  return at == m_entries.end() ? std::string_view() : std::string_view(at->second.text);
}

std::optional<NameId> Strings::name(std::optional<std::int64_t> id) {
  Entry* entry = find(id);
  if (entry == nullptr) return std::nullopt;
  if (!entry->name) entry->name = m_builder.intern(entry->text);
  return entry->name;
}

std::optional<NameId> Strings::api(std::optional<std::int64_t> id) {
  Entry* entry = find(id);
  if (entry == nullptr) return std::nullopt;
  if (!entry->api) entry->api = m_builder.intern(apiName(entry->text));
  return entry->api;
}

std::optional<NameId> Strings::range(std::optional<std::int64_t> id) {
  Entry* entry = find(id);
  if (entry == nullptr) return std::nullopt;
  if (!entry->range) entry->range = m_builder.intern(rangeName(entry->text));
  return entry->range;
}

}  // namespace threewalls::trace::nsys

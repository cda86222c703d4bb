#include "trace/name_table.h"

namespace threewalls::trace {

NameId NameTable::intern(std::string_view name) {
  const auto known = m_ids.find(name);
  if (known != m_ids.end()) return known->second;
  const NameId id{static_cast<std::uint32_t>(m_names.size())};
  m_ids.emplace(m_names.emplace_back(name), id);
  return id;
}

std::size_t NameTable::bytes() const {
  // The map's nodes and buckets: key, id, hash and two pointers each.
  std::size_t total = m_names.size() * (sizeof(std::string) + sizeof(std::string_view) + 4 * sizeof(void*));
  for (const std::string& name : m_names) {
    if (name.size() > 15) total += name.capacity() + 1;
  }
  return total;
}

}  // namespace threewalls::trace

#pragma once

#include "trace/event.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace threewalls::trace {

/// Names interned once per trace. Views stay valid as long as the table; ids count from 0 in the order of first sight.
class NameTable {
 public:
  NameTable() = default;
  NameTable(NameTable&&) = default;
  NameTable& operator=(NameTable&&) = default;
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  NameId intern(std::string_view name);
  std::string_view operator[](NameId id) const { return m_names[index(id)]; }
  std::size_t size() const { return m_names.size(); }
  std::size_t bytes() const;

 private:
  std::deque<std::string> m_names;
  std::unordered_map<std::string_view, NameId> m_ids;
};

}  // namespace threewalls::trace

#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/name_table.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace threewalls::analysis {

enum class QueryKind : std::uint8_t {
  Text,        ///< names that hold the text; A to Z in any case
  Expression,  ///< names in which the RE2 expression finds something; in any case unless it says (?-i)
  Name,        ///< the one name that is exactly this
};

/// What a user looks for among the names of events (UTF-8). An empty one finds nothing.
struct SearchQuery {
  std::string pattern;
  QueryKind kind = QueryKind::Text;
  bool operator==(const SearchQuery&) const = default;
};

/// The names that a query means: one flag for each NameId of a table.
class NameSet {
 public:
  NameSet() = default;
  explicit NameSet(std::size_t names) : m_flags(names) {}

  void insert(trace::NameId name);
  bool contains(trace::NameId name) const { return m_flags[trace::index(name)] != 0; }
  std::size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }

 private:
  std::vector<std::uint8_t> m_flags;
  std::size_t m_size = 0;
};

/// Asks a query of every distinct name once. RE2 takes time linear in the names; names are bounded by nothing, so an expression
/// has a time limit besides. Errors: InvalidArgument for an expression that RE2 refuses, with its reason, or that takes more
/// than `limit`; Cancelled.
base::Result<NameSet> matchingNames(const trace::NameTable& names, const SearchQuery& query, const base::Progress& progress = {},
                                    std::chrono::milliseconds limit = std::chrono::milliseconds(2000));

}  // namespace threewalls::analysis

#pragma once

#include <string>
#include <vector>

namespace threewalls::parallel {

/// A rule that a layout breaks. Ids like MESH-001 and PP-009 are those of rules.json; the few that it lacks have names with a
/// dot.
struct Violation {
  std::string rule;
  std::string message;  ///< what is wrong, with this layout's numbers
  std::string remedy;   ///< what to change
};

}  // namespace threewalls::parallel

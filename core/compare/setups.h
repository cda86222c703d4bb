#pragma once

#include "compare/compare.h"

#include <string>
#include <vector>

namespace threewalls::compare {

/// Why two runs must not be compared (definitions.md, Not comparable), one sentence each; adds to `unknown` what could not be
/// checked.
std::vector<std::string> obstacles(const RunSide& a, const RunSide& b, std::vector<std::string>& unknown);

/// What differs between the argument dumps of two logs, by name, without paths, hosts, ports and names; none unless both logs
/// have one. An argument that only one side has counts as different.
std::optional<std::vector<ChangedVariable>> changedVariables(const RunSide& a, const RunSide& b);

/// One entry, or the layout as a whole (TP, PP, CP, EP, ETP and DP move together).
bool isSingleVariable(const std::vector<ChangedVariable>& changed);

}  // namespace threewalls::compare

#pragma once

#include "parallel/violation.h"

#include <nlohmann/json_fwd.hpp>

#include <ostream>
#include <vector>

namespace threewalls::cli {

/// [{rule, message, remedy}] of the command line contract.
nlohmann::ordered_json toJson(const std::vector<parallel::Violation>& violations);
/// One paragraph per violation.
void printViolations(std::ostream& out, const std::vector<parallel::Violation>& violations);

}  // namespace threewalls::cli

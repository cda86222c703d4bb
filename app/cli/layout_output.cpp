#include "layout_output.h"

#include "table.h"

#include <nlohmann/json.hpp>

namespace threewalls::cli {

nlohmann::ordered_json toJson(const std::vector<parallel::Violation>& violations) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const parallel::Violation& one : violations)
    list.push_back({{"rule", one.rule}, {"message", one.message}, {"remedy", one.remedy}});
  return list;
}

void printViolations(std::ostream& out, const std::vector<parallel::Violation>& violations) {
  if (violations.empty()) return;
  out << "This layout is not legal:\n";
  for (const parallel::Violation& one : violations)
    printWrapped(out, "  " + one.rule + "  ", printable(one.message + " " + one.remedy));
}

}  // namespace threewalls::cli

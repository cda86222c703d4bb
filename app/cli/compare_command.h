#pragma once

#include "compare/compare.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <ostream>
#include <string>

namespace CLI {
class App;
}

namespace threewalls::cli {

/// What `compare` was asked for.
struct CompareRequest {
  std::string a;
  std::string b;
  std::optional<double> maxRegression;
  bool json = false;
};

/// Adds `compare` to the program; `request` must outlive it.
CLI::App* addCompare(CLI::App& app, CompareRequest& request);
/// Runs it: an ExitCode.
int runCompare(const CompareRequest& request);

/// B is slower than A by more than `limit`, and the whole interval says so.
bool regressed(const compare::Comparison& comparison, double limit);

nlohmann::ordered_json compareJson(const compare::Comparison& comparison);
void printCompareTables(std::ostream& out, const compare::Comparison& comparison);

}  // namespace threewalls::cli

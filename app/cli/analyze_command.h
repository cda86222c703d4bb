#pragma once

#include "analysis/analysis.h"
#include "time_range.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace threewalls::cli {

/// What `analyze` was asked for.
struct AnalyzeRequest {
  std::vector<std::string> files;
  std::string ranksFolder;
  std::string steps;  ///< "A:B", or empty
  TimeRangeArguments range;
  bool whole = false;
  bool json = false;
};

/// Adds `analyze` to the program; `request` must outlive it.
CLI::App* addAnalyze(CLI::App& app, AnalyzeRequest& request);
/// Runs it: an ExitCode.
int runAnalyze(const AnalyzeRequest& request);

/// One or several traces, one rank each, seen as one.
struct AnalyzeReport {
  std::vector<std::shared_ptr<const analysis::Analysis>> traces;
  base::Diagnostics diagnostics;

  struct Kernel {
    std::string name;
    std::string classId;
    std::uint64_t count = 0;
    base::Nanoseconds sum{0};
    base::Nanoseconds max{0};
  };

  analysis::Ledger totals() const;
  /// Rows of all traces, joined by name, longest sum first.
  std::vector<Kernel> kernels() const;
  std::vector<analysis::ClassRow> classes() const;
  const analysis::ClassTable& classTable() const { return traces.front()->classes.table(); }
  /// The trace whose wall step lasts longest: the slowest rank speaks for the job.
  const analysis::Analysis& slowest() const;
};

nlohmann::ordered_json analyzeJson(const AnalyzeReport& report);
void printAnalyzeTables(std::ostream& out, const AnalyzeReport& report);

}  // namespace threewalls::cli

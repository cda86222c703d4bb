#pragma once

#include "analysis/analysis.h"
#include "base/diagnostics.h"
#include "base/result.h"
#include "time_range.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace threewalls::cli {

/// The diagnostics list of the command line contract.
nlohmann::ordered_json toJson(const base::Diagnostics& diagnostics);
/// Writes `object` as one JSON document; bytes of names that are no UTF-8 become U+FFFD.
void printJson(const nlohmann::ordered_json& object);

/// What was read: file, format, rank, GPU, events and content hash, each line after `label`.
void printProvenance(std::ostream& out, const std::string& label, const analysis::Analysis& analysis);
/// One line per diagnostic, nothing when there is none.
void printDiagnostics(std::ostream& out, const base::Diagnostics& diagnostics);
/// Tells standard error why an input could not be used.
void printError(const base::Error& error);

/// Reads and analyses one trace; over `range` when any of it is given.
base::Result<std::shared_ptr<const analysis::Analysis>> load(const std::string& path,
                                                             const analysis::AnalysisOptions& options = {},
                                                             const TimeRangeArguments& range = {});

}  // namespace threewalls::cli

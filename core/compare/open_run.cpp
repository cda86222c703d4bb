#include "compare/open_run.h"

#include "base/statistics.h"
#include "trace/open.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace threewalls::compare {
namespace {

namespace fs = std::filesystem;
using analysis::Analysis;

constexpr std::size_t kMostFiles = 10'000;

base::Error problem(base::ErrorCode code, const std::string& path, std::string message, std::string hint) {
  return {code, std::move(message), path, {}, {}, std::move(hint)};
}

/// Whether a file is text that is no JSON: what a log can be. Everything else goes to the trace readers.
bool isPlainText(const std::string& path) {
  std::array<char, 4096> head{};
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), head.size());
  const std::string_view text(head.data(), static_cast<std::size_t>(in.gcount()));
  if (text.starts_with("\x1F\x8B") || text.starts_with("SQLite format 3") || text.starts_with("PK\x03\x04")) return false;
  const auto first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string_view::npos || text[first] == '{') return false;
  if (text[first] != '[') return true;  // "[2026-03-15 ...]" is a log's, "[ {" a JSON list's
  const auto second = text.find_first_not_of(" \t\r\n", first + 1);
  return second != std::string_view::npos && text[second] != '{' && text[second] != ']';
}

base::Result<std::shared_ptr<const run::TrainingLog>> openLog(const std::string& path) {
  auto log = run::readTrainingLog({path});
  if (!log) return base::fail(log.error());
  if (log->iterations.empty()) {
    return base::fail(problem(base::ErrorCode::UnknownFormat, path, "This is neither a trace nor a training log with iterations.",
                              "Name a profiler trace, the trainer's output, or a folder with both."));
  }
  return std::make_shared<const run::TrainingLog>(std::move(*log));
}

base::Result<std::shared_ptr<const Analysis>> openAnalysis(const std::string& path) {
  auto trace = trace::openTrace(path);
  if (!trace) return base::fail(trace.error());
  return analysis::analyze(*trace);
}

double medianStep(const Analysis& analysis) {
  std::vector<double> durations;
  for (const analysis::Step* step : steadySteps(analysis))
    durations.push_back(static_cast<double>(step->interval.length().count()));
  return base::median(std::move(durations));
}

base::Result<std::vector<std::string>> filesIn(const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> files;
  fs::directory_iterator it(folder, failure);
  for (; !failure && it != fs::directory_iterator() && files.size() < kMostFiles; it.increment(failure)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) files.push_back(it->path().string());
  }
  if (failure) {
    return base::fail(problem(base::ErrorCode::CannotRead, folder, "The folder cannot be read: " + failure.message() + ".",
                              "Check the path and its permissions."));
  }
  std::sort(files.begin(), files.end());
  return files;
}

void note(base::Diagnostics& notes, base::Severity severity, std::string code, std::string message, const std::string& file) {
  notes.note({severity, std::move(code), std::move(message), file, {}, {}});
}

base::Result<RunSide> openFolder(const std::string& folder) {
  const auto files = filesIn(folder);
  if (!files) return base::fail(files.error());
  RunSide side;
  std::size_t traces = 0;
  for (const std::string& file : *files) {
    if (isPlainText(file)) {
      auto log = openLog(file);
      if (!log) {
        note(side.notes, base::Severity::Info, "file_skipped", log.error().message, file);
      } else if (side.log) {
        return base::fail(
            problem(base::ErrorCode::Unsupported, folder,
                    "The folder holds several logs with iterations, " + side.log->files.front() + " and " + file + ".",
                    "Put each run into a folder of its own, or name one log."));
      } else {
        side.log = std::move(*log);
      }
      continue;
    }
    auto analysis = openAnalysis(file);
    if (!analysis) {
      note(side.notes, base::Severity::Info, "file_skipped", analysis.error().message, file);
      continue;
    }
    ++traces;
    if (!side.analysis || medianStep(**analysis) > medianStep(*side.analysis)) side.analysis = std::move(*analysis);
  }
  if (!side.analysis && !side.log) {
    return base::fail(problem(base::ErrorCode::UnknownFormat, folder, "The folder holds neither a trace nor a training log.",
                              "Its own files are read, not those of its subfolders."));
  }
  if (traces > 1) {
    note(side.notes, base::Severity::Info, "slowest_rank_taken",
         "Of " + std::to_string(traces) +
             " traces the one with the longest median step is compared: " + side.analysis->trace->info().file + ".",
         folder);
  }
  return side;
}

}  // namespace

base::Result<RunSide> openRun(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return openFolder(path);
  RunSide side;
  if (isPlainText(path)) {
    auto log = openLog(path);
    if (!log) return base::fail(log.error());
    side.log = std::move(*log);
  } else {
    auto analysis = openAnalysis(path);
    if (!analysis) return base::fail(analysis.error());
    side.analysis = std::move(*analysis);
  }
  return side;
}

}  // namespace threewalls::compare

#include "base/format.h"
#include "common_output.h"
#include "log_command.h"
#include "table.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace threewalls::cli {
namespace {

using Align = Table::Align;

constexpr std::size_t kLinesShown = 20;

std::string number(double value, const char* format = "%.1f") {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string duration(double nanoseconds) {
  return base::formatDuration(base::Nanoseconds(std::llround(nanoseconds)));
}

std::string bytes(const std::optional<std::uint64_t>& value) {
  return value ? base::formatBytes(*value) : "";
}

void printSummary(std::ostream& out, const run::TrainingLog& log) {
  for (const std::string& file : log.files) out << printable(file) << '\n';
  if (log.iterations.empty()) return;
  std::int64_t first = log.iterations.front().iteration;
  std::int64_t last = first;
  for (const run::IterationLine& line : log.iterations) {
    first = std::min(first, line.iteration);
    last = std::max(last, line.iteration);
  }
  printWrapped(out, "  ",
               base::formatCount(log.iterations.size()) + " iteration lines, iterations " + std::to_string(first) + " to " +
                   std::to_string(last) + " of " + std::to_string(log.iterations.back().trainIterations) + " | log interval " +
                   std::to_string(log.logInterval) + " | attempts " + std::to_string(log.iterations.back().attempt) +
                   " | arguments " + std::to_string(log.arguments.size()));
  const std::string finite = !log.lossFinite ? "not printed" : *log.lossFinite ? "finite everywhere" : "NOT finite everywhere";
  printWrapped(out, "  ",
               "skipped iterations " + std::to_string(log.skippedTotal) + " | NaN iterations " + std::to_string(log.nanTotal) +
                   " | loss " + finite);
}

void printWindow(std::ostream& out, const std::optional<run::SteadyWindow>& window) {
  if (!window) {
    out << "\nNo steady window\n";
    return;
  }
  out << "\nSteady window (" << toText(window->kind) << "): iterations " << window->from << " to " << window->to << ", "
      << window->stepTime.count << (window->stepTime.count == 1 ? " line" : " lines") << " that count\n";
  Table table({{"", Align::Left}, {"median"}, {"mean"}, {"95 % interval of the median"}});
  const run::Estimate& time = window->stepTime;
  table.add({"step time", duration(time.median), duration(time.mean),
             time.medianCi95 ? duration((*time.medianCi95)[0]) + " to " + duration((*time.medianCi95)[1]) : ""});
  if (window->tflops) {
    const run::Estimate& tflops = *window->tflops;
    table.add({"TFLOP/s per GPU", number(tflops.median), number(tflops.mean),
               tflops.medianCi95 ? number((*tflops.medianCi95)[0]) + " to " + number((*tflops.medianCi95)[1]) : ""});
  }
  table.print(out);
  out << "  drift across the window " << number(window->drift * 100, "%+.1f %%") << (window->drifts() ? ": NOT steady" : "")
      << '\n';
}

/// Lines that do not count for another reason than an attempt's warm-up; of warm-ups only where they end.
void printMarked(std::ostream& out, const run::TrainingLog& log) {
  std::map<int, std::int64_t> warmupEnds;
  std::vector<const run::IterationLine*> marked;
  for (const run::IterationLine& line : log.iterations) {
    if ((line.marks & run::line_mark::kWarmup) != 0) warmupEnds[line.attempt] = line.iteration;
    if ((line.marks & ~run::line_mark::kWarmup) != 0) marked.push_back(&line);
  }
  if (!warmupEnds.empty()) out << '\n';
  std::size_t shown = 0;
  for (const auto& [attempt, iteration] : warmupEnds) {
    if (++shown <= kLinesShown) out << "Warm-up of attempt " << attempt << " ends with iteration " << iteration << '\n';
  }
  if (marked.empty()) return;
  out << "\nLines that do not count\n";
  Table table({{"line"}, {"attempt"}, {"iteration"}, {"time"}, {"loss"}, {"marks", Align::Left}});
  for (std::size_t i = 0; i < std::min(marked.size(), kLinesShown); ++i) {
    const run::IterationLine& line = *marked[i];
    std::string words;
    for (const std::string_view word : run::markWords(line.marks)) words += (words.empty() ? "" : ", ") + std::string(word);
    table.add({std::to_string(line.line), std::to_string(line.attempt), std::to_string(line.iteration),
               line.milliseconds ? duration(*line.milliseconds * 1e6) : "", line.loss ? number(*line.loss, "%.4g") : "", words});
  }
  table.print(out);
  if (marked.size() > kLinesShown)
    out << "  and " << base::formatCount(marked.size() - kLinesShown) << " more; --json lists them all\n";
}

/// Of each rank what was allocated last, and the largest peaks of all its reports.
void printMemory(std::ostream& out, const run::TrainingLog& log) {
  if (log.memory.empty()) return;
  std::map<int, run::MemoryLine> ranks;
  for (const run::MemoryLine& line : log.memory) {
    run::MemoryLine& row = ranks[line.rank];
    const auto peak = std::max(row.maxAllocatedBytes, line.maxAllocatedBytes);
    const auto peakReserved = std::max(row.maxReservedBytes, line.maxReservedBytes);
    row = line;
    row.maxAllocatedBytes = peak;
    row.maxReservedBytes = peakReserved;
  }
  out << "\nMemory of the ranks that report it; another rank's peak may be higher\n";
  Table table({{"rank"}, {"last after"}, {"allocated"}, {"peak allocated"}, {"reserved"}, {"peak reserved"}});
  std::size_t shown = 0;
  for (const auto& [rank, row] : ranks) {
    if (++shown > kLinesShown) break;
    table.add({std::to_string(rank), std::to_string(row.afterIterations), bytes(row.allocatedBytes), bytes(row.maxAllocatedBytes),
               bytes(row.reservedBytes), bytes(row.maxReservedBytes)});
  }
  table.print(out);
  if (ranks.size() > kLinesShown) out << "  and " << base::formatCount(ranks.size() - kLinesShown) << " more ranks\n";
}

}  // namespace

void printLogTables(std::ostream& out, const run::TrainingLog& log, const std::optional<run::SteadyWindow>& window) {
  printSummary(out, log);
  if (!log.iterations.empty()) printWindow(out, window);
  printMarked(out, log);
  printMemory(out, log);
  if (!log.progress.empty())
    out << "\n" << base::formatCount(log.progress.size()) << " rows of a progress file; --json lists them\n";
  printDiagnostics(out, log.diagnostics);
}

}  // namespace threewalls::cli

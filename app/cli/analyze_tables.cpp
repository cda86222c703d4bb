#include "analyze_command.h"
#include "base/format.h"
#include "common_output.h"
#include "table.h"

#include <algorithm>

namespace threewalls::cli {
namespace {

using analysis::Ledger;
using base::formatCount;
using base::formatDuration;
using base::formatPercent;
using Align = Table::Align;

constexpr std::size_t kKernelsShown = 20;

std::string percentOf(base::Nanoseconds part, base::Nanoseconds whole) {
  return whole.count() == 0 ? "" : formatPercent(static_cast<double>(part.count()) / static_cast<double>(whole.count()));
}

std::string marks(const analysis::Step& step) {
  std::string out;
  const auto add = [&](std::uint8_t bit, const char* word) {
    if ((step.marks & bit) != 0) out += (out.empty() ? "" : ", ") + std::string(word);
  };
  add(analysis::step_mark::kWarmup, "warm-up");
  add(analysis::step_mark::kOutlier, "outlier");
  add(analysis::step_mark::kOpenEnd, "open");
  return out;
}

std::vector<std::string> ledgerCells(const std::string& name, const Ledger& ledger) {
  return {name,
          formatDuration(ledger.duration),
          formatDuration(ledger.compute),
          formatDuration(ledger.exposed),
          formatDuration(ledger.memory),
          formatDuration(ledger.idle),
          formatDuration(ledger.hostBoundIdle),
          formatDuration(ledger.profilerIdle)};
}

void printLane(std::ostream& out, const analysis::DeviceLane& lane) {
  out << "\nSteps of " << printable(lane.name());
  if (lane.steps.empty()) {
    out << ": none\n";
    return;
  }
  out << ", bounded by " << toText(lane.steps.front().boundary) << "\n";
  Table table({{"step", Align::Left},
               {"duration"},
               {"compute"},
               {"exposed"},
               {"memory"},
               {"idle"},
               {"host"},
               {"profiler"},
               {"marker"},
               {"marks", Align::Left}});
  for (const analysis::Step& step : lane.steps) {
    std::vector<std::string> cells = ledgerCells(step.number ? std::to_string(*step.number) : printable(step.name), step.ledger);
    cells.push_back(step.hostDuration.count() == 0 ? "" : formatDuration(step.hostDuration));
    cells.push_back(marks(step));
    table.add(std::move(cells));
  }
  if (lane.steps.size() > 1) table.add(ledgerCells("sum", lane.totals));
  const Ledger& sum = lane.totals;
  table.add({"share", "100 %", percentOf(sum.compute, sum.duration), percentOf(sum.exposed, sum.duration),
             percentOf(sum.memory, sum.duration), percentOf(sum.idle, sum.duration), percentOf(sum.hostBoundIdle, sum.duration),
             percentOf(sum.profilerIdle, sum.duration)});
  table.print(out);
  printWrapped(
      out, "  ",
      "exposed: communication outside compute. host, profiler: the parts of idle in which the GPU waited for the host or the "
      "profiler held it up. marker: the host's own range. open: ends with the last GPU event.");
  if (sum.communication.count() > 0) {
    printWrapped(out, "  ",
                 "Of " + formatDuration(sum.communication) + " of communication, " + percentOf(sum.hidden, sum.communication) +
                     " is hidden under compute.");
  }
  if (sum.graph.count() > 0) {
    printWrapped(out, "  ", formatDuration(sum.graph) + " of compute is CUDA graphs whose kernels were not recorded.");
  }
}

void printClasses(std::ostream& out, const AnalyzeReport& report) {
  out << "\nClasses of GPU work\n";
  Table table({{"class", Align::Left}, {"group", Align::Left}, {"count"}, {"sum"}, {"union"}, {"union of duration"}});
  const base::Nanoseconds duration = report.totals().duration;
  for (const analysis::ClassRow& row : report.classes()) {
    const analysis::KernelClass& kernelClass = report.classTable()[row.classId];
    table.add({kernelClass.id, kernelClass.group, formatCount(row.count), formatDuration(row.sum), formatDuration(row.unionTime),
               percentOf(row.unionTime, duration)});
  }
  table.print(out);
}

void printKernels(std::ostream& out, const AnalyzeReport& report) {
  const std::vector<AnalyzeReport::Kernel> kernels = report.kernels();
  out << "\nKernels and memory operations by summed time\n";
  Table table({{"name", Align::Left}, {"class", Align::Left}, {"count"}, {"sum"}, {"mean"}, {"longest"}});
  for (std::size_t i = 0; i < std::min(kernels.size(), kKernelsShown); ++i) {
    const AnalyzeReport::Kernel& kernel = kernels[i];
    table.add({printable(base::shortKernelName(kernel.name, 40)), kernel.classId, formatCount(kernel.count),
               formatDuration(kernel.sum), formatDuration(kernel.sum / static_cast<std::int64_t>(kernel.count)),
               formatDuration(kernel.max)});
  }
  table.print(out);
  if (kernels.size() > kKernelsShown) {
    out << "  and " << formatCount(kernels.size() - kKernelsShown) << " more names; --json lists them all\n";
  }
}

void printWall(std::ostream& out, const analysis::Analysis& analysis) {
  const analysis::Wall& wall = analysis.wall;
  out << "\nThe wall\n";
  printWrapped(out, "  ", printable(wall.verdict));
  if (!wall.lane) return;
  printWrapped(out, "  ",
               "Taken from the median step of the slowest GPU (" + printable(analysis.lanes[*wall.lane].name()) +
                   "); each share is an upper bound on what fixing that wall alone could give.");
  for (const analysis::WallReason& reason : wall.reasons) {
    printWrapped(out, "  - " + std::string(label(reason.wall)) + ": ", printable(reason.text));
  }
}

}  // namespace

void printAnalyzeTables(std::ostream& out, const AnalyzeReport& report) {
  for (const auto& analysis : report.traces) printProvenance(out, "", *analysis);
  bool anySteps = false;
  for (const auto& analysis : report.traces) {
    for (const analysis::DeviceLane& lane : analysis->lanes) {
      printLane(out, lane);
      anySteps = anySteps || !lane.steps.empty();
    }
  }
  if (anySteps) {
    printClasses(out, report);
    printKernels(out, report);
  }
  printWall(out, report.slowest());
  printDiagnostics(out, report.diagnostics);
}

}  // namespace threewalls::cli

#include "analysis/wall.h"

#include "analysis/gpu_events.h"
#include "base/format.h"

#include <algorithm>
#include <functional>
#include <map>

namespace threewalls::analysis {
namespace {

using base::formatCount;
using base::formatDuration;
using base::formatPercent;
using base::Interval;
using base::Nanoseconds;

constexpr std::array<std::string_view, kWallKinds.size()> kIds = {"communication", "host_launch", "compute", "memory"};
constexpr std::array<std::string_view, kWallKinds.size()> kLabels = {"communication", "host / launch", "compute", "memory"};

double share(Nanoseconds part, Nanoseconds whole) {
  return whole.count() == 0 ? 0.0 : static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

/// "61.2 % of step 61 (305 ms of 499 ms)"
std::string shareOf(const Step& step, Nanoseconds amount) {
  return formatPercent(share(amount, step.interval.length())) + " of " + spokenName(step) + " (" + formatDuration(amount) +
         " of " + formatDuration(step.interval.length()) + ")";
}

WallReason reason(WallKind wall, std::string text, const IntervalSet& behind) {
  return {wall, std::move(text), behind.total(), longest(behind, kReasonIntervals)};
}

/// Stretches of one step by what ran, for the compute wall.
struct ComputeSplit {
  IntervalSet matrix;                         ///< GEMM and attention kernels
  IntervalSet rest;                           ///< other compute kernels, outside `matrix`
  std::vector<IntervalSet> byClass;           ///< the same, by ClassId
  std::map<trace::NameId, Nanoseconds> sums;  ///< of those other kernels, each by itself
};

ComputeSplit splitCompute(const trace::Trace& trace, const Classification& classes, const std::vector<trace::LaneId>& streams,
                          Interval range) {
  std::vector<Interval> matrix, rest;
  std::vector<std::vector<Interval>> byClass(classes.table().classes().size());
  ComputeSplit split;
  forEachGpuEvent(trace, streams, [&](const GpuEvent& event) {
    const Interval inside{std::max(event.interval.start, range.start), std::min(event.interval.end, range.end)};
    const KernelClass& kernel = classes.classOf(event.name);
    if (event.kind != trace::EventKind::Kernel || kernel.isCommunication || inside.empty()) return;
    if (kernel.isGemm || kernel.isAttention) {
      matrix.push_back(inside);
    } else {
      rest.push_back(inside);
      byClass[classes.of(event.name)].push_back(inside);
      split.sums[event.name] += inside.length();
    }
  });
  split.matrix = IntervalSet(std::move(matrix));
  split.rest = subtract(IntervalSet(std::move(rest)), split.matrix);
  for (auto& intervals : byClass) split.byClass.push_back(subtract(IntervalSet(std::move(intervals)), split.matrix));
  return split;
}

/// "mostly f (12.3 ms) and g (4.56 ms)": the two kernels of a class with the largest sums.
std::string largestOf(const trace::Trace& trace, const Classification& classes, const ComputeSplit& split, std::size_t classId) {
  std::vector<std::pair<Nanoseconds, trace::NameId>> own;
  for (const auto& [name, sum] : split.sums) {
    if (classes.of(name) == classId) own.emplace_back(sum, name);
  }
  const std::size_t shown = std::min<std::size_t>(own.size(), 2);
  std::partial_sort(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(shown), own.end(), std::greater<>());
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    out += (i == 0 ? (own.size() > shown ? "mostly " : "") : " and ") + base::shortKernelName(trace.names()[own[i].second], 60) +
           " (" + formatDuration(own[i].first) + ")";
  }
  return out;
}

void addComputeReasons(Wall& wall, const trace::Trace& trace, const Classification& classes, const ComputeSplit& split,
                       const Step& step) {
  constexpr double kWorthNaming = 0.01;
  constexpr std::size_t kClassesNamed = 3;
  if (!split.rest.empty()) {
    wall.reasons.push_back(reason(WallKind::Compute,
                                  shareOf(step, split.rest.total()) + " is compute kernels that are neither GEMM nor attention.",
                                  split.rest));
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < split.byClass.size(); ++i) {
    if (share(split.byClass[i].total(), step.interval.length()) >= kWorthNaming) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return split.byClass[x].total() > split.byClass[y].total(); });
  if (order.size() > kClassesNamed) order.resize(kClassesNamed);
  for (const std::size_t i : order) {
    const KernelClass& kernel = classes.table().classes()[i];
    const std::string what = kernel.id == classes.table()[classes.table().unclassified()].id
                                 ? "kernels that no rule names"
                                 : "kernels of the class " + kernel.id + " (" + kernel.label + ")";
    wall.reasons.push_back(
        reason(WallKind::Compute,
               shareOf(step, split.byClass[i].total()) + " is " + what + ": " + largestOf(trace, classes, split, i) + ".",
               split.byClass[i]));
  }
  if (!split.matrix.empty()) {
    wall.reasons.push_back(
        reason(WallKind::Compute,
               "GEMM and attention run for " + shareOf(step, split.matrix.total()) +
                   "; how close they come to the hardware is left out, since a trace does not say their FLOPs.",
               split.matrix));
  }
  if (step.ledger.graph.count() > 0) {
    wall.reasons.push_back({WallKind::Compute,
                            shareOf(step, step.ledger.graph) +
                                " is CUDA graphs whose kernels were not recorded; they are left out of the compute wall.",
                            step.ledger.graph,
                            {}});
  }
}

void addHostReasons(Wall& wall, const DeviceOccupancy& occupancy, const Step& step) {
  const IntervalSet gaps = occupancy.hostBoundIdle().clipped(step.interval);
  if (!gaps.empty()) {
    const std::size_t count = gaps.intervals().size();
    wall.reasons.push_back(reason(WallKind::HostLaunch,
                                  "The GPU waited for the host for " + shareOf(step, gaps.total()) + ", in " +
                                      formatCount(count) + (count == 1 ? " gap" : " gaps, the longest ") +
                                      (count == 1 ? "" : formatDuration(longest(gaps, 1).front().length())) + ".",
                                  gaps));
  }
  const IntervalSet profiler = intersect(occupancy.profilerIdle(), IntervalSet({step.interval}));
  if (!profiler.empty()) {
    wall.reasons.push_back(reason(WallKind::HostLaunch,
                                  "The profiler itself held the GPU up for " + shareOf(step, profiler.total()) +
                                      "; this is not counted as waiting for the host.",
                                  profiler));
  }
}

void addCommunicationReasons(Wall& wall, const trace::Trace& trace, const Classification& classes,
                             const std::vector<trace::LaneId>& streams, const DeviceOccupancy& occupancy, const Step& step) {
  if (step.ledger.communication.count() == 0) {
    wall.reasons.push_back(
        {WallKind::Communication, "No communication kernel ran in " + spokenName(step) + ".", Nanoseconds{0}, {}});
    return;
  }
  wall.reasons.push_back(reason(WallKind::Communication,
                                "Communication outside compute takes " + shareOf(step, step.ledger.exposed) + "; " +
                                    formatPercent(share(step.ledger.hidden, step.ledger.communication)) + " of " +
                                    formatDuration(step.ledger.communication) + " of communication is hidden under compute.",
                                occupancy.exposed().clipped(step.interval)));
  std::vector<Interval> waits;
  forEachGpuEvent(trace, streams, [&](const GpuEvent& event) {
    if (classes.classOf(event.name).isWait) waits.push_back(event.interval);
  });
  const IntervalSet waiting = IntervalSet(std::move(waits)).clipped(step.interval);
  if (!waiting.empty()) {
    wall.reasons.push_back(reason(WallKind::Communication,
                                  "Kernels that only wait for other ranks run for " + shareOf(step, waiting.total()) +
                                      ": this is skew between ranks, not transfer.",
                                  waiting));
  }
}

}  // namespace

std::string_view id(WallKind wall) {
  return kIds[static_cast<std::size_t>(wall)];
}
std::string_view label(WallKind wall) {
  return kLabels[static_cast<std::size_t>(wall)];
}

Wall findWall(const trace::Trace& trace, const Classification& classes, const std::vector<trace::LaneId>& streams,
              const DeviceOccupancy& occupancy, const Step& step) {
  Wall wall;
  const ComputeSplit split = splitCompute(trace, classes, streams, step.interval);
  const Nanoseconds duration = step.interval.length();
  const auto at = [&](WallKind kind) -> double& { return wall.recoverable[static_cast<std::size_t>(kind)]; };
  at(WallKind::Communication) = share(step.ledger.exposed, duration);
  at(WallKind::HostLaunch) = share(step.ledger.hostBoundIdle, duration);
  at(WallKind::Compute) = share(split.rest.total(), duration);

  addComputeReasons(wall, trace, classes, split, step);
  addHostReasons(wall, occupancy, step);
  addCommunicationReasons(wall, trace, classes, streams, occupancy, step);
  std::stable_sort(wall.reasons.begin(), wall.reasons.end(), [&](const WallReason& x, const WallReason& y) {
    if (x.wall != y.wall && at(x.wall) != at(y.wall)) return at(x.wall) > at(y.wall);
    return false;
  });
  wall.reasons.push_back({WallKind::Memory,
                          "Memory is not visible in a trace alone: its share stands at 0 because it was not measured.",
                          Nanoseconds{0},
                          {}});
  judge(wall, step);
  return wall;
}

void judge(Wall& wall, const Step& step) {
  std::array<WallKind, kWallKinds.size()> order = kWallKinds;
  const auto of = [&](WallKind kind) { return wall.recoverable[static_cast<std::size_t>(kind)]; };
  std::stable_sort(order.begin(), order.end(), [&](WallKind x, WallKind y) { return of(x) > of(y); });
  const auto named = [&](WallKind kind) { return std::string(label(kind)) + " (up to " + formatPercent(of(kind)) + ")"; };
  wall.dominant.reset();
  wall.runnerUp.reset();
  const WallKind first = order[0];
  const WallKind second = order[1];
  if (of(first) < kWallThreshold) {
    wall.verdict = "No wall above 10 % of " + spokenName(step) + "; the largest is " + named(first) + ".";
  } else if (of(first) - of(second) <= kWallTie) {
    wall.verdict = "In " + spokenName(step) + ", " + named(first) + " and " + named(second) +
                   " are within 2 points of each other: neither is claimed as the wall.";
  } else {
    wall.dominant = first;
    if (of(second) > 0.0) wall.runnerUp = second;
    wall.verdict = "The wall of " + spokenName(step) + " is " + named(first) +
                   (wall.runnerUp ? "; next is " + named(second) + "." : "; no other wall is visible.");
  }
}

}  // namespace threewalls::analysis

#include "compare/compare.h"

#include "base/format.h"
#include "base/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

namespace threewalls::compare {
namespace {

using analysis::Analysis;
using analysis::Step;
using base::formatDuration;
using base::Nanoseconds;

std::string decimal(double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

/// Durations of the steady steps of the slowest lane, in time order.
std::vector<double> stepDurations(const Analysis& analysis) {
  std::vector<double> out;
  if (!analysis.wall.lane) return out;
  for (const Step* step : analysis.lanes[*analysis.wall.lane].steadySteps()) {
    out.push_back(static_cast<double>(step->interval.length().count()));
  }
  return out;
}

StepTime stepTime(const Analysis& a, const Analysis& b) {
  const std::vector<double> durationsA = stepDurations(a);
  const std::vector<double> durationsB = stepDurations(b);
  StepTime out;
  out.countA = durationsA.size();
  out.countB = durationsB.size();
  const double medianA = base::median(durationsA);
  const double medianB = base::median(durationsB);
  out.medianA = Nanoseconds(std::llround(medianA));
  out.medianB = Nanoseconds(std::llround(medianB));
  if (medianA <= 0.0 || medianB <= 0.0) return out;
  out.ratio = medianB / medianA;
  if (out.countA >= kTraceStepsNeeded && out.countB >= kTraceStepsNeeded)
    out.ratioCi95 = base::medianRatioCi95(durationsA, durationsB);
  return out;
}

/// Names of the devices that did work, as the file calls them; empty when it does not say.
std::set<std::string> deviceNames(const Analysis& analysis) {
  std::set<std::string> names;
  std::set<std::string> all;
  for (const trace::Device& device : analysis.trace->info().devices) {
    if (device.name.empty()) continue;
    all.insert(device.name);
    const auto works = [&](const analysis::DeviceLane& lane) { return lane.device == device.id; };
    if (std::any_of(analysis.lanes.begin(), analysis.lanes.end(), works)) names.insert(device.name);
  }
  // ROCm writers can number the device that worked otherwise than the list: with one model in it there is no doubt.
  return names.empty() && all.size() == 1 ? all : names;
}

std::string joined(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// Why the sides must not be compared; notes in `unknown` what could not be checked.
std::vector<std::string> obstacles(const Analysis& a, const Analysis& b, std::vector<std::string>& unknown) {
  std::vector<std::string> out;
  const std::set<std::string> namesA = deviceNames(a);
  const std::set<std::string> namesB = deviceNames(b);
  if (namesA.empty() || namesB.empty()) {
    unknown.push_back("The GPU model of " + std::string(namesA.empty() ? (namesB.empty() ? "both sides" : "A") : "B") +
                      " is not in the trace: that both ran on the same one was not checked.");
  } else if (namesA != namesB) {
    out.push_back("The GPUs differ: A ran on " + joined(namesA) + ", B on " + joined(namesB) + ".");
  }
  if (a.lanes.size() != b.lanes.size()) {
    out.push_back("The number of GPUs differs: " + std::to_string(a.lanes.size()) + " in A, " + std::to_string(b.lanes.size()) +
                  " in B.");
  }
  const auto& worldA = a.trace->info().worldSize;
  const auto& worldB = b.trace->info().worldSize;
  if (worldA && worldB && *worldA != *worldB) {
    out.push_back("The world sizes differ: " + std::to_string(*worldA) + " ranks in A, " + std::to_string(*worldB) + " in B.");
  } else if (!worldA || !worldB) {
    unknown.push_back("The world size of " +
                      std::string(worldA   ? "B"
                                  : worldB ? "A"
                                           : "both sides") +
                      " is not in the trace: that both used as many ranks was not checked.");
  }
  return out;
}

Claim claimFrom(const StepTime& time) {
  if (!time.ratioCi95) return Claim::TooFewSteps;
  const auto [low, high] = *time.ratioCi95;
  if (low <= 1.0 && high >= 1.0) return Claim::NoDifference;
  if (high < 1.0 - kClaimThreshold) return Claim::Faster;
  if (low > 1.0 + kClaimThreshold) return Claim::Slower;
  return Claim::BelowThreshold;
}

std::string interval(const StepTime& time) {
  return time.ratioCi95 ? decimal((*time.ratioCi95)[0]) + " to " + decimal((*time.ratioCi95)[1]) : std::string();
}

/// "102.7 ms a step shorter than A's", "as long as A's".
std::string difference(const StepTime& time) {
  const Nanoseconds delta = time.medianB - time.medianA;
  if (delta.count() == 0) return "as long as A's";
  return formatDuration(Nanoseconds(std::abs(delta.count()))) + (delta.count() < 0 ? " shorter than A's" : " longer than A's");
}

std::string headline(Claim claim, const StepTime& time) {
  const std::string medians = formatDuration(time.medianA) + " in A, " + formatDuration(time.medianB) + " in B";
  const std::string amount = formatDuration(Nanoseconds(std::abs((time.medianB - time.medianA).count())));
  switch (claim) {
    case Claim::Faster: return "B is " + amount + " a step faster (median " + medians + ").";
    case Claim::Slower: return "B is " + amount + " a step slower (median " + medians + ").";
    case Claim::BelowThreshold: return "The difference is smaller than 1 % (median step " + medians + ").";
    case Claim::NoDifference: return "No difference shown (median step " + medians + ").";
    case Claim::TooFewSteps:
      if (time.countA == 0 || time.countB == 0) return "Nothing can be compared: one side has no step with GPU work.";
      return "Too few steps to claim a difference; B's median step is " + difference(time) + " (" + medians + ").";
    case Claim::NotComparable:
      return "Not comparable; what follows are the figures of two different setups (median step " + medians + ").";
  }
  return {};
}

}  // namespace

std::string_view toText(Claim claim) {
  switch (claim) {
    case Claim::Faster: return "faster";
    case Claim::Slower: return "slower";
    case Claim::BelowThreshold: return "below_threshold";
    case Claim::NoDifference: return "no_difference";
    case Claim::TooFewSteps: return "too_few_steps";
    case Claim::NotComparable: return "not_comparable";
  }
  return "not_comparable";
}

Comparison compare(std::shared_ptr<const Analysis> a, std::shared_ptr<const Analysis> b) {
  Comparison out;
  out.stepTime = stepTime(*a, *b);
  out.waterfall = waterfall(steadySteps(*a), steadySteps(*b));
  out.kernels = kernelDeltas(*a, *b);
  out.diagnostics = a->diagnostics;
  out.diagnostics.merge(b->diagnostics);

  std::vector<std::string> unknown;
  out.reasons = obstacles(*a, *b, unknown);
  out.claim = out.reasons.empty() ? claimFrom(out.stepTime) : Claim::NotComparable;
  if (out.stepTime.countA < kTraceStepsNeeded || out.stepTime.countB < kTraceStepsNeeded) {
    out.reasons.push_back("A has " + std::to_string(out.stepTime.countA) + " usable steps and B " +
                          std::to_string(out.stepTime.countB) + "; a claim needs " + std::to_string(kTraceStepsNeeded) +
                          " on each side.");
  } else if (out.stepTime.ratioCi95) {
    out.reasons.push_back("B takes " + decimal(*out.stepTime.ratio) + " times as long as A, 95 % interval " +
                          interval(out.stepTime) + " (medians of " + std::to_string(out.stepTime.countA) + " and " +
                          std::to_string(out.stepTime.countB) + " steps, moving-block bootstrap).");
  }
  out.reasons.push_back("Step times are from the traces: profiling can slow a run, and no log was compared.");
  out.reasons.push_back("The configuration of the runs is not known: no cause may be claimed.");
  out.reasons.insert(out.reasons.end(), unknown.begin(), unknown.end());
  out.headline = headline(out.claim, out.stepTime);
  out.a = std::move(a);
  out.b = std::move(b);
  return out;
}

}  // namespace threewalls::compare

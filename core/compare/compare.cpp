#include "compare/compare.h"

#include "base/format.h"
#include "base/statistics.h"
#include "compare/claim.h"
#include "compare/setups.h"

#include <cmath>

namespace threewalls::compare {
namespace {

using analysis::Analysis;
using analysis::Step;
using base::formatDuration;
using base::Nanoseconds;

/// Durations of the steady steps of the slowest lane, in time order.
std::vector<double> stepDurations(const std::shared_ptr<const Analysis>& analysis) {
  std::vector<double> out;
  if (!analysis || !analysis->wall.lane) return out;
  for (const Step* step : analysis->lanes[*analysis->wall.lane].steadySteps()) {
    out.push_back(static_cast<double>(step->interval.length().count()));
  }
  return out;
}

Nanoseconds toNanoseconds(double value) {
  return Nanoseconds(std::llround(value));
}

StepTime medians(const std::vector<double>& a, const std::vector<double>& b) {
  StepTime out;
  out.countA = a.size();
  out.countB = b.size();
  const double medianA = base::median(a);
  const double medianB = base::median(b);
  out.medianA = toNanoseconds(medianA);
  out.medianB = toNanoseconds(medianB);
  if (medianA > 0.0 && medianB > 0.0) out.ratio = medianB / medianA;
  return out;
}

/// Whether both sides have enough for an interval.
bool enough(const StepTime& time, std::size_t needed) {
  return time.ratio && time.countA >= needed && time.countB >= needed;
}

StepTime traceTime(const std::vector<double>& a, const std::vector<double>& b) {
  StepTime out = medians(a, b);
  if (enough(out, kTraceStepsNeeded)) out.ratioCi95 = base::medianRatioCi95(a, b);
  return out;
}

/// With log interval n a line is the mean of n iterations: they count as iterations, but an interval needs several lines.
StepTime logTime(const run::SteadyWindow& a, const run::SteadyWindow& b) {
  StepTime out = medians(a.nanoseconds, b.nanoseconds);
  out.source = TimeSource::Log;
  out.countA = static_cast<std::size_t>(a.iterations);
  out.countB = static_cast<std::size_t>(b.iterations);
  const bool lines = a.nanoseconds.size() >= run::kLeastForInterval && b.nanoseconds.size() >= run::kLeastForInterval;
  if (lines && enough(out, kLogIterationsNeeded)) out.ratioCi95 = base::medianRatioCi95(a.nanoseconds, b.nanoseconds);
  return out;
}

std::optional<run::SteadyWindow> windowOf(const RunSide& side) {
  return side.log ? run::steadyWindow(*side.log) : std::nullopt;
}

void noteSide(base::Diagnostics& diagnostics, const RunSide& side, const std::optional<run::SteadyWindow>& window) {
  diagnostics.merge(side.notes);
  if (side.analysis) diagnostics.merge(side.analysis->diagnostics);
  if (!side.log) return;
  diagnostics.merge(side.log->diagnostics);
  for (base::Diagnostic& note : run::windowNotes(*side.log, window)) diagnostics.note(std::move(note));
}

std::optional<ProfileAgreement> agreement(const std::vector<double>& steps, const std::optional<run::SteadyWindow>& window) {
  if (steps.empty() || !window || window->stepTime.median <= 0) return std::nullopt;
  return ProfileAgreement{toNanoseconds(base::median(steps)), toNanoseconds(window->stepTime.median)};
}

/// Share of the steady steps in which the GPU waits for the host to launch.
double hostBoundShare(const Analysis& analysis) {
  Nanoseconds idle{0};
  Nanoseconds total{0};
  for (const Step* step : steadySteps(analysis)) {
    idle += step->ledger.hostBoundIdle;
    total += step->ledger.duration;
  }
  return total.count() > 0 ? static_cast<double>(idle.count()) / static_cast<double>(total.count()) : 0.0;
}

/// A sentence about a side whose trace and log disagree, with the likely reason; empty when they agree.
std::string disagreement(const std::string& side, const Analysis& analysis, const ProfileAgreement& agreement) {
  constexpr double kHostBound = 0.1;
  if (agreement.agrees()) return {};
  std::string text = "The profile of " + side + " does not agree with its log: the median step is " +
                     formatDuration(agreement.trace) + " in the trace and " + formatDuration(agreement.log) + " in the log (" +
                     signedPercent(agreement.deviation()) + ").";
  const double share = hostBoundShare(analysis);
  if (agreement.deviation() > 0 && share > kHostBound) {
    text += " " + base::formatPercent(share) + " of its traced step waits for launches by the host: profiling slows such a run.";
  }
  return text;
}

std::string windowText(const run::SteadyWindow& window) {
  return "iterations " + std::to_string(window.from) + " to " + std::to_string(window.to);
}

/// Sentences about where the step times come from and how far they can be trusted.
void explainTimes(Comparison& out, const RunSide& a, const RunSide& b) {
  const StepTime& time = out.stepTime;
  const bool log = time.source == TimeSource::Log;
  const std::string unit = log ? " iterations" : " steps";
  if (time.ratioCi95) {
    out.reasons.push_back("B takes " + decimal(*time.ratio) + " times as long as A, 95 % interval " + interval(time) +
                          " (medians of " + std::to_string(time.countA) + " and " + std::to_string(time.countB) + unit +
                          ", moving-block bootstrap).");
  } else {
    std::string needed = std::to_string(log ? kLogIterationsNeeded : kTraceStepsNeeded);
    if (log) needed += ", printed in at least " + std::to_string(run::kLeastForInterval) + " lines,";
    out.reasons.push_back("A has " + std::to_string(time.countA) + " usable" + unit + " and B " + std::to_string(time.countB) +
                          "; a claim needs " + needed + " on each side.");
  }
  if (log) {
    out.reasons.push_back("Step times are from the logs' steady windows: " + windowText(*out.windowA) + " in A, " +
                          windowText(*out.windowB) + " in B.");
  } else if (out.windowA || out.windowB) {
    out.reasons.push_back("Step times are from the traces, as only " + std::string(out.windowA ? "A" : "B") +
                          " has a log with a steady window: profiling can slow a run.");
  } else if (a.log || b.log) {
    out.reasons.push_back("No log has a steady window, so that step times can only be from traces.");
  } else {
    out.reasons.push_back("Step times are from the traces: profiling can slow a run, and no log was compared.");
  }
  const auto drift = [&](const std::string& side, const std::optional<run::SteadyWindow>& window) {
    if (!window || !window->drifts()) return;
    out.reasons.push_back(side + " was not steady: its step time drifts by " + signedPercent(window->drift) + " across " +
                          windowText(*window) + " of its log.");
  };
  drift("A", out.windowA);
  drift("B", out.windowB);
  const auto agree = [&](const std::string& side, const RunSide& run, const std::optional<ProfileAgreement>& agreement) {
    if (!agreement || agreement->agrees()) return;
    const std::string text = disagreement(side, *run.analysis, *agreement);
    out.reasons.push_back(text);
    out.diagnostics.note({base::Severity::Warning, "profile_disagrees_with_log", text, run.analysis->trace->info().file, {}, {}});
  };
  agree("A", a, out.agreementA);
  agree("B", b, out.agreementB);
}

void explainCause(Comparison& out) {
  if (!out.changed) {
    out.reasons.push_back("The configuration of the runs is not known: no cause may be claimed.");
    return;
  }
  if (out.changed->empty()) {
    out.reasons.push_back("The runs were started with the same arguments: no cause can be named.");
  } else if (*out.singleVariable) {
    const ChangedVariable& first = out.changed->front();
    out.reasons.push_back("One variable changed: " + first.field + " from " + first.a.value_or("nothing") + " to " +
                          first.b.value_or("nothing") + (out.changed->size() > 1 ? ", with the layout." : "."));
  } else {
    out.reasons.push_back(std::to_string(out.changed->size()) + " variables changed: no cause may be claimed.");
  }
  out.mayClaimCause = *out.singleVariable && (out.claim == Claim::Faster || out.claim == Claim::Slower);
}

}  // namespace

std::string_view toText(TimeSource source) {
  return source == TimeSource::Log ? "log" : "trace";
}

bool ProfileAgreement::agrees() const {
  return std::abs(deviation()) <= kAgreement;
}

Comparison compare(std::shared_ptr<const Analysis> a, std::shared_ptr<const Analysis> b) {
  return compare(RunSide{std::move(a), nullptr, {}}, RunSide{std::move(b), nullptr, {}});
}

Comparison compare(const RunSide& a, const RunSide& b) {
  Comparison out;
  out.a = a.analysis;
  out.b = b.analysis;
  out.logA = a.log;
  out.logB = b.log;
  out.windowA = windowOf(a);
  out.windowB = windowOf(b);
  noteSide(out.diagnostics, a, out.windowA);
  noteSide(out.diagnostics, b, out.windowB);
  const std::vector<double> stepsA = stepDurations(a.analysis);
  const std::vector<double> stepsB = stepDurations(b.analysis);
  out.agreementA = agreement(stepsA, out.windowA);
  out.agreementB = agreement(stepsB, out.windowB);
  out.stepTime = out.windowA && out.windowB ? logTime(*out.windowA, *out.windowB) : traceTime(stepsA, stepsB);
  if (a.analysis && b.analysis) {
    out.waterfall = waterfall(steadySteps(*a.analysis), steadySteps(*b.analysis));
    out.kernels = kernelDeltas(*a.analysis, *b.analysis);
  }
  out.changed = changedVariables(a, b);
  if (out.changed) out.singleVariable = isSingleVariable(*out.changed);

  std::vector<std::string> unknown;
  out.reasons = obstacles(a, b, unknown);
  out.claim = out.reasons.empty() ? claimFrom(out.stepTime) : Claim::NotComparable;
  explainTimes(out, a, b);
  explainCause(out);
  out.reasons.insert(out.reasons.end(), unknown.begin(), unknown.end());
  out.headline = headline(out.claim, out.stepTime);
  return out;
}

}  // namespace threewalls::compare

#include "base/format.h"
#include "common_output.h"
#include "compare_command.h"
#include "table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace threewalls::cli {
namespace {

using base::formatDuration;
using base::formatSignedDuration;
using nlohmann::ordered_json;
using Align = Table::Align;

constexpr std::size_t kKernelsShown = 20;
constexpr std::size_t kVariablesShown = 20;

std::string number(double value, int decimals) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

/// A count per step: whole numbers as such.
std::string perStep(double count) {
  return count == static_cast<double>(static_cast<std::int64_t>(count)) ? number(count, 0) : number(count, 1);
}

void printStepTime(std::ostream& out, const compare::StepTime& time) {
  const bool log = time.source == compare::TimeSource::Log;
  out << "\nStep time (from the " << (log ? "logs" : "traces") << ")\n";
  Table table({{"", Align::Left}, {"A"}, {"B"}, {"B - A"}, {"B / A"}, {"95 % interval of B / A"}});
  table.add({"median", formatDuration(time.medianA), formatDuration(time.medianB),
             formatSignedDuration(time.medianB - time.medianA), time.ratio ? number(*time.ratio, 4) : "",
             time.ratioCi95 ? number((*time.ratioCi95)[0], 4) + " to " + number((*time.ratioCi95)[1], 4) : "too few steps"});
  table.add({log ? "iterations" : "steps", std::to_string(time.countA), std::to_string(time.countB)});
  table.print(out);
}

void printAgreement(std::ostream& out, const compare::Comparison& comparison) {
  if (!comparison.agreementA && !comparison.agreementB) return;
  out << "\nProfile against log\n";
  Table table({{"", Align::Left}, {"trace, median step"}, {"log, median iteration"}, {"trace / log"}, {"agrees", Align::Left}});
  const auto add = [&](const std::string& side, const std::optional<compare::ProfileAgreement>& agreement) {
    if (!agreement) return;
    table.add({side, formatDuration(agreement->trace), formatDuration(agreement->log), number(1.0 + agreement->deviation(), 3),
               agreement->agrees() ? "yes" : "NO"});
  };
  add("A", comparison.agreementA);
  add("B", comparison.agreementB);
  table.print(out);
}

void printChanged(std::ostream& out, const compare::Comparison& comparison) {
  if (!comparison.changed || comparison.changed->empty()) return;
  out << "\nChanged arguments\n";
  Table table({{"argument", Align::Left}, {"A", Align::Left}, {"B", Align::Left}});
  const auto value = [](const std::optional<std::string>& text) {
    return text ? printable(base::shortKernelName(*text, 24)) : std::string("(not given)");
  };
  for (std::size_t i = 0; i < std::min(comparison.changed->size(), kVariablesShown); ++i) {
    const compare::ChangedVariable& variable = (*comparison.changed)[i];
    table.add({printable(variable.field), value(variable.a), value(variable.b)});
  }
  table.print(out);
  if (comparison.changed->size() > kVariablesShown) {
    out << "  and " << base::formatCount(comparison.changed->size() - kVariablesShown) << " more; --json lists them all\n";
  }
}

ordered_json agreementJson(const std::optional<compare::ProfileAgreement>& agreement) {
  if (!agreement) return nullptr;
  return {{"trace_ns", agreement->trace.count()}, {"log_ns", agreement->log.count()}, {"agrees", agreement->agrees()}};
}

/// Semantic classes need the contract's rules, which are not part of the program yet: null.
ordered_json changedJson(const std::optional<std::vector<compare::ChangedVariable>>& changed) {
  ordered_json list = ordered_json::array();
  if (!changed) return list;
  const auto value = [](const std::optional<std::string>& text) { return text ? ordered_json(*text) : ordered_json(); };
  for (const compare::ChangedVariable& variable : *changed) {
    list.push_back({{"field", variable.field}, {"a", value(variable.a)}, {"b", value(variable.b)}, {"semantic_class", nullptr}});
  }
  return list;
}

/// What a side was read from.
void printSide(std::ostream& out, const std::string& label, const std::shared_ptr<const analysis::Analysis>& analysis,
               const std::shared_ptr<const run::TrainingLog>& log) {
  if (analysis) printProvenance(out, label, *analysis);
  if (!log) return;
  for (const std::string& file : log->files) {
    out << (analysis ? std::string(label.size(), ' ') : label) << printable(file) << " (log, "
        << base::formatCount(log->iterations.size()) << " iteration lines)\n";
  }
}

void printWaterfall(std::ostream& out, const compare::Waterfall& waterfall) {
  const base::Nanoseconds total = waterfall.meanB - waterfall.meanA;
  out << "\nWaterfall of the mean step: " << formatDuration(waterfall.meanA) << " in A, " << formatDuration(waterfall.meanB)
      << " in B\n";
  Table table({{"part", Align::Left}, {"B - A"}, {"ns"}, {"of A's step"}});
  const auto add = [&](const std::string& name, base::Nanoseconds delta) {
    const double share =
        waterfall.meanA.count() == 0 ? 0.0 : static_cast<double>(delta.count()) / static_cast<double>(waterfall.meanA.count());
    table.add({name, formatSignedDuration(delta), std::to_string(delta.count()), base::formatPercent(share)});
  };
  for (std::size_t i = 0; i < waterfall.delta.size(); ++i) {
    add(std::string(label(analysis::kLedgerParts[i])), waterfall.delta[i]);
  }
  add("sum", total);
  table.print(out);
}

void printKernels(std::ostream& out, const std::vector<compare::KernelDelta>& kernels) {
  if (kernels.empty()) return;
  out << "\nKernels and memory operations per step, by difference\n";
  Table table({{"name", Align::Left}, {"class", Align::Left}, {"A"}, {"B"}, {"B - A"}, {"count A"}, {"count B"}});
  for (std::size_t i = 0; i < std::min(kernels.size(), kKernelsShown); ++i) {
    const compare::KernelDelta& kernel = kernels[i];
    table.add({printable(base::shortKernelName(kernel.name, 34)), kernel.classId, formatDuration(kernel.a),
               formatDuration(kernel.b), formatSignedDuration(kernel.delta()), perStep(kernel.aCount), perStep(kernel.bCount)});
  }
  table.print(out);
  if (kernels.size() > kKernelsShown) {
    out << "  and " << base::formatCount(kernels.size() - kKernelsShown) << " more names; --json lists them all\n";
  }
}

}  // namespace

ordered_json compareJson(const compare::Comparison& comparison) {
  const compare::StepTime& time = comparison.stepTime;
  const compare::Waterfall& waterfall = comparison.waterfall;
  const bool traces = comparison.a && comparison.b;
  ordered_json parts = ordered_json::array();
  for (std::size_t i = 0; traces && i < waterfall.delta.size(); ++i) {
    parts.push_back({{"component", std::string(id(analysis::kLedgerParts[i]))}, {"delta_ns", waterfall.delta[i].count()}});
  }
  ordered_json kernels = ordered_json::array();
  for (const compare::KernelDelta& kernel : comparison.kernels) {
    kernels.push_back({{"name", kernel.name},
                       {"class", kernel.classId},
                       {"a_ns", kernel.a.count()},
                       {"b_ns", kernel.b.count()},
                       {"delta_ns", kernel.delta().count()},
                       {"a_count", kernel.aCount},
                       {"b_count", kernel.bCount}});
  }
  ordered_json traceStepTime;
  if (traces) {
    traceStepTime = {{"a_ns", waterfall.meanA.count()},
                     {"b_ns", waterfall.meanB.count()},
                     {"delta_ns", (waterfall.meanB - waterfall.meanA).count()}};
  }
  ordered_json agreement;
  if (comparison.agreementA || comparison.agreementB) {
    agreement = {{"a", agreementJson(comparison.agreementA)}, {"b", agreementJson(comparison.agreementB)}};
  }
  return {{"step_time",
           {{"a_ns", time.medianA.count()},
            {"b_ns", time.medianB.count()},
            {"delta_ns", (time.medianB - time.medianA).count()},
            {"ratio", time.ratio ? ordered_json(*time.ratio) : ordered_json()},
            {"ci95_ratio", time.ratioCi95 ? ordered_json(*time.ratioCi95) : ordered_json()},
            {"source", std::string(toText(time.source))},
            {"n_a", time.countA},
            {"n_b", time.countB}}},
          {"trace_step_time", std::move(traceStepTime)},
          {"waterfall", std::move(parts)},
          {"profile_agrees_with_log", std::move(agreement)},
          {"kernels", std::move(kernels)},
          {"changed_variables", changedJson(comparison.changed)},
          {"single_variable", comparison.singleVariable ? ordered_json(*comparison.singleVariable) : ordered_json()},
          {"comparison",
           {{"claim", std::string(toText(comparison.claim))},
            {"may_claim_cause", comparison.mayClaimCause},
            {"reasons", comparison.reasons},
            {"headline", comparison.headline}}},
          {"diagnostics", toJson(comparison.diagnostics)}};
}

void printCompareTables(std::ostream& out, const compare::Comparison& comparison) {
  printSide(out, "A  ", comparison.a, comparison.logA);
  printSide(out, "B  ", comparison.b, comparison.logB);
  out << '\n';
  printWrapped(out, "", printable(comparison.headline));
  for (const std::string& reason : comparison.reasons) printWrapped(out, "  - ", printable(reason));
  printStepTime(out, comparison.stepTime);
  printAgreement(out, comparison);
  printChanged(out, comparison);
  if (comparison.a && comparison.b) printWaterfall(out, comparison.waterfall);
  printKernels(out, comparison.kernels);
  printDiagnostics(out, comparison.diagnostics);
}

}  // namespace threewalls::cli

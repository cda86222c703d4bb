#include "common_output.h"
#include "log_command.h"
#include "run/log_marks.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace threewalls::cli {
namespace {

using nlohmann::ordered_json;

template <class T>
ordered_json orNull(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json nanoseconds(double value) {
  return std::llround(value);
}

/// As printed: whole numbers stay whole, inf and nan (which JSON has no number for) and text stay text.
ordered_json printed(const run::LogField& field) {
  std::int64_t whole = 0;
  const char* end = field.text.data() + field.text.size();
  if (const auto [stop, error] = std::from_chars(field.text.data(), end, whole); error == std::errc() && stop == end)
    return whole;
  if (field.value && std::isfinite(*field.value)) return *field.value;
  return field.text;
}

/// Fields with a key of their own in cli.md.
bool hasKey(std::string_view name) {
  constexpr std::array kNames = {std::string_view("elapsed time per iteration (ms)"),
                                 std::string_view("train_step_timing in s"),
                                 run::kThroughputField,
                                 run::kNemoThroughputField,
                                 run::kLossField,
                                 run::kNemoLossField,
                                 run::kGradNormField,
                                 run::kSkippedField,
                                 run::kNanField};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

ordered_json marks(std::uint8_t bits) {
  ordered_json words = ordered_json::array();
  for (const std::string_view word : run::markWords(bits)) words.push_back(std::string(word));
  return words;
}

ordered_json iteration(const run::TrainingLog& log, const run::IterationLine& line) {
  ordered_json other = ordered_json::object();
  for (const run::LogField& field : line.fields) {
    if (!hasKey(field.name)) other[field.name] = printed(field);
    if (field.second) other[field.name + ", average"] = *field.second;
  }
  const run::LogField* gradNorm = line.field(run::kGradNormField);
  return {{"iteration", line.iteration},
          {"line", line.line},
          {"file", log.files[line.file]},
          {"attempt", line.attempt},
          {"rank", orNull(line.rankLabel)},
          {"train_iters", line.trainIterations},
          {"timestamp", line.timestamp.empty() ? ordered_json() : ordered_json(line.timestamp)},
          {"elapsed_ns", line.milliseconds ? nanoseconds(*line.milliseconds * 1e6) : ordered_json()},
          {"tflops_per_gpu", orNull(line.tflopsPerGpu)},
          {"lm_loss", orNull(line.loss)},
          {"grad_norm", gradNorm != nullptr ? printed(*gradNorm) : ordered_json()},
          {"skipped", orNull(line.skipped)},
          {"nan", orNull(line.nan)},
          {"marks", marks(line.marks)},
          {"other", std::move(other)}};
}

ordered_json memory(const run::TrainingLog& log, const run::MemoryLine& line) {
  ordered_json values = ordered_json::object();
  for (const run::LogField& field : line.fields) values[field.name] = printed(field);
  return {{"rank", line.rank},
          {"allocated_bytes", orNull(line.allocatedBytes)},
          {"max_allocated_bytes", orNull(line.maxAllocatedBytes)},
          {"reserved_bytes", orNull(line.reservedBytes)},
          {"max_reserved_bytes", orNull(line.maxReservedBytes)},
          {"after_iterations", line.afterIterations},
          {"line", line.line},
          {"file", log.files[line.file]},
          {"unit", line.unit},
          {"printed", std::move(values)}};
}

ordered_json stepTimeEstimate(const run::Estimate& estimate) {
  ordered_json ci;
  if (estimate.medianCi95) ci = {nanoseconds((*estimate.medianCi95)[0]), nanoseconds((*estimate.medianCi95)[1])};
  return {{"median", nanoseconds(estimate.median)}, {"mean", nanoseconds(estimate.mean)}, {"ci95", ci}, {"n", estimate.count}};
}

ordered_json steady(const std::optional<run::SteadyWindow>& window) {
  if (!window) return nullptr;
  ordered_json tflops;
  if (window->tflops) {
    tflops = {{"median", window->tflops->median},
              {"mean", window->tflops->mean},
              {"ci95", orNull(window->tflops->medianCi95)},
              {"n", window->tflops->count}};
  }
  return {{"from", window->from},
          {"to", window->to},
          {"kind", std::string(toText(window->kind))},
          {"iterations", window->iterations},
          {"step_time_ns", stepTimeEstimate(window->stepTime)},
          {"tflops_per_gpu", tflops},
          {"drift", window->drift},
          {"drifts", window->drifts()},
          {"slow_iterations", window->slow}};
}

/// Lines that have no statistics: theoretical memory, Bridge's step times, validation.
void addRest(ordered_json& out, const run::TrainingLog& log) {
  ordered_json theoretical = ordered_json::array();
  for (const run::TheoreticalMemory& line : log.theoretical) {
    ordered_json bytes = ordered_json::object();
    for (const auto& [name, mebibytes] : line.mebibytes) {
      std::string key = name + "_bytes";
      std::replace(key.begin(), key.end(), ' ', '_');
      bytes[key] = std::llround(std::clamp(mebibytes, 0.0, 1e12) * 1024 * 1024);
    }
    bytes["line"] = line.line;
    theoretical.push_back(std::move(bytes));
  }
  ordered_json stepTimes = ordered_json::array();
  for (const run::StepTimeLine& line : log.stepTimes) {
    stepTimes.push_back({{"line", line.line},
                         {"step_time_ns", nanoseconds(std::clamp(line.seconds, 0.0, 1e9) * 1e9)},
                         {"tflops_per_gpu", line.tflopsPerGpu}});
  }
  ordered_json validations = ordered_json::array();
  for (const run::ValidationLine& line : log.validations) {
    const auto finite = [](const std::optional<double>& value) {
      return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json();
    };
    validations.push_back({{"line", line.line},
                           {"iteration", line.iteration},
                           {"label", line.label},
                           {"loss", finite(line.loss)},
                           {"perplexity", finite(line.perplexity)}});
  }
  out["theoretical_memory"] = std::move(theoretical);
  out["step_times"] = std::move(stepTimes);
  out["validation"] = std::move(validations);
  out["progress"] = log.progress;
}

}  // namespace

ordered_json logJson(const run::TrainingLog& log, const std::optional<run::SteadyWindow>& window) {
  ordered_json iterations = ordered_json::array();
  for (const run::IterationLine& line : log.iterations) iterations.push_back(iteration(log, line));
  ordered_json memoryLines = ordered_json::array();
  for (const run::MemoryLine& line : log.memory) memoryLines.push_back(memory(log, line));
  ordered_json arguments = ordered_json::object();
  for (const auto& [name, value] : log.arguments) arguments[name] = value;
  ordered_json out = {{"iterations", std::move(iterations)},   {"memory", std::move(memoryLines)},  {"steady", steady(window)},
                      {"log_interval", log.logInterval},       {"skipped_total", log.skippedTotal}, {"nan_total", log.nanTotal},
                      {"loss_finite", orNull(log.lossFinite)}, {"arguments", std::move(arguments)}};
  addRest(out, log);
  out["diagnostics"] = toJson(log.diagnostics);
  return out;
}

}  // namespace threewalls::cli

#include "time_range.h"

#include <CLI/CLI.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace threewalls::cli {
namespace {

/// A time as it was written: on the trace's clock, or counted from its first event.
struct Time {
  base::Nanoseconds value{0};
  bool sinceStart = false;
};

constexpr double kFarthest = 4e18;  // ns; as far as events of a trace go

std::optional<Time> timeOf(std::string_view text) {
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  if (const auto [at, error] = std::from_chars(text.data(), end, whole); error == std::errc() && at == end) {
    return Time{base::Nanoseconds(whole), false};
  }
  double number = 0;
  const auto [at, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
      {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  const std::string_view unit(at, static_cast<std::size_t>(end - at));
  for (const auto& [name, factor] : kUnits) {
    if (unit != name || !(std::abs(number * factor) < kFarthest)) continue;
    return Time{base::Nanoseconds(std::llround(number * factor)), true};
  }
  return std::nullopt;
}

}  // namespace

void addTimeRange(CLI::App& command, TimeRangeArguments& arguments, const std::string& what) {
  command
      .add_option("--from", arguments.from,
                  what +
                      ": a whole number is ns on the trace's clock, as start_ns says it; with a unit (12.5ms, 300us) it counts "
                      "from the first event")
      ->type_name("TIME");
  command.add_option("--to", arguments.to, "Up to this time, written as --from")->type_name("TIME");
}

std::optional<std::string> wrongTime(const TimeRangeArguments& arguments) {
  for (const auto& [name, text] : {std::pair("--from", arguments.from), std::pair("--to", arguments.to)}) {
    if (!text.empty() && !timeOf(text)) {
      return std::string(name) + " takes ns on the trace's clock (1234567) or a time since its first event (12.5ms, 300us).";
    }
  }
  return std::nullopt;
}

base::Result<base::Interval> intervalOf(const TimeRangeArguments& arguments, const trace::Trace& trace) {
  const base::Interval span = trace.span();
  const auto resolve = [&](const std::string& text, base::Nanoseconds otherwise) {
    const auto time = timeOf(text);
    if (!time) return otherwise;
    return time->sinceStart ? base::Nanoseconds(span.start.count() + time->value.count()) : time->value;
  };
  const base::Interval range{resolve(arguments.from, span.start), resolve(arguments.to, span.end)};
  if (!range.empty()) return range;
  base::Error error{base::ErrorCode::InvalidArgument, "The range is empty: its end must lie behind its start.",
                    trace.info().file};
  error.hint =
      "The recording goes from " + std::to_string(span.start.count()) + " to " + std::to_string(span.end.count()) + " ns.";
  return base::fail(std::move(error));
}

}  // namespace threewalls::cli

#include "run/log_marks.h"

#include "base/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace threewalls::run {
namespace {

using Lines = std::vector<IterationLine>;

/// Index ranges of attempts; lines of an attempt follow one another.
std::vector<std::pair<std::size_t, std::size_t>> attemptsOf(const Lines& lines) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 0 || lines[i].attempt != lines[i - 1].attempt) ranges.emplace_back(i, i);
    ranges.back().second = i + 1;
  }
  return ranges;
}

/// The most common distance between neighbouring lines of an attempt; the smaller one of equals.
std::int64_t logIntervalOf(const Lines& lines) {
  std::map<std::int64_t, std::size_t> counts;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::int64_t distance = lines[i].iteration - lines[i - 1].iteration;
    if (lines[i].attempt == lines[i - 1].attempt && distance > 0) ++counts[distance];
  }
  std::int64_t interval = 1;
  std::size_t most = 0;
  for (const auto& [distance, count] : counts) {
    if (count > most) {
      most = count;
      interval = distance;
    }
  }
  return interval;
}

/// Which iterations each line covers. Megatron-LM also prints the first iteration of an attempt and does not reset its timers
/// and sums there (quirk 21): the second line then holds the first one's time and counts again. Its figures tell: a mean that
/// includes the first iteration cannot be smaller than that one's share.
void coverAndAveraged(TrainingLog& log, std::size_t begin, std::size_t end) {
  Lines& lines = log.iterations;
  const std::int64_t n = log.logInterval;
  const std::int64_t first = lines[begin].iteration;
  for (std::size_t i = begin; i < end; ++i) {
    IterationLine& line = lines[i];
    const bool alone = i == begin && (first % n != 0 || line.nemo) && !log.bridge;
    line.firstIteration = alone ? line.iteration : std::max<std::int64_t>(line.iteration - n + 1, i == begin ? 0 : first);
  }
  const auto second =
      std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(begin), lines.begin() + static_cast<std::ptrdiff_t>(end),
                   [&](const IterationLine& line) { return line.iteration > first; });
  if (log.bridge || second == lines.begin() + static_cast<std::ptrdiff_t>(end) || second->nemo) return;
  const IterationLine& head = lines[begin];
  const std::int64_t covered = second->iteration - first + 1;
  if (!head.milliseconds || !second->milliseconds || covered > n + 1) return;
  if (*second->milliseconds * static_cast<double>(covered) < *head.milliseconds) return;
  // A line that says "1 skipped" and has no loss skipped its own iteration: this trainer did reset its sums.
  const LogField* loss = second->field(kLossField);
  const bool advanced = loss != nullptr && loss->value != 0.0;
  if (n == 1 && second->skipped == 1 && head.skipped == 1 && !advanced) return;
  if (covered > n) second->marks |= line_mark::kAveraged;
  second->carriedSkipped = std::min(head.skipped.value_or(0), second->skipped.value_or(0));
  second->carriedNan = std::min(head.nan.value_or(0), second->nan.value_or(0));
}

void markSkippedAndNan(TrainingLog& log) {
  const auto printsLoss = [](const IterationLine& line) {
    return line.field(line.nemo ? kNemoLossField : kLossField) != nullptr;
  };
  const bool anyLoss = std::any_of(log.iterations.begin(), log.iterations.end(), printsLoss);
  bool anyFinite = false;
  bool anyNan = false;
  for (IterationLine& line : log.iterations) {
    if (line.skipped.value_or(0) > 0) line.marks |= line_mark::kSkipped;
    const LogField* loss = line.field(line.nemo ? kNemoLossField : kLossField);
    const bool notFinite = loss != nullptr && loss->value && !std::isfinite(*loss->value);
    // Quirk 22: a NaN loss of an iteration that is not skipped is left out of the line, and not counted.
    const bool missing = anyLoss && loss == nullptr && line.skipped.value_or(0) == 0 && (line.marks & line_mark::kTruncated) == 0;
    if (missing) {
      log.diagnostics.note({base::Severity::Warning,
                            "loss_missing",
                            "An iteration that was not skipped prints no loss: the trainer leaves out NaN and negative losses.",
                            log.files[line.file],
                            {},
                            line.line});
    }
    if (line.nan.value_or(0) > line.carriedNan || notFinite || missing) line.marks |= line_mark::kNan;
    anyNan = anyNan || (line.marks & line_mark::kNan) != 0;
    anyFinite = anyFinite || line.loss.has_value();
  }
  if (anyFinite || anyNan) log.lossFinite = !anyNan;
}

void markSuperseded(Lines& lines) {
  std::map<int, std::pair<std::int64_t, std::int64_t>> reach;  // attempt -> first and last iteration
  for (const IterationLine& line : lines) {
    auto [at, isNew] = reach.try_emplace(line.attempt, line.iteration, line.iteration);
    at->second.first = std::min(at->second.first, line.iteration);
    at->second.second = std::max(at->second.second, line.iteration);
  }
  for (IterationLine& line : lines) {
    for (auto later = reach.upper_bound(line.attempt); later != reach.end(); ++later) {
      if (line.iteration >= later->second.first && line.iteration <= later->second.second) line.marks |= line_mark::kSuperseded;
    }
  }
}

void markWarmup(Lines& lines, std::size_t begin, std::size_t end) {
  const std::int64_t first = lines[begin].firstIteration;
  std::vector<double> series;
  std::vector<std::size_t> indices;
  constexpr std::uint8_t kOdd = line_mark::kDuplicate | line_mark::kSkipped | line_mark::kNan | line_mark::kTruncated;
  for (std::size_t i = begin; i < end; ++i) {
    if (!lines[i].milliseconds || (lines[i].marks & kOdd) != 0) continue;
    series.push_back(*lines[i].milliseconds);
    indices.push_back(i);
  }
  const std::size_t length = warmupLength(series);
  const std::int64_t last = std::max(first + kLeastWarmup - 1, length > 0 ? lines[indices[length - 1]].iteration : first);
  for (std::size_t i = begin; i < end; ++i) {
    if (lines[i].firstIteration <= last) lines[i].marks |= line_mark::kWarmup;
  }
}

/// Quirks 23 and 24: what is wrong in auxiliary losses as printed.
void noteAuxiliaryLosses(TrainingLog& log) {
  bool seq = false;
  bool zero = false;
  for (const IterationLine& line : log.iterations) {
    const LogField* balancing = line.field("load_balancing_loss");
    seq = seq || line.field("seq_load_balancing_loss") != nullptr;
    zero = zero || (balancing != nullptr && balancing->value == 0.0);
    const bool auxiliary = std::any_of(line.fields.begin(), line.fields.end(), [](const LogField& field) {
      return field.name.ends_with("balancing_loss") || field.name.ends_with("z_loss") || field.name.starts_with("mtp_");
    });
    if (auxiliary && (line.marks & line_mark::kSkipped) != 0) {
      log.diagnostics.note({base::Severity::Info,
                            "auxiliary_loss_of_skipped",
                            "Auxiliary losses of a line with skipped iterations are too large: the trainer sums over all "
                            "iterations and divides by the advanced ones.",
                            log.files[line.file],
                            {},
                            line.line});
    }
  }
  if (seq && zero) {
    log.diagnostics.note({base::Severity::Info,
                          "load_balancing_loss_unused",
                          "load_balancing_loss is printed as 0 beside seq_load_balancing_loss: it is not in use.",
                          log.files.front(),
                          {},
                          {}});
  }
}

}  // namespace

std::size_t warmupLength(const std::vector<double>& series) {
  constexpr std::size_t kWindow = 5;
  if (series.size() < 2 * kWindow) return 0;
  const std::vector<double> settled(series.begin() + static_cast<std::ptrdiff_t>(series.size() / 2), series.end());
  const double middle = base::median(settled);
  std::vector<double> deviations;
  for (const double value : settled) deviations.push_back(std::abs(value - middle));
  const double robust = 1.4826 * base::median(deviations);
  const double tolerance = std::max(0.02 * middle, 2 * robust);
  for (std::size_t i = 0; i < series.size() / 2; ++i) {
    const auto from = series.begin() + static_cast<std::ptrdiff_t>(i);
    const double local = base::median({from, from + kWindow});
    if (std::abs(local - middle) <= tolerance) return i;
  }
  return series.size() / 2;
}

void markLines(TrainingLog& log) {
  Lines& lines = log.iterations;
  log.logInterval = logIntervalOf(lines);
  const auto attempts = attemptsOf(lines);
  for (const auto& [begin, end] : attempts) coverAndAveraged(log, begin, end);
  markSkippedAndNan(log);
  markSuperseded(lines);
  for (const auto& [begin, end] : attempts) markWarmup(lines, begin, end);
  noteAuxiliaryLosses(log);
  for (const IterationLine& line : lines) {
    if ((line.marks & (line_mark::kSuperseded | line_mark::kDuplicate)) != 0) continue;
    log.skippedTotal += line.skipped.value_or(0) - line.carriedSkipped;
    log.nanTotal += line.nan.value_or(0) - line.carriedNan;
  }
}

}  // namespace threewalls::run

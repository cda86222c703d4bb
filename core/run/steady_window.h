#pragma once

#include "base/statistics.h"
#include "run/training_log.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace threewalls::run {

constexpr std::int64_t kDefaultWindow = 10;   ///< iterations
constexpr std::int64_t kLeastRun = 50;        ///< iterations of a run that has a default window
constexpr std::size_t kLeastScreening = 6;    ///< lines after the warm-up of a shorter run
constexpr std::size_t kLeastForInterval = 5;  ///< values; of fewer a 95 % interval would be made up
constexpr double kDriftLimit = 0.02;
constexpr double kSlowFactor = 1.5;

/// Declared by the user; the last iterations of a long run; or all there is after the warm-up of a short one.
enum class WindowKind : std::uint8_t { Declared, Default, Screening };
/// "declared", "default", "screening".
std::string_view toText(WindowKind kind);

struct Estimate {
  double median = 0;
  double mean = 0;
  std::optional<base::Interval95> medianCi95;  ///< moving-block bootstrap; none of fewer than kLeastForInterval
  std::size_t count = 0;
};
Estimate estimate(const std::vector<double>& series);

/// The iterations that stand for a run (definitions.md, Steady window). Values are of usable lines only.
struct SteadyWindow {
  std::int64_t from = 0;  ///< iterations as printed, inclusive
  std::int64_t to = 0;
  WindowKind kind = WindowKind::Default;
  std::vector<double> nanoseconds;  ///< per iteration, one value a line, in file order
  std::int64_t iterations = 0;      ///< that the lines stand for: with log interval n a line is the mean of n
  Estimate stepTime;                ///< ns
  std::optional<Estimate> tflops;   ///< per GPU: of the lines, else of Bridge's Step Time lines
  double drift = 0;                 ///< relative change of the step time across the window (base::relativeDrift)
  std::vector<std::int64_t> slow;   ///< iterations of lines over kSlowFactor × the median

  bool drifts() const { return drift > kDriftLimit || drift < -kDriftLimit; }
};

/// None when the log has no usable lines for one. Default windows reach back over lines that do not count.
std::optional<SteadyWindow> steadyWindow(const TrainingLog& log,
                                         std::optional<std::pair<std::int64_t, std::int64_t>> declared = {});

/// What a user should know about the window before trusting it: drift, slow iterations, a screening window, none at all.
std::vector<base::Diagnostic> windowNotes(const TrainingLog& log, const std::optional<SteadyWindow>& window);

}  // namespace threewalls::run

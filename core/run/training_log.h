#pragma once

#include "base/diagnostics.h"
#include "base/progress.h"
#include "base/result.h"
#include "run/log_records.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::run {

/// Why an iteration line stays out of statistics (cli.md, log), or what is to be known about it.
namespace line_mark {
constexpr std::uint8_t kWarmup = 1;
constexpr std::uint8_t kAveraged = 2;  ///< its mean reaches back beyond its own interval
constexpr std::uint8_t kSkipped = 4;
constexpr std::uint8_t kNan = 8;          ///< counted by the trainer, or the loss that is NaN or missing
constexpr std::uint8_t kSuperseded = 16;  ///< a restart ran it again
constexpr std::uint8_t kDuplicate = 32;   ///< the same iteration was printed before: by another rank, or a bar drawn again
constexpr std::uint8_t kTruncated = 64;   ///< cut: the fields next to the cut are left out
}  // namespace line_mark

/// Words of cli.md: "warmup", "averaged", ... in that order.
std::vector<std::string_view> markWords(std::uint8_t marks);

/// One printed iteration line. With log interval n its figures are means over n iterations.
struct IterationLine {
  std::int64_t iteration = 0;       ///< as printed; NeMo counts from 0
  std::int64_t firstIteration = 0;  ///< it covers [firstIteration, iteration]
  std::int64_t trainIterations = 0;
  std::size_t file = 0;          ///< index into TrainingLog::files
  std::uint64_t line = 0;        ///< physical, from 1
  int attempt = 1;               ///< counts restarts from 1
  std::optional<int> rankLabel;  ///< of the launcher's prefix
  std::string timestamp;
  bool nemo = false;
  std::uint8_t marks = 0;               ///< line_mark bits
  std::vector<LogField> fields;         ///< as printed, in order
  std::optional<std::size_t> stepTime;  ///< index into TrainingLog::stepTimes: rank 0's line of the same step (Bridge)

  std::optional<double> milliseconds;  ///< elapsed time per iteration
  std::optional<double> tflopsPerGpu;
  std::optional<double> loss;           ///< lm loss; none where not printed, not finite, or 0 on a skipped iteration
  std::optional<double> gradNorm;       ///< may be infinite
  std::optional<std::int64_t> skipped;  ///< printed counter
  std::optional<std::int64_t> nan;      ///< printed counter
  std::int64_t carriedSkipped = 0;      ///< of `skipped`, counted on the line before already
  std::int64_t carriedNan = 0;

  /// Counts in statistics of the step time.
  bool usable() const { return marks == 0 && milliseconds.has_value(); }
  const LogField* field(std::string_view name) const;
};

/// "[Rank 0] (after 2 iterations) memory (MB) | allocated: ... | ...": of one rank; the peak may be on another one.
struct MemoryLine {
  std::size_t file = 0;
  std::uint64_t line = 0;
  int rank = 0;
  std::int64_t afterIterations = 0;
  std::string unit;              ///< "MB" is MiB (2^20), "GB" is 10^9 bytes
  std::vector<LogField> fields;  ///< as printed, in that unit
  std::optional<std::uint64_t> allocatedBytes, maxAllocatedBytes, reservedBytes, maxReservedBytes;
};

struct TheoreticalMemory {
  std::size_t file = 0;
  std::uint64_t line = 0;
  std::map<std::string, double> mebibytes;  ///< "weight and optimizer", "activation", "total"
};

/// Bridge prints the same step twice: this line of rank 0 and the last rank's iteration line, in either order.
struct StepTimeLine {
  std::size_t file = 0;
  std::uint64_t line = 0;
  double seconds = 0;
  double tflopsPerGpu = 0;
};

struct ValidationLine {
  std::size_t file = 0;
  std::uint64_t line = 0;
  std::int64_t iteration = 0;
  std::string label;  ///< "on validation set"; empty when there is none
  std::optional<double> loss;
  std::optional<double> perplexity;
};

/// What the logs of one run say, in file order. Nothing is computed that is not said: statistics are in steady_window.h.
struct TrainingLog {
  std::vector<std::string> files;
  std::vector<IterationLine> iterations;
  std::vector<MemoryLine> memory;
  std::vector<TheoreticalMemory> theoretical;
  std::vector<StepTimeLine> stepTimes;
  std::vector<ValidationLine> validations;
  std::vector<std::vector<std::string>> progress;  ///< rows of progress.txt, which trainers keep beside checkpoints
  std::map<std::string, std::string> arguments;    ///< of the last argument dump

  std::optional<int> worldSize;   ///< ranks, of the start-up line or the arguments
  bool bridge = false;            ///< printed by Megatron-Bridge
  std::int64_t logInterval = 1;   ///< iterations a line stands for
  std::int64_t skippedTotal = 0;  ///< iterations, each counted once; superseded lines do not count
  std::int64_t nanTotal = 0;
  std::optional<bool> lossFinite;  ///< none when no loss was printed
  base::Diagnostics diagnostics;

  /// Anything recognised at all.
  bool empty() const;
};

/// Reads logs of one run in the order given: one file, the files of its restarts, or of its ranks. Fails when a file cannot be
/// opened, is plainly no text, or the call is cancelled; text without a known line gives an empty log with a diagnostic.
base::Result<TrainingLog> readTrainingLog(const std::vector<std::string>& paths, const base::Progress& progress = {});

}  // namespace threewalls::run

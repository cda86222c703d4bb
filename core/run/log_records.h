#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::run {

/// One `name: value` between bars, as printed. AMD's Primus prints "current/average": the first number is the value.
struct LogField {
  std::string name;
  std::string text;
  std::optional<double> value;   ///< may be infinite or NaN; none when the text is no number
  std::optional<double> second;  ///< of a pair
};

/// What a trainer prints that is worth keeping.
enum class RecordKind : std::uint8_t { Iteration, ProgressBar, Memory, StepTime, Theoretical, Validation };

/// A record within a line. Several ranks may have written into one line: a record ends where the next one begins.
struct RecordSpan {
  RecordKind kind = RecordKind::Iteration;
  std::string_view text;    ///< from the record's first word to its end
  std::string_view before;  ///< what stands in front of it: a timestamp, a label, "Training epoch 0, "
  bool last = true;         ///< nothing follows in the line
};

/// All records of a line, in order.
std::vector<RecordSpan> findRecords(std::string_view line);

/// The part of a line after the label of srun -l ("12: "), mpirun --tag-output ("[1,0]<stdout>:") or torchrun ("[default0]:",
/// "[rank0]:"), and the rank that it names.
struct LabelledText {
  std::optional<int> rank;
  std::string_view text;
};
LabelledText splitLabel(std::string_view line);

/// "iteration  36/  60 | name: value | ..." taken apart.
struct IterationRecord {
  std::int64_t iteration = 0;
  std::int64_t trainIterations = 0;
  std::string timestamp;  ///< as printed; empty when there is none
  bool nemo = false;      ///< a line or a bar of NeMo: seconds, its own names
  bool endsWithBar = false;
  bool lastPieceWhole = true;  ///< the text after the last bar is a `name: value` or nothing
  std::vector<LogField> fields;
};
std::optional<IterationRecord> parseIteration(const RecordSpan& span);
/// NeMo 1's progress bar, redrawn for each iteration and often more than once: `name=value` pairs, iterations done.
std::optional<IterationRecord> parseProgressBar(const RecordSpan& span);

/// Fields between bars; pieces without a colon are left out.
std::vector<LogField> parseFields(std::string_view text);

/// Whole text as a number: 12, 1.5E-05, inf, nan. Locale-free.
std::optional<double> parseNumber(std::string_view text);
/// The number that text begins with, which is taken off; leading blanks are skipped.
std::optional<double> takeNumber(std::string_view& text);
std::optional<std::int64_t> takeInteger(std::string_view& text);

std::string_view trimmed(std::string_view text);

}  // namespace threewalls::run

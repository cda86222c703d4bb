#include "run/training_log.h"

#include "run/line_reader.h"
#include "run/log_builder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace threewalls::run {
namespace {

/// The name of a format that is certainly no log; empty otherwise.
std::string_view otherFormat(std::string_view head) {
  if (head.starts_with("\x1F\x8B")) return "a gzip file";
  if (head.starts_with("SQLite format 3")) return "an SQLite database";
  if (head.starts_with("\177ELF")) return "a program";
  if (head.starts_with("PK\x03\x04")) return "a ZIP archive";
  const auto first = head.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (head[first] == '{' || head.substr(first).starts_with("[{"))) return "JSON";
  return {};
}

base::Error notALog(const std::string& path, std::string_view what) {
  return {base::ErrorCode::UnknownFormat, "This is " + std::string(what) + ", not a training log.", path, {}, {},
          "Name the trainer's output."};
}

}  // namespace

std::vector<std::string_view> markWords(std::uint8_t marks) {
  constexpr std::array<std::pair<std::uint8_t, std::string_view>, 7> kWords = {{{line_mark::kWarmup, "warmup"},
                                                                                {line_mark::kAveraged, "averaged"},
                                                                                {line_mark::kSkipped, "skipped"},
                                                                                {line_mark::kNan, "nan"},
                                                                                {line_mark::kSuperseded, "superseded"},
                                                                                {line_mark::kDuplicate, "duplicate"},
                                                                                {line_mark::kTruncated, "truncated"}}};
  std::vector<std::string_view> words;
  for (const auto& [mark, word] : kWords) {
    if ((marks & mark) != 0) words.push_back(word);
  }
  return words;
}

const LogField* IterationLine::field(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const LogField& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

bool TrainingLog::empty() const {
  return iterations.empty() && memory.empty() && theoretical.empty() && stepTimes.empty() && validations.empty() &&
         progress.empty() && arguments.empty();
}

base::Result<TrainingLog> readTrainingLog(const std::vector<std::string>& paths, const base::Progress& progress) {
  LogBuilder builder;
  for (const std::string& path : paths) {
    auto reader = LineReader::open(path);
    if (!reader) return base::fail(reader.error());
    if (const std::string_view other = otherFormat(reader->head()); !other.empty()) return base::fail(notALog(path, other));
    builder.beginFile(path);
    LogText line;
    std::uint64_t reported = 0;
    while (reader->next(line)) {
      builder.add(line);
      if (reader->bytesRead() == reported) continue;
      reported = reader->bytesRead();
      progress.report(reported, reader->fileBytes());
      if (progress.stopRequested()) return base::fail({base::ErrorCode::Cancelled, "Reading was cancelled.", path, {}, {}, {}});
    }
    if (reader->linesCut() > 0) {
      builder.note(base::Severity::Warning, "line_too_long", "Of a line of over 1 MiB only the beginning was read.", 1);
    }
    if (reader->failed()) {
      builder.note(base::Severity::Error, "read_error", "The file could not be read to its end.", 1);
    }
  }
  TrainingLog log = std::move(builder).finish();
  if (log.empty()) {
    log.diagnostics.note({base::Severity::Warning,
                          "no_known_line",
                          "No line of a Megatron, Bridge or NeMo training log was found.",
                          log.files.empty() ? std::string() : log.files.front(),
                          {},
                          {}});
  }
  return log;
}

}  // namespace threewalls::run

#include "run/log_builder.h"

#include "run/log_marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace threewalls::run {
namespace {

constexpr std::size_t kMostArguments = 20'000;

constexpr std::string_view kWorldSize = "using world size:";

/// What a trainer prints once, before its first iteration.
constexpr std::array<std::string_view, 6> kBanners = {
    "[after megatron is initialized]",     "[before the start of training step]", kWorldSize,
    "Starting training loop at iteration", "time to initialize megatron",         "------------------------ arguments"};

bool isBanner(std::string_view text) {
  text = trimmed(text);
  return std::any_of(kBanners.begin(), kBanners.end(), [&](std::string_view banner) { return text.starts_with(banner); });
}

std::optional<double> valueOf(const IterationLine& line, std::string_view name) {
  const LogField* field = line.field(name);
  return field != nullptr ? field->value : std::nullopt;
}

std::optional<std::int64_t> countOf(const IterationLine& line, std::string_view name) {
  const auto value = valueOf(line, name);
  if (!value || !(*value >= 0) || *value > 1e15) return std::nullopt;
  return std::llround(*value);
}

/// Fills the members that have a meaning of their own.
void interpret(IterationLine& line) {
  line.milliseconds = valueOf(line, "elapsed time per iteration (ms)");
  if (const auto seconds = valueOf(line, "train_step_timing in s")) line.milliseconds = *seconds * 1000;
  if (line.milliseconds && (!std::isfinite(*line.milliseconds) || *line.milliseconds < 0 || *line.milliseconds > 1e12)) {
    line.milliseconds.reset();
  }
  line.tflopsPerGpu = valueOf(line, kThroughputField);
  if (!line.tflopsPerGpu) line.tflopsPerGpu = valueOf(line, kNemoThroughputField);
  if (line.tflopsPerGpu && !std::isfinite(*line.tflopsPerGpu)) line.tflopsPerGpu.reset();
  line.gradNorm = valueOf(line, kGradNormField);
  line.skipped = countOf(line, kSkippedField);
  line.nan = countOf(line, kNanField);
  line.loss = valueOf(line, line.nemo ? kNemoLossField : kLossField);
  const bool zeroOfSkipped = line.loss && *line.loss == 0.0 && line.skipped.value_or(0) > 0;
  if (line.loss && (!std::isfinite(*line.loss) || zeroOfSkipped)) line.loss.reset();
}

std::optional<std::uint64_t> bytesOf(const MemoryLine& memory, std::string_view megatron, std::string_view bridge) {
  const auto field = std::find_if(memory.fields.begin(), memory.fields.end(),
                                  [&](const LogField& f) { return f.name == megatron || f.name == bridge; });
  if (field == memory.fields.end() || !field->value) return std::nullopt;
  const double unit = memory.unit == "GB" ? 1e9 : 1024.0 * 1024.0;
  const double bytes = *field->value * unit;
  if (!(bytes >= 0) || bytes > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(bytes));
}

}  // namespace

void LogBuilder::beginFile(const std::string& path) {
  m_log.files.push_back(path);
  m_inArguments = false;
  m_lastOfRank.clear();  // labels of another file are other writers
}

void LogBuilder::note(base::Severity severity, std::string code, std::string message, std::uint64_t line) {
  m_log.diagnostics.note({severity, std::move(code), std::move(message), m_log.files.back(), {}, line});
}

void LogBuilder::add(const LogText& line) {
  const LabelledText labelled = splitLabel(line.text);
  if (addArgument(labelled.text) || addProgressRow(labelled.text)) return;
  const std::vector<RecordSpan> records = findRecords(line.text);
  for (const RecordSpan& span : records) {
    switch (span.kind) {
      case RecordKind::Iteration: addIteration(parseIteration(span), span, line, labelled.rank); break;
      case RecordKind::ProgressBar: addIteration(parseProgressBar(span), span, line, labelled.rank); break;
      case RecordKind::Memory: addMemory(span, line); break;
      case RecordKind::StepTime: addStepTime(span, line); break;
      case RecordKind::Theoretical: addTheoretical(span, line); break;
      case RecordKind::Validation: addValidation(span, line); break;
    }
  }
  if (records.empty() && isBanner(labelled.text)) {
    m_bannerSeen = true;
    std::string_view text = trimmed(labelled.text);
    if (text.starts_with(kWorldSize)) {
      text.remove_prefix(kWorldSize.size());
      setWorldSize(takeInteger(text));
    }
  }
  if (line.text.find("CUDA out of memory") != std::string_view::npos ||
      line.text.find("OutOfMemoryError") != std::string_view::npos) {
    note(base::Severity::Error, "out_of_memory", "The trainer ran out of GPU memory.", line.line);
  }
}

void LogBuilder::addIteration(std::optional<IterationRecord> record, const RecordSpan& span, const LogText& text,
                              std::optional<int> rank) {
  if (!record) return;
  IterationLine line;
  line.iteration = record->iteration;
  line.firstIteration = record->iteration;
  line.trainIterations = record->trainIterations;
  line.file = file();
  line.line = text.line;
  line.rankLabel = rank;
  line.timestamp = std::move(record->timestamp);
  line.nemo = record->nemo;
  line.fields = std::move(record->fields);
  const bool endMayBeCut = m_barsEndLines || (span.last && !text.terminated);
  if (!record->endsWithBar && (!record->lastPieceWhole || endMayBeCut)) {
    line.marks |= line_mark::kTruncated;
    // Other output may have been spliced in at the cut: the whole field in front of it is not trusted either.
    const std::size_t doubtful = record->lastPieceWhole ? 2 : 1;
    line.fields.resize(line.fields.size() - std::min(doubtful, line.fields.size()));
    note(base::Severity::Warning, "truncated_line", "An iteration line is cut; the fields next to the cut are left out.",
         text.line);
  }
  m_barsEndLines = m_barsEndLines || record->endsWithBar;
  interpret(line);
  placeInAttempt(line);
  m_unpairedIterations.push_back(m_log.iterations.size());
  m_log.iterations.push_back(std::move(line));
  pairStepTimes();
}

void LogBuilder::placeInAttempt(IterationLine& line) {
  const int writer = line.rankLabel.value_or(-1);
  const auto last = m_lastOfRank.find(writer);
  const bool wentBack = last != m_lastOfRank.end() && line.iteration < last->second;
  const bool newFileWentBack = m_lastOfRank.empty() && line.iteration <= m_highest;
  if (!m_log.iterations.empty() && (m_bannerSeen || wentBack || newFileWentBack)) {
    ++m_attempt;
    m_lastOfRank.clear();
    m_highest = -1;
    m_unpairedIterations.clear();
    m_unpairedStepTimes.clear();
  } else if (line.iteration <= m_highest) {
    line.marks |= line_mark::kDuplicate;
  }
  m_bannerSeen = false;
  m_lastOfRank[writer] = line.iteration;
  m_highest = std::max(m_highest, line.iteration);
  line.attempt = m_attempt;
}

void LogBuilder::addMemory(const RecordSpan& span, const LogText& text) {
  MemoryLine memory;
  memory.file = file();
  memory.line = text.line;
  std::string_view rest = span.text;
  rest.remove_prefix(6);
  memory.rank = static_cast<int>(std::min<std::int64_t>(takeInteger(rest).value_or(0), 1 << 30));
  if (const auto after = rest.find("(after"); after != std::string_view::npos) {
    std::string_view count = rest.substr(after + 6);
    memory.afterIterations = takeInteger(count).value_or(0);
  }
  rest.remove_prefix(rest.find("memory (") + 8);
  memory.unit = rest.substr(0, rest.find(')'));
  rest.remove_prefix(rest.find('|'));
  memory.fields = parseFields(rest);
  memory.allocatedBytes = bytesOf(memory, "allocated", "mem-allocated-gigabytes");
  memory.maxAllocatedBytes = bytesOf(memory, "max allocated", "mem-max-allocated-gigabytes");
  memory.reservedBytes = bytesOf(memory, "reserved", "mem-reserved-gigabytes");
  memory.maxReservedBytes = bytesOf(memory, "max reserved", "mem-max-reserved-gigabytes");
  m_log.bridge = m_log.bridge || memory.unit == "GB";
  m_log.memory.push_back(std::move(memory));
}

void LogBuilder::addStepTime(const RecordSpan& span, const LogText& text) {
  std::string_view rest = span.text.substr(std::string_view("Step Time :").size());
  const auto seconds = takeNumber(rest);
  const auto utilization = rest.find("utilization:");
  if (!seconds || !std::isfinite(*seconds) || utilization == std::string_view::npos) return;
  rest.remove_prefix(utilization + 12);
  const auto tflops = takeNumber(rest);
  if (!tflops || !std::isfinite(*tflops)) return;
  m_log.bridge = true;
  m_unpairedStepTimes.push_back(m_log.stepTimes.size());
  m_log.stepTimes.push_back({file(), text.line, *seconds, *tflops});
  pairStepTimes();
}

void LogBuilder::pairStepTimes() {
  if (!m_log.bridge) return;
  while (!m_unpairedIterations.empty() && !m_unpairedStepTimes.empty()) {
    IterationLine& line = m_log.iterations[m_unpairedIterations.front()];
    const StepTimeLine& stepTime = m_log.stepTimes[m_unpairedStepTimes.front()];
    // Two decimals of a second are printed. Where they do not fit, the partner of the older line is lost.
    const bool fits = !line.milliseconds || std::abs(stepTime.seconds * 1000 - *line.milliseconds) <= 5.1;
    const bool iterationIsOlder = std::pair(line.file, line.line) < std::pair(stepTime.file, stepTime.line);
    if (fits) line.stepTime = m_unpairedStepTimes.front();
    if (fits || iterationIsOlder) m_unpairedIterations.pop_front();
    if (fits || !iterationIsOlder) m_unpairedStepTimes.pop_front();
  }
}

void LogBuilder::addTheoretical(const RecordSpan& span, const LogText& text) {
  TheoreticalMemory memory;
  memory.file = file();
  memory.line = text.line;
  std::string_view rest = span.text.substr(span.text.find(':') + 1);
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string_view piece = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const auto equals = piece.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view number = piece.substr(equals + 1);
    const auto value = takeNumber(number);
    if (value && trimmed(number) == "MB") memory.mebibytes[std::string(trimmed(piece.substr(0, equals)))] = *value;
  }
  if (!memory.mebibytes.empty()) m_log.theoretical.push_back(std::move(memory));
}

void LogBuilder::addValidation(const RecordSpan& span, const LogText& text) {
  ValidationLine validation;
  validation.file = file();
  validation.line = text.line;
  const auto bar = span.text.find('|');
  std::string_view head = span.text.substr(std::string_view("validation loss at ").size());
  head = head.substr(0, head.find('|'));
  if (head.starts_with("iteration")) {
    head.remove_prefix(9);
    validation.iteration = takeInteger(head).value_or(0);
  }
  validation.label = trimmed(head);
  for (const LogField& field : parseFields(span.text.substr(bar))) {
    if (field.name == "lm loss value") validation.loss = field.value;
    if (field.name == "lm loss PPL") validation.perplexity = field.value;
  }
  m_log.validations.push_back(std::move(validation));
}

bool LogBuilder::addArgument(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("------------------------ arguments")) {
    m_inArguments = true;
    m_log.arguments.clear();
    return false;  // a banner, too
  }
  if (!m_inArguments) return false;
  if (text.find("end of arguments") != std::string_view::npos) {
    m_inArguments = false;
    return true;
  }
  const auto nameEnd = text.find(' ');
  if (nameEnd == std::string_view::npos || m_log.arguments.size() >= kMostArguments) return false;
  const std::string_view name = text.substr(0, nameEnd);
  const std::string_view rest = trimmed(text.substr(nameEnd));
  const auto dots = std::min(rest.find_first_not_of('.'), rest.size());
  // The dots fill up to a column; names beyond it have none.
  const bool plain =
      std::all_of(name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
  if (!plain || (dots < 2 && name.size() < 46)) return false;
  std::string_view value = trimmed(rest.substr(dots));
  m_log.arguments[std::string(name)] = value;
  if (name == "world_size") setWorldSize(takeInteger(value));
  return true;
}

void LogBuilder::setWorldSize(std::optional<std::int64_t> ranks) {
  if (ranks && *ranks > 0 && *ranks < 100'000'000) m_log.worldSize = static_cast<int>(*ranks);
}

bool LogBuilder::addProgressRow(std::string_view text) {
  if (text.find("\tJob ID: ") == std::string_view::npos) return false;
  std::vector<std::string> row;
  while (true) {
    const auto tab = std::min(text.find('\t'), text.size());
    row.emplace_back(text.substr(0, tab));
    if (tab == text.size()) break;
    text.remove_prefix(tab + 1);
  }
  m_log.progress.push_back(std::move(row));
  return true;
}

TrainingLog LogBuilder::finish() && {
  markLines(m_log);
  return std::move(m_log);
}

}  // namespace threewalls::run

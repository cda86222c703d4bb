#include "run/log_records.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace threewalls::run {
namespace {

constexpr std::int64_t kLargestIteration = 1'000'000'000'000'000;  ///< more is damage; sums of these cannot overflow

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isWord(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string_view withoutLeadingBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

/// "iteration  36/  60 |": the bar tells the record from prose.
bool startsIteration(std::string_view text) {
  text.remove_prefix(9);
  if (!takeInteger(text)) return false;
  text = withoutLeadingBlanks(text);
  if (!text.starts_with('/')) return false;
  text.remove_prefix(1);
  if (!takeInteger(text)) return false;
  return withoutLeadingBlanks(text).starts_with('|');
}

/// NeMo 1's bar, "Epoch 0:  1%|#  | 12/1000 [02:10<15:50, 10.8s/it, reduced_train_loss=10.8, global_step=11.0, ...]".
bool startsBar(std::string_view text) {
  text.remove_prefix(6);
  return takeInteger(text) && text.starts_with(':') && text.find("global_step=") != std::string_view::npos;
}

bool startsMemory(std::string_view text) {
  text.remove_prefix(6);
  if (!takeInteger(text) || !text.starts_with(']')) return false;
  const auto bar = text.find('|');
  const auto memory = text.find("memory (");
  return memory != std::string_view::npos && bar != std::string_view::npos && memory < bar && memory < 64;
}

struct Opening {
  std::string_view word;
  RecordKind kind;
  bool (*matches)(std::string_view);
};

constexpr std::array<Opening, 6> kOpenings = {{
    {"iteration", RecordKind::Iteration, startsIteration},
    {"Epoch ", RecordKind::ProgressBar, startsBar},
    {"[Rank ", RecordKind::Memory, startsMemory},
    {"Step Time :", RecordKind::StepTime, [](std::string_view) { return true; }},
    {"Theoretical memory footprints:", RecordKind::Theoretical, [](std::string_view) { return true; }},
    {"validation loss at ", RecordKind::Validation,
     [](std::string_view text) { return text.find('|') != std::string_view::npos; }},
}};

struct Start {
  std::size_t at;
  RecordKind kind;
};

std::vector<Start> findStarts(std::string_view line) {
  std::vector<Start> starts;
  for (const Opening& opening : kOpenings) {
    for (auto at = line.find(opening.word); at != std::string_view::npos;
         at = line.find(opening.word, at + opening.word.size())) {
      const bool insideWord = at > 0 && isWord(opening.word[0]) && isWord(line[at - 1]);
      if (!insideWord && opening.matches(line.substr(at))) starts.push_back({at, opening.kind});
    }
  }
  std::sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.at < b.at; });
  return starts;
}

/// Where the stretch in front of a record begins when another record precedes it in the line: after that one's last bar when
/// only a label, a timestamp or blanks follow the bar.
std::size_t lineHeadBegin(std::string_view line, std::size_t previous, std::size_t at) {
  const auto bar = line.rfind('|', at - 1);
  if (bar == std::string_view::npos || bar < previous) return at;
  const std::string_view between = trimmed(line.substr(bar + 1, at - bar - 1));
  const bool head = between.empty() || between.back() == ']' || between.back() == ':' || between.starts_with("Training epoch");
  return head ? bar + 1 : at;
}

std::string timestampIn(std::string_view before) {
  before = trimmed(before);
  if (!before.ends_with(']')) return {};
  const auto open = before.rfind('[');
  if (open == std::string_view::npos) return {};
  const std::string_view inside = before.substr(open + 1, before.size() - open - 2);
  const bool date =
      inside.size() >= 19 && inside.size() <= 40 && std::all_of(inside.begin(), inside.begin() + 4, isDigit) && inside[4] == '-';
  return date ? std::string(inside) : std::string();
}

std::optional<int> smallInteger(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  text = withoutLeadingBlanks(text);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

std::optional<double> takeNumber(std::string_view& text) {
  const std::string_view from = withoutLeadingBlanks(text);
  double value = 0;
  const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), value);
  if (error == std::errc::invalid_argument) return std::nullopt;
  const std::string_view digits = from.substr(0, static_cast<std::size_t>(end - from.data()));
  if (error == std::errc::result_out_of_range) {  // 1e999 is infinite, 1e-999 is nought
    const bool tiny = digits.find_first_of("eE") != std::string_view::npos && digits.find('-', 1) != std::string_view::npos;
    value = tiny ? 0.0 : digits.starts_with('-') ? -HUGE_VAL : HUGE_VAL;
  }
  text = from.substr(digits.size());
  return value;
}

std::optional<double> parseNumber(std::string_view text) {
  text = trimmed(text);
  const auto value = takeNumber(text);
  return value && text.empty() ? value : std::nullopt;
}

std::optional<std::int64_t> takeInteger(std::string_view& text) {
  const std::string_view from = withoutLeadingBlanks(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), value);
  if (error != std::errc() || value < 0) return std::nullopt;
  text = from.substr(static_cast<std::size_t>(end - from.data()));
  return value;
}

LabelledText splitLabel(std::string_view line) {
  const std::string_view text = withoutLeadingBlanks(line);
  const auto colon = text.substr(0, 40).find(':');
  if (colon == std::string_view::npos) return {std::nullopt, line};
  const std::string_view label = text.substr(0, colon);
  std::string_view rest = text.substr(colon + 1);
  const bool gap = rest.empty() || rest.front() == ' ';
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  if (!label.empty() && std::all_of(label.begin(), label.end(), isDigit) && gap) return {smallInteger(label), rest};
  if (!label.starts_with('[')) return {std::nullopt, line};
  const auto close = label.find(']');
  if (close == std::string_view::npos) return {std::nullopt, line};
  const std::string_view after = label.substr(close + 1);
  if (!after.empty() && after != "<stdout>" && after != "<stderr>") return {std::nullopt, line};
  std::string_view inside = label.substr(1, close - 1);
  if (const auto comma = inside.find(','); comma != std::string_view::npos) inside.remove_prefix(comma + 1);
  for (const std::string_view word : {"default", "rank"}) {
    if (inside.starts_with(word)) inside.remove_prefix(word.size());
  }
  const auto rank = smallInteger(inside);
  return rank ? LabelledText{rank, rest} : LabelledText{std::nullopt, line};
}

std::vector<RecordSpan> findRecords(std::string_view line) {
  std::vector<RecordSpan> records;
  const std::vector<Start> starts = findStarts(line);
  std::size_t headBegin = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t at = starts[i].at;
    const bool last = i + 1 == starts.size();
    const std::size_t end = last ? line.size() : lineHeadBegin(line, at, starts[i + 1].at);
    records.push_back({starts[i].kind, line.substr(at, end - at), line.substr(headBegin, at - headBegin), last});
    headBegin = end;
  }
  return records;
}

std::vector<LogField> parseFields(std::string_view text) {
  std::vector<LogField> fields;
  while (!text.empty()) {
    const auto bar = std::min(text.find('|'), text.size());
    const std::string_view piece = text.substr(0, bar);
    text.remove_prefix(std::min(bar + 1, text.size()));
    const auto colon = piece.find(':');
    if (colon == std::string_view::npos) continue;
    LogField field;
    field.name = trimmed(piece.substr(0, colon));
    field.text = trimmed(piece.substr(colon + 1));
    if (field.name.empty() || field.text.empty()) continue;
    field.value = parseNumber(field.text);
    if (const auto slash = field.text.find('/'); !field.value && slash != std::string::npos) {
      const auto first = parseNumber(std::string_view(field.text).substr(0, slash));
      const auto second = parseNumber(std::string_view(field.text).substr(slash + 1));
      if (first && second) {
        field.value = first;
        field.second = second;
      }
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::optional<IterationRecord> parseProgressBar(const RecordSpan& span) {
  const auto open = span.text.rfind('[');
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  std::string_view count = span.text.substr(0, open);
  count = count.substr(count.rfind('|') + 1);
  const auto done = takeInteger(count);
  count = withoutLeadingBlanks(count);
  if (!done || !count.starts_with('/')) return std::nullopt;
  count.remove_prefix(1);
  const auto total = takeInteger(count);
  if (!total || *done > kLargestIteration) return std::nullopt;
  IterationRecord record;
  record.iteration = *done;
  record.trainIterations = *total;
  record.nemo = true;
  std::string_view body = span.text.substr(open + 1);
  const auto close = body.rfind(']');
  record.endsWithBar = close != std::string_view::npos;
  record.lastPieceWhole = record.endsWithBar;
  body = body.substr(0, close);
  while (!body.empty()) {
    const auto comma = std::min(body.find(','), body.size());
    const std::string_view piece = body.substr(0, comma);
    body.remove_prefix(std::min(comma + 1, body.size()));
    const auto equals = piece.find('=');
    if (equals == std::string_view::npos) continue;
    LogField field;
    field.name = trimmed(piece.substr(0, equals));
    field.text = trimmed(piece.substr(equals + 1));
    if (field.name.empty() || field.text.empty()) continue;
    field.value = parseNumber(field.text);
    record.fields.push_back(std::move(field));
  }
  return record;
}

std::optional<IterationRecord> parseIteration(const RecordSpan& span) {
  IterationRecord record;
  std::string_view text = span.text;
  text.remove_prefix(9);
  const auto iteration = takeInteger(text);
  if (!iteration) return std::nullopt;
  text.remove_prefix(text.find('/') + 1);
  const auto total = takeInteger(text);
  if (!total || *iteration > kLargestIteration) return std::nullopt;
  text.remove_prefix(text.find('|') + 1);
  record.iteration = *iteration;
  record.trainIterations = *total;
  record.timestamp = timestampIn(span.before);
  record.nemo = span.before.find("Training epoch") != std::string_view::npos;
  const std::string_view body = trimmed(text);
  record.endsWithBar = body.ends_with('|');
  const std::string_view tail = body.substr(body.rfind('|') + 1);  // npos + 1 is 0: the whole body
  record.lastPieceWhole = record.endsWithBar || !parseFields(tail).empty();
  record.fields = parseFields(body);
  return record;
}

}  // namespace threewalls::run

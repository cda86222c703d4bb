#include "trace/event_parser.h"

#include "trace/json_text.h"
#include "trace/sub_lane_split.h"

#include <algorithm>
#include <cstring>

namespace threewalls::trace {
namespace {

using simdjson::error_code;

/// Whether the raw key at `key` is `name`: it ends at its quote, and padding makes reading ahead safe.
template <std::size_t N>
bool keyIs(const char* key, const char (&name)[N]) {
  return std::memcmp(key, name, N - 1) == 0 && key[N - 1] == '"';
}

/// Content of a string token; a token of another type as it stands.
std::string_view unquoted(std::string_view token) {
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"') return token.substr(1, token.size() - 2);
  return token;
}

bool isNotANumber(std::string_view token) {
  const char first = token.empty() ? '\0' : token[token.front() == '-' && token.size() > 1 ? 1 : 0];
  return first == 'N' || first == 'I';
}

std::int64_t correlationOf(std::string_view token) {
  const auto value = parseInteger(unquoted(token));
  return value && *value >= 0 ? *value : -1;
}

std::uint64_t firstBytes(std::string_view token) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, token.data(), std::min(token.size(), sizeof(bytes)));
  return bytes;
}

}  // namespace

/// Tokens of one event, as they stand in the text. Empty ones are missing.
struct EventParser::Fields {
  enum Bit : unsigned { Name = 1, Cat = 2, Ph = 4, Ts = 8, Dur = 16, Pid = 32, Tid = 64, Id = 128, Args = 256 };
  unsigned seen = 0;
  char phase = '\0';
  Category category;
  const char* start = nullptr;  ///< of the event's own text
  std::string_view name;
  std::string_view cat;
  std::string_view ts;
  std::string_view dur;
  std::string_view pid;
  std::string_view tid;
  std::string_view id;
  std::string_view correlation;
  std::string_view labelName;
  std::string_view labelText;
  std::string_view sortIndex;
};

ParseOutcome EventParser::parse(char* text, std::size_t size, std::uint64_t offset, PieceEvents& out) {
  using Status = ParseOutcome::Status;
  m_text = text;
  m_offset = offset;
  m_out = &out;
  if (out.lanes.empty()) m_laneOf.clear();
  m_cache.fill({});
  text[-1] = '[';
  text[size] = ']';
  std::memset(text + size + 1, ' ', simdjson::SIMDJSON_PADDING);

  const auto failed = [](error_code error) {
    const bool bad = error == simdjson::UTF8_ERROR || error == simdjson::UNESCAPED_CHARS;
    return ParseOutcome{bad ? Status::BadText : Status::Failed, 0};
  };
  simdjson::ondemand::document document;
  if (const auto error = m_parser.iterate(text - 1, size + 2, size + 2 + simdjson::SIMDJSON_PADDING).get(document)) {
    return failed(error);
  }
  simdjson::ondemand::array events;
  if (const auto error = document.get_array().get(events)) return failed(error);
  for (auto element : events) {
    Value value;
    if (const auto error = element.get(value)) return failed(error);
    if (!readEvent(value)) return {Status::Failed, 0};
  }
  for (PieceLane& lane : out.lanes) {
    if (!std::is_sorted(lane.events.begin(), lane.events.end(), LaneOrder())) {
      std::sort(lane.events.begin(), lane.events.end(), LaneOrder());
    }
  }
  const char* behind = nullptr;
  if (document.current_location().get(behind)) return {Status::Complete, size};
  // More text stands behind the bracket that ended the list, so that bracket was the file's own.
  std::size_t end = static_cast<std::size_t>(behind - text);
  while (end > 0 && text[end] != ']') --end;
  return {Status::ArrayEnded, end};
}

bool EventParser::readEvent(Value element) {
  Fields fields;
  const std::string_view opening = element.raw_json_token();
  fields.start = opening.data();
  if (opening.empty() || opening.front() != '{') {
    m_out->findings.note(Finding::NotAnEvent, placeOf(opening.data()));
    return true;
  }
  simdjson::ondemand::object object;
  if (element.get_object().get(object)) return false;
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (std::move(result).get(field)) return false;
    const char* key = field.key().raw();
    Value value = field.value();
    unsigned bit = 0;
    std::string_view* slot = nullptr;
    switch (key[0]) {
      case 'p':
        if (keyIs(key, "pid")) {
          bit = Fields::Pid;
          slot = &fields.pid;
        } else if (keyIs(key, "ph")) {
          bit = Fields::Ph;
          const std::string_view token = unquoted(trimmedToken(value.raw_json_token()));
          fields.phase = token.size() == 1 ? token.front() : '\0';
        }
        break;
      case 't':
        if (keyIs(key, "ts")) {
          bit = Fields::Ts;
          slot = &fields.ts;
        } else if (keyIs(key, "tid")) {
          bit = Fields::Tid;
          slot = &fields.tid;
        }
        break;
      case 'd':
        if (keyIs(key, "dur")) {
          bit = Fields::Dur;
          slot = &fields.dur;
        }
        break;
      case 'n':
        if (keyIs(key, "name")) {
          bit = Fields::Name;
          slot = &fields.name;
        }
        break;
      case 'c':
        if (keyIs(key, "cat")) {
          bit = Fields::Cat;
          fields.cat = unquoted(trimmedToken(value.raw_json_token()));
          fields.category = categoryOf(fields.cat);
        }
        break;
      case 'i':
        if (keyIs(key, "id")) {
          bit = Fields::Id;
          slot = &fields.id;
        }
        break;
      case 'a':
        if (keyIs(key, "args")) {
          bit = Fields::Args;
          if (!readArguments(value, fields)) return false;
        }
        break;
      default: break;
    }
    if (slot != nullptr) *slot = trimmedToken(value.raw_json_token());
    if ((fields.seen & bit) != 0) m_out->findings.note(Finding::DuplicateKey, placeOf(key) - 1);
    fields.seen |= bit;
  }
  take(fields);
  return true;
}

bool EventParser::readArguments(Value value, Fields& fields) {
  const EventKind kind = fields.category.kind;
  const bool known = (fields.seen & Fields::Ph) != 0 && (fields.seen & Fields::Cat) != 0;
  const bool copies = kind == EventKind::MemoryCopy || kind == EventKind::MemorySet;
  if (known && fields.phase != 'M' && !isGpuEvent(kind) && !isLaunchCall(kind)) return true;
  const std::string_view opening = value.raw_json_token();
  if (opening.empty() || opening.front() != '{') return true;
  simdjson::ondemand::object object;
  if (value.get_object().get(object)) return false;
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (std::move(result).get(field)) return false;
    const char* key = field.key().raw();
    Value argument = field.value();
    switch (key[0]) {
      case 'c':
        if (keyIs(key, "correlation")) {
          fields.correlation = trimmedToken(argument.raw_json_token());
          if (known && !copies) return true;  // all that is wanted of kernels and calls
        }
        break;
      case 'n':
        if (keyIs(key, "name")) fields.labelName = trimmedToken(argument.raw_json_token());
        break;
      case 'l':
        if (keyIs(key, "labels")) fields.labelText = trimmedToken(argument.raw_json_token());
        break;
      case 's':
        if (keyIs(key, "sort_index")) fields.sortIndex = trimmedToken(argument.raw_json_token());
        break;
      default: break;
    }
    if (copies) {
      const std::string_view token = argument.raw_json_token();
      if (isNotANumber(token)) m_out->findings.note(Finding::NotANumberToken, placeOf(token.data()));
    }
  }
  return true;
}

void EventParser::take(const Fields& fields) {
  const std::uint64_t place = placeOf(fields.start);
  switch (fields.phase) {
    case 'X': takeComplete(fields); break;
    case 'B':
    case 'E': takeMark(fields); break;
    case 'M': takeLabel(fields); break;
    case 's':
    case 'f': takeFlow(fields); break;
    case 't': break;
    case 'i':
    case 'I':
    case 'R': m_out->findings.note(Finding::Instant, place); break;
    case 'C': m_out->findings.note(Finding::Counter, place); break;
    case 'b':
    case 'e':
    case 'n':
    case 'S':
    case 'T':
    case 'p':
    case 'F': m_out->findings.note(Finding::Async, place); break;
    default: m_out->findings.note(Finding::UnknownPhase, place);
  }
}

bool EventParser::readTime(std::string_view token, std::int64_t origin, const Fields& fields, std::int64_t& out) {
  std::string_view text = token;
  if (!token.empty() && token.front() == '"') {
    text = trimmedToken(unquoted(token));
    m_out->findings.note(Finding::TextNumber, placeOf(fields.start));
  }
  const ParsedTime time = parseMicroseconds(text, origin);
  out = time.nanoseconds;
  if (time.state == NumberState::Fine) return true;
  m_out->findings.note(time.state == NumberState::OutOfRange ? Finding::TimeOutOfRange : Finding::BadNumber,
                       placeOf(fields.start));
  return false;
}

void EventParser::takeComplete(const Fields& fields) {
  m_out->kineto |= fields.category.known;
  if (fields.category.ignored) return;
  RawEvent event;
  event.byteOffset = placeOf(fields.start);
  if (fields.ts.empty()) {
    m_out->findings.note(Finding::MissingTime, event.byteOffset);
    return;
  }
  if (!readTime(fields.ts, m_options.originMicroseconds, fields, event.start)) return;
  if (fields.dur.empty()) {
    m_out->findings.note(Finding::MissingDuration, event.byteOffset);
    event.flags = event_flag::kRepaired;
  } else if (!readTime(fields.dur, 0, fields, event.duration)) {
    event.flags = event_flag::kRepaired;
    event.duration = 0;
  } else if (event.duration < 0) {
    m_out->findings.note(Finding::NegativeDuration, event.byteOffset);
    event.flags = event_flag::kRepaired;
    event.duration = 0;
  }
  if (event.start + event.duration > kLargestTime) {
    m_out->findings.note(Finding::TimeOutOfRange, event.byteOffset);
    return;
  }
  event.kind = fields.category.kind;
  event.correlation = correlationOf(fields.correlation);
  event.name = m_out->names.intern(unquoted(fields.name));
  if (isGpuEvent(event.kind) && event.correlation < 0) ++m_out->gpuWithoutCorrelation;
  m_out->lanes[laneFor(fields.category.lane, fields.pid, fields.tid)].events.push_back(event);
}

void EventParser::takeMark(const Fields& fields) {
  m_out->kineto |= fields.category.known;
  PieceMark mark;
  mark.byteOffset = placeOf(fields.start);
  mark.begin = fields.phase == 'B';
  if (fields.ts.empty()) {
    m_out->findings.note(Finding::MissingTime, mark.byteOffset);
    return;
  }
  if (!readTime(fields.ts, m_options.originMicroseconds, fields, mark.time)) return;
  mark.stack = laneFor(LaneKind::HostThread, fields.pid, fields.tid);
  mark.lane = mark.begin ? laneFor(fields.category.lane, fields.pid, fields.tid) : mark.stack;
  mark.kind = fields.category.kind;
  mark.correlation = correlationOf(fields.correlation);
  if (mark.begin) mark.name = m_out->names.intern(unquoted(fields.name));
  m_out->marks.push_back(mark);
}

void EventParser::takeLabel(const Fields& fields) {
  using What = PieceLabel::What;
  const std::string_view name = unquoted(fields.name);
  PieceLabel label;
  std::string_view value;
  if (name == "process_name") {
    value = fields.labelName;
  } else if (name == "process_labels") {
    label.what = What::ProcessLabels;
    value = fields.labelText;
  } else if (name == "process_sort_index") {
    label.what = What::ProcessOrder;
    value = fields.sortIndex;
  } else if (name == "thread_name") {
    label.what = What::ThreadName;
    value = fields.labelName;
  } else if (name == "thread_sort_index") {
    label.what = What::ThreadOrder;
    value = fields.sortIndex;
  } else {
    return;
  }
  label.process = scalarText(fields.pid);
  label.thread = label.what >= What::ThreadName ? scalarText(fields.tid) : std::string();
  label.value = scalarText(value);
  m_out->labels.push_back(std::move(label));
}

void EventParser::takeFlow(const Fields& fields) {
  const bool launch = fields.cat == "ac2g" || (fields.cat == "async" && unquoted(fields.name) == "launch");
  if (!launch) return;
  m_out->sawFlows = true;
  if (!m_options.keepFlows) return;
  const ParsedTime time = parseMicroseconds(trimmedToken(unquoted(fields.ts)), m_options.originMicroseconds);
  const std::int64_t id = correlationOf(fields.id);
  if (time.state != NumberState::Fine || id < 0) return;
  m_out->flows.push_back({time.nanoseconds, id, laneFor(LaneKind::HostThread, fields.pid, fields.tid)});
}

std::uint32_t EventParser::laneFor(LaneKind kind, std::string_view process, std::string_view thread) {
  std::uint64_t mixed = (firstBytes(process) * 31 + firstBytes(thread)) * 8 + static_cast<std::uint64_t>(kind);
  mixed *= 0x9E3779B97F4A7C15ULL;
  LaneCache& cache = m_cache[mixed >> 58];
  if (cache.filled && cache.kind == kind && cache.process == process && cache.thread == thread) return cache.lane;
  PieceLane lane{kind, scalarText(process), scalarText(thread), {}};
  const std::string key = static_cast<char>('0' + static_cast<int>(kind)) + lane.process + '\0' + lane.thread;
  const auto [at, fresh] = m_laneOf.try_emplace(key, static_cast<std::uint32_t>(m_out->lanes.size()));
  if (fresh) m_out->lanes.push_back(std::move(lane));
  cache = {process, thread, kind, at->second, true};
  return at->second;
}

}  // namespace threewalls::trace

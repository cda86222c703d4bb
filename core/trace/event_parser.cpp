#include "trace/event_parser.h"

#include "trace/json_text.h"

#include <cstring>

namespace threewalls::trace {
namespace {

using simdjson::error_code;

/// Whether the raw key at `key` is `name`: it ends at its quote, and padding makes reading ahead safe.
template <std::size_t N>
bool keyIs(const char* key, const char (&name)[N]) {
  return std::memcmp(key, name, N - 1) == 0 && key[N - 1] == '"';
}

bool isNotANumber(std::string_view token) {
  const char first = token.empty() ? '\0' : token[token.front() == '-' && token.size() > 1 ? 1 : 0];
  return first == 'N' || first == 'I';
}

}  // namespace

ParseOutcome EventParser::parse(char* text, std::size_t size, std::uint64_t offset, PieceEvents& out) {
  using Status = ParseOutcome::Status;
  m_text = text;
  m_offset = offset;
  m_out = &out;
  m_events.begin(text, offset, out);
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
  const char* behind = nullptr;
  if (document.current_location().get(behind)) return {Status::Complete, size};
  // More text stands behind the bracket that ended the list, so that bracket was the file's own.
  std::size_t end = static_cast<std::size_t>(behind - text);
  while (end > 0 && text[end] != ']') --end;
  return {Status::ArrayEnded, end};
}

bool EventParser::readEvent(Value element) {
  EventFields fields;
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
          bit = EventFields::Pid;
          slot = &fields.pid;
        } else if (keyIs(key, "ph")) {
          bit = EventFields::Ph;
          const std::string_view token = unquoted(trimmedToken(value.raw_json_token()));
          fields.phase = token.size() == 1 ? token.front() : '\0';
        }
        break;
      case 't':
        if (keyIs(key, "ts")) {
          bit = EventFields::Ts;
          slot = &fields.ts;
        } else if (keyIs(key, "tid")) {
          bit = EventFields::Tid;
          slot = &fields.tid;
        }
        break;
      case 'd':
        if (keyIs(key, "dur")) {
          bit = EventFields::Dur;
          slot = &fields.dur;
        }
        break;
      case 'n':
        if (keyIs(key, "name")) {
          bit = EventFields::Name;
          slot = &fields.name;
        }
        break;
      case 'c':
        if (keyIs(key, "cat")) {
          bit = EventFields::Cat;
          fields.cat = unquoted(trimmedToken(value.raw_json_token()));
          fields.category = categoryOf(fields.cat);
        }
        break;
      case 'i':
        if (keyIs(key, "id")) {
          bit = EventFields::Id;
          slot = &fields.id;
        }
        break;
      case 'a':
        if (keyIs(key, "args")) {
          bit = EventFields::Args;
          if (!readArguments(value, fields)) return false;
        }
        break;
      default: break;
    }
    if (slot != nullptr) *slot = trimmedToken(value.raw_json_token());
    if ((fields.seen & bit) != 0) m_out->findings.note(Finding::DuplicateKey, placeOf(key) - 1);
    fields.seen |= bit;
  }
  m_events.take(fields);
  return true;
}

bool EventParser::readArguments(Value value, EventFields& fields) {
  const EventKind kind = fields.category.kind;
  const bool known = (fields.seen & EventFields::Ph) != 0 && (fields.seen & EventFields::Cat) != 0;
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

}  // namespace threewalls::trace

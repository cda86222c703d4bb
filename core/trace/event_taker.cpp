#include "trace/event_taker.h"

#include "trace/json_text.h"

#include <algorithm>
#include <cstring>

namespace threewalls::trace {
namespace {

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

void EventTaker::begin(const char* text, std::uint64_t offset, PieceEvents& out) {
  m_text = text;
  m_offset = offset;
  m_out = &out;
  if (out.lanes.empty()) m_laneOf.clear();
  m_cache.fill({});
}

void EventTaker::take(const EventFields& fields) {
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

bool EventTaker::readTime(std::string_view token, std::int64_t origin, const EventFields& fields, std::int64_t& out) {
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

void EventTaker::takeComplete(const EventFields& fields) {
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

void EventTaker::takeMark(const EventFields& fields) {
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

void EventTaker::takeLabel(const EventFields& fields) {
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

void EventTaker::takeFlow(const EventFields& fields) {
  const bool launch = fields.cat == "ac2g" || (fields.cat == "async" && unquoted(fields.name) == "launch");
  if (!launch) return;
  m_out->sawFlows = true;
  if (!m_options.keepFlows) return;
  const ParsedTime time = parseMicroseconds(trimmedToken(unquoted(fields.ts)), m_options.originMicroseconds);
  const std::int64_t id = correlationOf(fields.id);
  if (time.state != NumberState::Fine || id < 0) return;
  m_out->flows.push_back({time.nanoseconds, id, laneFor(LaneKind::HostThread, fields.pid, fields.tid)});
}

std::uint32_t EventTaker::laneFor(LaneKind kind, std::string_view process, std::string_view thread) {
  std::uint64_t mixed = (firstBytes(process) * 31 + firstBytes(thread)) * 8 + static_cast<std::uint64_t>(kind);
  mixed *= 0x9E3779B97F4A7C15ULL;
  LaneCache& cache = m_cache[mixed >> 58];
  if (cache.filled && cache.kind == kind && cache.process == process && cache.thread == thread) return cache.lane;
  PieceLane lane{kind, scalarText(process), scalarText(thread), {}};
  std::string key(1, static_cast<char>('0' + static_cast<int>(kind)));
  key.append(lane.process).append(1, '\0').append(lane.thread);
  const auto [at, fresh] = m_laneOf.try_emplace(key, static_cast<std::uint32_t>(m_out->lanes.size()));
  if (fresh) m_out->lanes.push_back(std::move(lane));
  cache = {process, thread, kind, at->second, true};
  return at->second;
}

}  // namespace threewalls::trace

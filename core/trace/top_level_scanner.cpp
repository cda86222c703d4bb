#include "trace/top_level_scanner.h"

namespace threewalls::trace {
namespace {

constexpr std::size_t kLargestValue = std::size_t{1} << 20;

constexpr bool isBlank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

TopLevelScanner::Step TopLevelScanner::feed(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Stop stop = take(text[i]);
    if (stop != Stop::NeedMore) return {stop, i + 1};
  }
  return {Stop::NeedMore, text.size()};
}

TopLevelScanner::Stop TopLevelScanner::take(char c) {
  switch (m_state) {
    case State::Start:
      if (isBlank(c)) break;
      m_bareArray = c == '[';
      if (!m_bareArray && c != '{') return Stop::NotJson;
      m_state = State::Key;
      return m_bareArray ? Stop::Events : Stop::NeedMore;
    case State::Key:
      if (c == '"') {
        m_key.clear();
        m_state = State::InKey;
      } else if (c == '}') {
        m_state = State::Done;
        return Stop::End;
      } else if (!isBlank(c) && c != ',') {
        return Stop::NotJson;
      }
      break;
    case State::InKey:
      if (endsString(c)) {
        m_state = State::Colon;
      } else if (m_key.size() < kLargestValue) {
        m_key += c;
      }
      break;
    case State::Colon:
      if (c == ':') {
        m_state = State::Value;
      } else if (!isBlank(c)) {
        return Stop::NotJson;
      }
      break;
    case State::Value:
      if (isBlank(c)) break;
      if (c == '[' && m_key == "traceEvents") return Stop::Events;
      beginValue(c);
      break;
    case State::InScalar:
      if (c == ',' || isBlank(c)) {
        endValue();
      } else if (c == '}') {
        endValue();
        m_state = State::Done;
        return Stop::End;
      } else {
        keep(c);
      }
      break;
    case State::InString:
      keep(c);
      if (endsString(c)) endValue();
      break;
    case State::InNested:
      keep(c);
      if (m_nestedString) {
        m_nestedString = !endsString(c);
      } else if (c == '"') {
        m_nestedString = true;
      } else if (c == '{' || c == '[') {
        ++m_depth;
      } else if ((c == '}' || c == ']') && --m_depth == 0) {
        endValue();
      }
      break;
    case State::Done: return Stop::End;
  }
  return Stop::NeedMore;
}

void TopLevelScanner::beginValue(char c) {
  m_value.clear();
  keep(c);
  m_escaped = false;
  if (c == '"') {
    m_state = State::InString;
  } else if (c == '{' || c == '[') {
    m_state = State::InNested;
    m_nestedString = false;
    m_depth = 1;
  } else {
    m_state = State::InScalar;
  }
}

void TopLevelScanner::keep(char c) {
  if (m_value.size() <= kLargestValue) m_value += c;
}

void TopLevelScanner::endValue() {
  if (m_value.size() <= kLargestValue) m_entries.emplace_back(m_key, std::move(m_value));
  m_value.clear();
  m_state = State::Key;
}

bool TopLevelScanner::endsString(char c) {
  if (m_escaped) {
    m_escaped = false;
    return false;
  }
  m_escaped = c == '\\';
  return c == '"';
}

}  // namespace threewalls::trace

#include "trace/strict_json.h"

#include "trace/json_text.h"
#include "trace/valid_text.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace threewalls::trace {
namespace {

/// Deeper nesting is written as text: parsers have limits of their own.
constexpr int kDeepest = 64;

bool isBlank(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t skipBlanks(std::string_view text, std::size_t at) {
  while (at < text.size() && isBlank(text[at])) ++at;
  return at;
}

std::size_t skipDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && isDigit(text[at])) ++at;
  return at;
}

/// RFC 8259, section 6; and no overflow, which some parsers refuse.
bool isStrictNumber(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = skipDigits(text, at);
  if (whole == at || (text[at] == '0' && whole - at > 1)) return false;
  at = whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = skipDigits(text, at + 1);
    if (end == at + 1) return false;
    at = end;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t end = skipDigits(text, at);
    if (end == at) return false;
    at = end;
  }
  if (at != text.size()) return false;
  double value = 0;
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

/// Place behind the string whose opening quote is at `at`.
std::size_t stringEnd(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

/// Place behind the value that begins at `at`, not a blank.
std::size_t valueEnd(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  if (text[at] == '"') return stringEnd(text, at);
  if (text[at] == '{' || text[at] == '[') {
    int depth = 0;
    while (at < text.size()) {
      const char c = text[at];
      if (c == '"') {
        at = stringEnd(text, at);
        continue;
      }
      ++at;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return at;
    }
    return at;
  }
  while (at < text.size() && text[at] != ',' && text[at] != '}' && text[at] != ']' && text[at] != ':' && text[at] != '"' &&
         !isBlank(text[at])) {
    ++at;
  }
  return at;
}

/// The text between the quotes, of a string that may lack its last one.
std::string contentOf(std::string_view token) {
  token.remove_prefix(1);
  if (token.ends_with('"')) token.remove_suffix(1);
  return unescapeJson(token);
}

void appendValue(std::string& out, std::string_view raw, int depth);

void appendObject(std::string& out, std::string_view raw, int depth) {
  out += '{';
  std::set<std::string> seen;
  forEachMember(raw, [&](const std::string& key, std::string_view value) {
    if (!seen.insert(key).second) return;
    if (seen.size() > 1) out += ',';
    appendJsonString(out, key);
    out += ':';
    appendValue(out, value, depth + 1);
  });
  out += '}';
}

void appendArray(std::string& out, std::string_view raw, int depth) {
  out += '[';
  bool first = true;
  std::size_t at = skipBlanks(raw, 1);
  while (at < raw.size() && raw[at] != ']') {
    const std::size_t end = valueEnd(raw, at);
    if (end == at) {  // a character that begins nothing
      at = skipBlanks(raw, at + 1);
      continue;
    }
    if (!first) out += ',';
    first = false;
    appendValue(out, raw.substr(at, end - at), depth + 1);
    at = skipBlanks(raw, end);
  }
  out += ']';
}

void appendValue(std::string& out, std::string_view raw, int depth) {
  if (raw.empty()) {
    out += "null";
  } else if (raw.front() == '"') {
    appendJsonString(out, contentOf(raw));
  } else if (raw.front() == '{' || raw.front() == '[') {
    if (depth > kDeepest) {
      appendJsonString(out, raw);
    } else if (raw.front() == '{') {
      appendObject(out, raw, depth);
    } else {
      appendArray(out, raw, depth);
    }
  } else if (raw == "true" || raw == "false" || raw == "null") {
    out += raw;
  } else {
    appendNumberOrString(out, raw);
  }
}

}  // namespace

void appendJsonString(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto appendValid = [&out](std::string_view part) { out += validText(part); };
  out += '"';
  std::size_t plain = 0;  // start of what has not been written yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F) continue;
    appendValid(text.substr(plain, i - plain));
    plain = i + 1;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += text[i];
    } else {
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 0xF];
    }
  }
  appendValid(text.substr(std::min(plain, text.size())));
  out += '"';
}

void appendNumberOrString(std::string& out, std::string_view text) {
  if (isStrictNumber(text)) {
    out += text;
  } else {
    appendJsonString(out, text);
  }
}

void appendStrictJson(std::string& out, std::string_view raw) {
  const std::size_t start = skipBlanks(raw, 0);
  appendValue(out, raw.substr(start, valueEnd(raw, start) - start), 0);
}

void forEachMember(std::string_view object, const std::function<void(const std::string&, std::string_view)>& visit) {
  if (!object.starts_with('{')) return;
  std::size_t at = skipBlanks(object, 1);
  while (at < object.size() && object[at] != '}') {
    if (object[at] != '"') {
      at = skipBlanks(object, at + 1);
      continue;
    }
    const std::size_t keyEnd = stringEnd(object, at);
    const std::string key = contentOf(object.substr(at, keyEnd - at));
    at = skipBlanks(object, keyEnd);
    if (at >= object.size() || object[at] != ':') continue;
    at = skipBlanks(object, at + 1);
    const std::size_t end = valueEnd(object, at);
    visit(key, object.substr(at, end - at));
    at = skipBlanks(object, end);
    if (at < object.size() && object[at] == ',') at = skipBlanks(object, at + 1);
  }
}

}  // namespace threewalls::trace

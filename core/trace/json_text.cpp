#include "trace/json_text.h"

#include <algorithm>
#include <charconv>

namespace threewalls::trace {
namespace {

__extension__ using Wide = __int128;

constexpr bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Full syntax of a JSON number, in ns: any length, any number of decimals, exponents.
ParsedTime parseAnyNumber(std::string_view text, std::int64_t originMicroseconds) {
  bool negative = false;
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  Wide digits = 0;
  int exponent = 3;  // µs to ns
  bool any = false;
  bool fraction = false;
  constexpr Wide kEnough = static_cast<Wide>(1) << 100;
  for (; at < text.size() && (isDigit(text[at]) || (text[at] == '.' && !fraction)); ++at) {
    if (text[at] == '.') {
      fraction = true;
      continue;
    }
    any = true;
    if (digits < kEnough) {
      digits = digits * 10 + (text[at] - '0');
      exponent -= fraction ? 1 : 0;
    } else {
      exponent += fraction ? 0 : 1;
    }
  }
  if (!any) return {};
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && text[at] == '+') ++at;
    int power = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), power);
    if (error == std::errc::invalid_argument) return {};
    if (error != std::errc()) power = at < text.size() && text[at] == '-' ? -10'000 : 10'000;
    at = static_cast<std::size_t>(end - text.data());
    exponent += std::clamp(power, -10'000, 10'000);
  }
  if (at != text.size()) return {};

  constexpr Wide kTooLarge = static_cast<Wide>(1) << 120;
  for (; exponent > 0 && digits != 0; --exponent) {
    if (digits > kTooLarge / 10) return {0, NumberState::OutOfRange};
    digits *= 10;
  }
  for (; exponent < -1 && digits != 0; ++exponent) digits /= 10;
  if (exponent == -1) digits = (digits + 5) / 10;
  const Wide value = (negative ? -digits : digits) - static_cast<Wide>(originMicroseconds) * 1000;
  if (value > kLargestTime || value < -kLargestTime) return {0, NumberState::OutOfRange};
  return {static_cast<std::int64_t>(value), NumberState::Fine};
}

void appendUtf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

/// The four hexadecimal digits of a \u escape at `at`, or none.
std::optional<std::uint32_t> hexAt(std::string_view raw, std::size_t at) {
  if (at + 4 > raw.size()) return std::nullopt;
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(raw.data() + at, raw.data() + at + 4, code, 16);
  if (error != std::errc() || end != raw.data() + at + 4) return std::nullopt;
  return code;
}

constexpr bool isHighSurrogate(std::uint32_t code) {
  return code >= 0xD800 && code < 0xDC00;
}
constexpr bool isLowSurrogate(std::uint32_t code) {
  return code >= 0xDC00 && code < 0xE000;
}

/// Appends what the \u escape at `at` (of the backslash) stands for; returns the place behind it.
std::size_t appendUnicodeEscape(std::string& out, std::string_view raw, std::size_t at) {
  const auto first = hexAt(raw, at + 2);
  if (!first) {
    out += raw.substr(at, 2);
    return at + 2;
  }
  if (isHighSurrogate(*first) && raw.substr(std::min(at + 6, raw.size()), 2) == "\\u") {
    const auto second = hexAt(raw, at + 8);
    if (second && isLowSurrogate(*second)) {
      appendUtf8(out, 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00));
      return at + 12;
    }
  }
  appendUtf8(out, isHighSurrogate(*first) || isLowSurrogate(*first) ? 0xFFFD : *first);
  return at + 6;
}

}  // namespace

ParsedTime parseMicroseconds(std::string_view text, std::int64_t originMicroseconds) {
  // What files hold: up to 18 digits, a dot, three more. Everything else goes the long way.
  const char* at = text.data();
  const char* const end = at + text.size();
  std::uint64_t whole = 0;
  while (at != end && isDigit(*at)) whole = whole * 10 + static_cast<std::uint64_t>(*at++ - '0');
  const auto digits = at - text.data();
  if (digits == 0 || digits > 18) return parseAnyNumber(text, originMicroseconds);
  std::int64_t fraction = 0;
  if (at != end) {
    if (*at != '.' || end - at > 4) return parseAnyNumber(text, originMicroseconds);
    constexpr std::int64_t kScale[] = {1000, 100, 10, 1};
    const std::int64_t scale = kScale[end - at - 1];
    for (++at; at != end; ++at) {
      if (!isDigit(*at)) return parseAnyNumber(text, originMicroseconds);
      fraction = fraction * 10 + (*at - '0');
    }
    fraction *= scale;
  }
  const std::int64_t microseconds = static_cast<std::int64_t>(whole) - originMicroseconds;
  constexpr std::int64_t kLargest = kLargestTime / 1000;
  if (microseconds >= kLargest || microseconds < -kLargest) return {0, NumberState::OutOfRange};
  return {microseconds * 1000 + fraction, NumberState::Fine};
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) return std::nullopt;
  if (at != end && (*at != '.' || !std::all_of(at + 1, end, [](char c) { return c == '0'; }))) return std::nullopt;
  return value;
}

std::string unescapeJson(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  std::size_t at = 0;
  while (at < raw.size()) {
    const std::size_t slash = std::min(raw.find('\\', at), raw.size());
    out += raw.substr(at, slash - at);
    at = slash;
    if (at >= raw.size()) break;
    const char kind = at + 1 < raw.size() ? raw[at + 1] : '\0';
    switch (kind) {
      case '"':
      case '\\':
      case '/': out += kind; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'u': at = appendUnicodeEscape(out, raw, at); continue;
      default: out += raw.substr(at, 2);
    }
    at = std::min(at + 2, raw.size());
  }
  return out;
}

std::string_view trimmedToken(std::string_view token) {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
  return token;
}

std::string scalarText(std::string_view token) {
  token = trimmedToken(token);
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return std::string(token);
  return unescapeJson(token.substr(1, token.size() - 2));
}

}  // namespace threewalls::trace

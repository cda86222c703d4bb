#include "trace/element_scanner.h"

#include <array>

namespace threewalls::trace {
namespace {

constexpr bool isBlank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// Characters that matter: quotes and brackets, and a comma.
constexpr auto kMatters = [] {
  std::array<bool, 256> table{};
  for (const char c : {'"', '{', '}', '[', ']', ','}) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

/// Place of the quote that ends the string whose content starts at `at`; size when there is none.
std::size_t stringEnd(std::string_view text, std::size_t at) {
  while (true) {
    const std::size_t quote = text.find('"', at);
    if (quote == std::string_view::npos) return text.size();
    std::size_t slashes = 0;
    while (quote - slashes > at && text[quote - slashes - 1] == '\\') ++slashes;
    if (slashes % 2 == 0) return quote;
    at = quote + 1;
  }
}

/// Calls `visit(place, depth)` for every bracket and top-level comma outside strings, with the depth behind it, until it says
/// stop.
template <class Visit>
void walk(std::string_view text, const Visit& visit) {
  std::ptrdiff_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!kMatters[static_cast<unsigned char>(c)]) continue;
    if (c == '"') {
      at = stringEnd(text, at + 1);
      continue;
    }
    if (c == '{' || c == '[') {
      ++depth;
    } else if (c != ',') {
      --depth;
    } else if (depth != 0) {
      continue;
    }
    if (!visit(at, depth)) return;
  }
}

/// Behind the comma at or after `at` when only blanks stand before it and '{' behind it.
std::optional<std::size_t> commaAndBrace(std::string_view text, std::size_t at) {
  while (at < text.size() && isBlank(text[at])) ++at;
  if (at >= text.size() || text[at] != ',') return std::nullopt;
  ++at;
  while (at < text.size() && isBlank(text[at])) ++at;
  if (at >= text.size() || text[at] != '{') return std::nullopt;
  return at;
}

}  // namespace

std::optional<std::size_t> elementEnd(std::string_view text) {
  std::optional<std::size_t> end;
  walk(text, [&](std::size_t at, std::ptrdiff_t depth) {
    if (depth > 0) return true;
    if (depth == 0 && text[at] != ',') {
      end = at + 1;
    } else {
      end = at;  // a scalar ends before its comma or the array's bracket
    }
    return false;
  });
  return end;
}

ElementScan scanElements(std::string_view text) {
  ElementScan scan;
  walk(text, [&](std::size_t at, std::ptrdiff_t depth) {
    if (depth < 0) {
      scan.arrayEnd = at;
      return false;
    }
    if (depth == 0) scan.lastEnd = text[at] == ',' ? at : at + 1;
    return true;
  });
  return scan;
}

std::optional<std::size_t> guessLastEnd(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0) {
    at = text.rfind('}', at - 1);
    if (at == std::string_view::npos) return std::nullopt;
    if (commaAndBrace(text, at + 1)) return at + 1;
  }
  return std::nullopt;
}

std::optional<std::size_t> guessNextStart(std::string_view text) {
  for (std::size_t at = text.find('}'); at != std::string_view::npos; at = text.find('}', at + 1)) {
    if (const auto start = commaAndBrace(text, at + 1)) return start;
  }
  return std::nullopt;
}

}  // namespace threewalls::trace

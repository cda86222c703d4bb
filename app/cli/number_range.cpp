#include "number_range.h"

#include <charconv>

namespace threewalls::cli {
namespace {

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<NumberRange> numberRange(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto first = number(text.substr(0, colon));
  const auto last = number(text.substr(colon + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return NumberRange{*first, *last};
}

}  // namespace threewalls::cli

#include "trace/ncu/localised_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace threewalls::trace::ncu {
namespace {

constexpr std::size_t kLongestNumber = 64;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Digits, marks and an exponent only.
bool looksNumeric(std::string_view text) {
  return !text.empty() && text.size() <= kLongestNumber && std::any_of(text.begin(), text.end(), isDigit) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return isDigit(c) || std::string_view(".,+-eE").find(c) != std::string_view::npos; });
}

/// Removes the blanks, thin blanks and apostrophes that some locales put between thousands.
std::string withoutBlanks(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("\xC2\xA0")) {
      ++at;
    } else if (rest.starts_with("\xE2\x80\xAF") || rest.starts_with("\xE2\x80\x99")) {
      at += 2;
    } else if (text[at] != ' ' && text[at] != '\'') {
      out += text[at];
    }
  }
  return out;
}

struct Word {
  std::string_view text;
  double factor;
  std::string_view base;
};
constexpr std::array<Word, 12> kTimes = {{{"ns", 1e-9, "s"},
                                          {"nsecond", 1e-9, "s"},
                                          {"us", 1e-6, "s"},
                                          {"usecond", 1e-6, "s"},
                                          {"\xC2\xB5s", 1e-6, "s"},
                                          {"ms", 1e-3, "s"},
                                          {"msecond", 1e-3, "s"},
                                          {"s", 1, "s"},
                                          {"second", 1, "s"},
                                          {"sec", 1, "s"},
                                          {"minute", 60, "s"},
                                          {"hour", 3600, "s"}}};
constexpr std::array<std::pair<char, double>, 5> kPrefixes = {{{'K', 1e3}, {'k', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}}};
constexpr std::array<std::string_view, 10> kCounted = {"byte", "hz",     "inst",    "sector", "cycle",
                                                       "warp", "thread", "request", "block",  "B"};

Unit simpleUnit(std::string_view text) {
  for (const Word& word : kTimes) {
    if (word.text == text) return {word.factor, std::string(word.base)};
  }
  const auto counted = [](std::string_view word) { return std::find(kCounted.begin(), kCounted.end(), word) != kCounted.end(); };
  const auto named = [](std::string_view word) { return std::string(word == "B" ? "byte" : word == "Hz" ? "hz" : word); };
  if (counted(text) || text == "Hz") return {1, named(text)};
  for (const auto& [prefix, factor] : kPrefixes) {
    if (text.size() > 1 && text[0] == prefix && (counted(text.substr(1)) || text.substr(1) == "Hz"))
      return {factor, named(text.substr(1))};
  }
  return {1, std::string(text)};
}

}  // namespace

void NumberStyle::learn(std::string_view cell) {
  const std::string text = withoutBlanks(trimmed(cell));
  if (!looksNumeric(text)) return;
  const std::size_t lastPoint = text.rfind('.'), lastComma = text.rfind(',');
  const bool hasPoint = lastPoint != std::string::npos, hasComma = lastComma != std::string::npos;
  if (!hasPoint && !hasComma) return;
  const auto count = [&](char mark) { return std::count(text.begin(), text.end(), mark); };
  if (hasPoint && hasComma) {
    (lastPoint > lastComma ? m_point : m_comma) += 1;
  } else if (count(hasPoint ? '.' : ',') > 1) {
    (hasPoint ? m_comma : m_point) += 1;  // a mark that repeats separates thousands
  } else {
    const std::size_t mark = hasPoint ? lastPoint : lastComma;
    const auto fraction =
        static_cast<std::size_t>(std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(mark) + 1, text.end(), isDigit) -
                                 text.begin()) -
        mark - 1;
    const bool thousandsPossible = fraction == 3 && mark > 0 && mark <= 3 && text[0] != '0';
    if (!thousandsPossible) (hasPoint ? m_point : m_comma) += 1;
  }
}

std::optional<double> NumberStyle::parse(std::string_view cell) const {
  std::string text = withoutBlanks(trimmed(cell));
  if (!looksNumeric(text)) return std::nullopt;
  const char decimal = decimalMark();
  std::erase(text, decimal == '.' ? ',' : '.');
  std::replace(text.begin(), text.end(), ',', '.');
  if (text.starts_with('+')) text.erase(0, 1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Unit unitOf(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return simpleUnit(text);
  const Unit upper = simpleUnit(text.substr(0, slash));
  const Unit lower = simpleUnit(text.substr(slash + 1));
  return {upper.factor / lower.factor, upper.base + "/" + lower.base};
}

}  // namespace threewalls::trace::ncu

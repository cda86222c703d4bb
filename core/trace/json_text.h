#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace threewalls::trace {

/// Largest distance of an event's start or end from the origin, and largest duration, in ns (some 126 years): sums of durations
/// of a row then fit 64 bits.
constexpr std::int64_t kLargestTime = 4'000'000'000'000'000'000;

enum class NumberState : std::uint8_t { Fine, NotANumber, OutOfRange };

struct ParsedTime {
  std::int64_t nanoseconds = 0;
  NumberState state = NumberState::NotANumber;
};

/// Decimal text of microseconds ("12", "-1.5", "1695835542514261.0004", "1.2e3") as whole ns after `originMicroseconds`, rounded
/// to nearest; never by way of a double, whose spacing at today's Unix time is 0.25 µs.
ParsedTime parseMicroseconds(std::string_view text, std::int64_t originMicroseconds);

/// Decimal digits with an optional minus; none for anything else or out of range. A fraction of zeros ("7.0") is accepted.
std::optional<std::int64_t> parseInteger(std::string_view text);

/// The text between the quotes of a JSON string as UTF-8: escapes replaced, surrogate pairs joined, lone surrogates as U+FFFD,
/// unknown escapes kept as they stand.
std::string unescapeJson(std::string_view raw);

/// A JSON scalar as text: a string without its quotes and escapes, all else trimmed as it stands.
std::string scalarText(std::string_view token);

/// A token without the blanks behind it, which simdjson's raw tokens keep.
std::string_view trimmedToken(std::string_view token);

}  // namespace threewalls::trace

#include "base/format.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace threewalls::base {
namespace {

std::string threeDigits(double value) {
  std::array<char, 48> text{};
  const double magnitude = std::fabs(value);
  const int decimals = magnitude >= 99.95 ? 1 : magnitude >= 9.995 ? 2 : 3;
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string scaled(double nanoseconds) {
  const double magnitude = std::fabs(nanoseconds);
  if (magnitude >= 999'999'500.0) return threeDigits(nanoseconds / 1e9) + " s";
  if (magnitude >= 999'999.5) return threeDigits(nanoseconds / 1e6) + " ms";
  if (magnitude >= 1000.0) return threeDigits(nanoseconds / 1e3) + " µs";
  return std::to_string(std::llround(nanoseconds)) + " ns";
}

}  // namespace

std::string formatDuration(Nanoseconds duration) {
  if (duration.count() == 0) return "0";
  return duration.count() < 0 ? "−" + scaled(-static_cast<double>(duration.count()))
                              : scaled(static_cast<double>(duration.count()));
}

std::string formatSignedDuration(Nanoseconds duration) {
  return duration.count() > 0 ? "+" + formatDuration(duration) : formatDuration(duration);
}

std::string formatBytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {" B", " KiB", " MiB", " GiB", " TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  return (unit == 0 ? std::to_string(bytes) : threeDigits(value)) + kUnits[unit];
}

std::string formatCount(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string formatPercent(double ratio) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", ratio * 100.0);
  return text.data();
}

}  // namespace threewalls::base

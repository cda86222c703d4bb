#include "timeline/time_axis.h"

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

struct Unit {
  double nanoseconds;
  const char* name;
};
constexpr Unit kUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};

/// The unit in which every label of a step reads without an exponent and with few decimals.
const Unit& unitFor(double largest) {
  for (const Unit& unit : kUnits) {
    if (largest >= unit.nanoseconds) return unit;
  }
  return kUnits[3];
}

QString labelOf(double time, double step, const Unit& unit) {
  if (std::abs(time) < step / 2) return QStringLiteral("0");
  const double digits = std::floor(std::log10(step / unit.nanoseconds) + 1e-9);
  QString text = QString::number(std::abs(time) / unit.nanoseconds, 'f', static_cast<int>(std::max(0.0, -digits)));
  if (time < 0) text.prepend(QChar(0x2212));
  return text + QChar(0x00A0) + QString::fromUtf8(unit.name);
}

}  // namespace

TimeRange zoomed(TimeRange range, double anchor, double factor, double longest) {
  const double length = std::clamp(range.length() * factor, kShortestView, std::max(longest, kShortestView));
  const double share = (anchor - range.start) / range.length();
  const double start = anchor - share * length;
  return {start, start + length};
}

TimeRange clamped(TimeRange range, TimeRange bounds) {
  const double length = std::clamp(range.length(), kShortestView, std::max(2 * bounds.length(), kShortestView));
  const double margin = length / 2;
  double start = range.start + (range.length() - length) / 2;
  start = std::clamp(start, bounds.start - margin, std::max(bounds.start - margin, bounds.end - margin));
  return {start, start + length};
}

std::vector<Tick> ticks(const TimeAxis& axis, double minimumGap) {
  std::vector<Tick> out;
  const double rough = axis.nsPerPixel() * std::max(minimumGap, 1.0);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double multiple = rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10;
  const double major = multiple * power;
  const int parts = multiple == 2 ? 4 : 5;
  const double minor = major / parts;
  const Unit& unit = unitFor(std::max(std::abs(axis.range().start), std::abs(axis.range().end)));
  const auto first = static_cast<long long>(std::ceil(axis.range().start / minor));
  const auto last = static_cast<long long>(std::floor(axis.range().end / minor));
  for (long long i = first; i <= last; ++i) {
    Tick tick;
    tick.time = static_cast<double>(i) * minor;
    tick.major = i % parts == 0;
    if (tick.major) tick.label = labelOf(tick.time, major, unit);
    out.push_back(std::move(tick));
  }
  return out;
}

}  // namespace threewalls::timeline

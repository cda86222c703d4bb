#pragma once

#include <QString>

#include <vector>

namespace threewalls::timeline {

/// The stretch of aligned time that the view shows: nanoseconds from the alignment point, fractions allowed.
struct TimeRange {
  double start = 0;
  double end = 1;
  double length() const { return end - start; }
  double middle() const { return start + length() / 2; }
  bool operator==(const TimeRange&) const = default;
};

/// A view never shows less than this many nanoseconds.
constexpr double kShortestView = 20;

/// `range` scaled by `factor` about the time `anchor`, which keeps its place in the view; at least kShortestView and at most
/// `longest` ns long.
TimeRange zoomed(TimeRange range, double anchor, double factor, double longest);
/// `range` moved so that `bounds` keeps at least half of the view's length inside it; the length is kept unless it is longer
/// than twice the bounds.
TimeRange clamped(TimeRange range, TimeRange bounds);

/// Linear mapping between aligned time and pixels: `width` pixels show `range`.
class TimeAxis {
 public:
  TimeAxis() = default;
  TimeAxis(TimeRange range, double width) : m_range(range), m_width(width > 1 ? width : 1) {}

  const TimeRange& range() const { return m_range; }
  double width() const { return m_width; }
  double nsPerPixel() const { return m_range.length() / m_width; }
  double toPixel(double time) const { return (time - m_range.start) / nsPerPixel(); }
  double toTime(double pixel) const { return m_range.start + pixel * nsPerPixel(); }

 private:
  TimeRange m_range;
  double m_width = 1;
};

/// A mark of the ruler; only major ones have a label.
struct Tick {
  double time = 0;
  bool major = false;
  QString label;  ///< "10 ms", "−2.5 µs", "0"
};

/// Ticks of the visible range at steps of 1, 2 or 5 times a power of ten, labels at least `minimumGap` pixels apart, five or
/// four minor steps to a major one.
std::vector<Tick> ticks(const TimeAxis& axis, double minimumGap);

}  // namespace threewalls::timeline

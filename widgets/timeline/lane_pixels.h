#pragma once

#include "analysis/kernel_class.h"
#include "common/theme.h"
#include "timeline/side_clock.h"
#include "trace/sub_lane.h"

#include <QRgb>

#include <array>
#include <cstdint>

namespace threewalls::timeline {

/// Evenly spaced buckets of aligned time on the clock of a side: bucket k spans [offset + k·size, offset + (k+1)·size), rounded
/// to whole nanoseconds of that clock.
struct BucketGrid {
  SideClock clock;
  double offset = 0;  ///< of bucket 0, in aligned ns
  double size = 1;    ///< aligned ns
  base::Nanoseconds edge(std::int64_t k) const;
  bool operator==(const BucketGrid&) const = default;
};

/// What a sub-lane does within one bucket, events clipped at its edges.
struct BucketShare {
  double covered = 0;         ///< covered share of the bucket, 0..1
  std::uint32_t longest = 0;  ///< index of the event with the longest part inside
  std::uint32_t count = 0;    ///< events that overlap the bucket or, without length, lie in it
};

/// Answers buckets from left to right; each costs the logarithm of what lies between it and the one before.
class BucketCursor {
 public:
  explicit BucketCursor(const trace::SubLane& lane) : m_lane(lane) {}
  /// Share of [start, end); starts never decrease between calls.
  BucketShare next(base::Nanoseconds start, base::Nanoseconds end);

 private:
  /// First event at or after `from` that starts at or after `time`, by galloping.
  std::uint32_t startingAt(std::uint32_t from, base::Nanoseconds time) const;

  const trace::SubLane& m_lane;
  std::uint32_t m_next = 0;  ///< first event that starts at or after the last asked end or start
};

/// Colours of slices under one theme: by class for GPU events; for those that have none steps of lightness by name, quieter ones
/// for annotations, which only bracket what others do.
class SlicePalette {
 public:
  SlicePalette(const common::Theme& theme, const analysis::Classification& classes);
  QRgb colour(trace::NameId name, trace::EventKind kind) const {
    if (trace::isGpuEvent(kind)) return m_classColours[static_cast<std::size_t>(m_classes->classOf(name).colour)];
    const std::size_t step = (trace::index(name) * 2654435761U >> 8) % kSteps;
    const bool range = kind == trace::EventKind::GpuAnnotation || kind == trace::EventKind::Annotation;
    return range ? m_rangeColours[step] : m_hostColours[step];
  }
  QRgb background() const { return m_background; }

 private:
  const analysis::Classification* m_classes;
  std::array<QRgb, analysis::kColourClassCount> m_classColours{};
  static constexpr std::size_t kSteps = 4;
  std::array<QRgb, kSteps> m_hostColours{};
  std::array<QRgb, kSteps> m_rangeColours{};
  QRgb m_background;
};

/// `share` (0..1) of `over` on `under`.
QRgb blended(QRgb under, QRgb over, double share);

/// An event that covers less than this share of a pixel still shows that much, so that a lone kernel never vanishes.
constexpr double kFaintest = 0.14;

/// Pixels of buckets [first, last): the longest event's colour, blended into the lane's background by the covered share.
void paintBuckets(const trace::SubLane& lane, const BucketGrid& grid, std::int64_t first, std::int64_t last,
                  const SlicePalette& palette, QRgb* out);

}  // namespace threewalls::timeline

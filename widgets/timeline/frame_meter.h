#pragma once

#include "common/theme.h"

#include <QPainter>
#include <QRect>

#include <array>
#include <cstdint>

namespace threewalls::timeline {

/// What a frame asked of the events.
struct FrameWork {
  std::uint64_t painted = 0;     ///< columns of rows that were painted: one question to a pyramid each
  std::uint64_t reused = 0;      ///< columns kept from the frame before
  std::uint64_t rectangles = 0;  ///< events visited one by one
};

/// Times of the last frames, for developers: the targets are in timeline_ui.md section 5.
class FrameMeter {
 public:
  static constexpr std::size_t kFrames = 240;

  void add(double milliseconds, const FrameWork& work);
  void clear() { *this = {}; }

  std::size_t frames() const { return m_count; }
  double last() const { return m_last; }
  /// The time that 95 of 100 frames kept to; 0 without frames.
  double percentile95() const;
  double worst() const;
  const FrameWork& work() const { return m_work; }

  /// A box in the upper right corner of `area`.
  void paint(QPainter& painter, const QRect& area, const common::Theme& theme) const;

 private:
  std::array<double, kFrames> m_times{};
  std::size_t m_count = 0;
  std::size_t m_next = 0;
  double m_last = 0;
  FrameWork m_work;
};

}  // namespace threewalls::timeline

#pragma once

#include "common/document.h"
#include "common/selection.h"
#include "common/theme.h"
#include "timeline/lane_layout.h"

#include <QPainter>

#include <optional>
#include <utility>
#include <vector>

namespace threewalls::timeline {

/// Arrows from the call that launched the selected GPU event, or from the selected call to all that it launched.
class LaunchArrows {
 public:
  /// More than these, by start, say nothing more.
  static constexpr std::size_t kMost = 256;

  void select(const common::Document& document, const std::optional<common::SelectedSlice>& slice);
  /// Call and GPU event of each arrow.
  const std::vector<std::pair<trace::EventRef, trace::EventRef>>& links() const { return m_links; }
  /// Draws those whose ends have rows; `lanes` is the time part of the rows in widget pixels.
  void paint(QPainter& painter, const common::Document& document, const ViewState& state, const LaneLayout& layout,
             const QRect& lanes, const common::Theme& theme) const;

 private:
  common::Side m_side = common::Side::A;
  std::vector<std::pair<trace::EventRef, trace::EventRef>> m_links;
};

}  // namespace threewalls::timeline

#pragma once

#include "common/theme.h"
#include "timeline/lane_layout.h"
#include "timeline/time_axis.h"
#include "timeline/view_state.h"

#include <QPainter>

#include <functional>
#include <optional>

namespace threewalls::timeline {

/// Draws ticks and labels of the visible range into `rect`.
void paintRuler(QPainter& painter, const QRect& rect, const TimeAxis& axis, const common::Theme& theme);

/// What else is to be said of a step, by index into Alignment::steps(); may be empty.
using StepNote = std::function<QString(std::size_t pair)>;

/// Draws the numbered steps of a side into the time part of its heading: warm-up quiet, outliers flagged, the aligned one marked;
/// with a note where there is room.
void paintStepBand(QPainter& painter, const QRect& rect, common::Side side, const ViewState& state, const TimeAxis& axis,
                   const common::Theme& theme, const StepNote& note = {});

/// The step of a side that spans an aligned time: index into Alignment::steps().
std::optional<std::size_t> stepUnder(common::Side side, const Alignment& alignment, double aligned);

}  // namespace threewalls::timeline

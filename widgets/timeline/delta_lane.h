#pragma once

#include "common/theme.h"
#include "timeline/view_state.h"

#include <QPainter>
#include <QRectF>

#include <array>
#include <optional>
#include <vector>

namespace threewalls::timeline {

/// What a step takes longer (or, negative, shorter) on the side that is not the reference, by part of the ledger.
struct StepDelta {
  std::size_t pair = 0;                                                  ///< index into Alignment::steps()
  std::array<base::Nanoseconds, analysis::kLedgerParts.size()> parts{};  ///< by LedgerPart
  base::Nanoseconds total{0};                                            ///< their sum
};

/// Of the steps that both sides ran, in their order.
std::vector<StepDelta> stepDeltas(const Alignment& alignment, common::Side reference);
/// "step 64: B is 3.2 ms slower", then the parts that are not 0, largest first, a line each.
QString deltaText(const StepDelta& delta, const Alignment& alignment, common::Side reference);

/// A part of a bar, in pixels from the left and top of the row.
struct DeltaBar {
  std::size_t pair = 0;
  analysis::LedgerPart part = analysis::LedgerPart::Compute;
  base::Nanoseconds delta{0};
  QRectF rect;
};

/// The row between A and B: for every step of the reference in view a bar about its middle, what got faster to the left and what
/// got slower to the right, in the ledger's colours, all to one scale.
class DeltaLane {
 public:
  DeltaLane(const ViewState& state, const TimeAxis& axis, QSizeF size, int textHeight);

  const std::vector<DeltaBar>& bars() const { return m_bars; }
  /// The step of the reference that holds a place; none where the other side did not run it.
  std::optional<StepDelta> at(double x) const;
  void paint(QPainter& painter, QPointF corner, const common::Theme& theme) const;

 private:
  struct Shown {
    StepDelta delta;
    double left, right;  ///< what is in view of the step
  };
  const ViewState& m_state;
  QSizeF m_size;
  int m_textHeight;
  std::vector<Shown> m_shown;
  std::vector<DeltaBar> m_bars;
};

}  // namespace threewalls::timeline

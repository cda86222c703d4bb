#include "timeline/timeline_view.h"

#include <QKeyEvent>

#include <cmath>

namespace threewalls::timeline {
namespace {

constexpr double kZoomTap = 1.25;  // one tap of W
constexpr double kPanTap = 0.1;    // one tap of D, as a share of the view

}  // namespace

void TimelineView::keyPressEvent(QKeyEvent* event) {
  const auto motion = firstSide() ? motionOf(*event) : std::nullopt;
  if (!motion) return QWidget::keyPressEvent(event);
  const bool pan = *motion == Motion::Left || *motion == Motion::Right;
  const bool fast = pan && (event->modifiers() & Qt::ShiftModifier);
  if (m_reducedMotion) {
    move(*motion, fast ? KeyRamp::kFast : 1);
  } else if (!event->isAutoRepeat()) {
    m_heldScanCode = event->nativeScanCode();
    m_ramp.press(*motion, fast);
  }
}

void TimelineView::keyReleaseEvent(QKeyEvent* event) {
  // Modifiers may have come and gone since: with them the same key may have another name.
  const bool same = event->nativeScanCode() != 0 ? event->nativeScanCode() == m_heldScanCode : motionOf(*event).has_value();
  if (m_ramp.isRunning() && same) {
    if (!event->isAutoRepeat()) m_ramp.stop();
    return;
  }
  QWidget::keyReleaseEvent(event);
}

void TimelineView::focusInEvent(QFocusEvent*) {
  update();
}

void TimelineView::focusOutEvent(QFocusEvent*) {
  m_ramp.stop();
  update();
}

void TimelineView::move(Motion motion, double amount) {
  const QRect lanes = lanesRect();
  if (motion == Motion::Left || motion == Motion::Right) {
    panPixels((motion == Motion::Left ? -1 : 1) * amount * kPanTap * lanes.width());
    return;
  }
  const QPoint pointer = mapFromGlobal(QCursor::pos());
  const double x = lanes.contains(pointer) ? pointer.x() - lanes.left() : lanes.width() / 2.0;
  m_state.zoomAt(axis().toTime(x), std::pow(kZoomTap, motion == Motion::ZoomIn ? -amount : amount));
}

void TimelineView::clearOne() {
  if (m_drag != Drag::None || m_box->isVisible()) {
    m_drag = Drag::None;
    m_box->hide();
  } else if (m_selection.range()) {
    m_selection.setRange(std::nullopt);
  } else if (m_selection.slice()) {
    m_selection.setSlice(std::nullopt);
  } else {
    emit nothingToClear();
  }
}

}  // namespace threewalls::timeline

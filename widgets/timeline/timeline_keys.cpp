#include "timeline/timeline_view.h"

#include <QGuiApplication>
#include <QKeyEvent>

#include <cmath>

namespace threewalls::timeline {
namespace {

constexpr double kZoomTap = 1.25;  // one tap of W
constexpr double kPanTap = 0.1;    // one tap of D, as a share of the view

/// The key by its place on the keyboard, so that W, A, S and D form the same cross on every layout.
int placed(const QKeyEvent& event) {
  const QString platform = QGuiApplication::platformName();
  if (platform == QLatin1String("xcb") || platform.startsWith(QLatin1String("wayland"))) {
    switch (event.nativeScanCode()) {
      case 25: return Qt::Key_W;
      case 38: return Qt::Key_A;
      case 39: return Qt::Key_S;
      case 40: return Qt::Key_D;
      default: break;
    }
    // The letters of other places are not the cross.
    if (event.nativeScanCode() != 0 &&
        (event.key() == Qt::Key_W || event.key() == Qt::Key_A || event.key() == Qt::Key_S || event.key() == Qt::Key_D)) {
      return Qt::Key_unknown;
    }
  }
  return event.key();
}

std::optional<Motion> motionOf(const QKeyEvent& event) {
  switch (placed(event)) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: return Motion::ZoomIn;
    case Qt::Key_S:
    case Qt::Key_Minus: return Motion::ZoomOut;
    case Qt::Key_A: return Motion::Left;
    case Qt::Key_D: return Motion::Right;
    default: return std::nullopt;
  }
}

}  // namespace

bool TimelineView::pressMotion(const QKeyEvent& event) {
  const auto motion = motionOf(event);
  if (!motion || (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) return false;
  const bool pan = *motion == Motion::Left || *motion == Motion::Right;
  const bool fast = pan && (event.modifiers() & Qt::ShiftModifier);
  if (m_reducedMotion) {
    move(*motion, fast ? KeyRamp::kFast : 1);
  } else if (!event.isAutoRepeat()) {
    m_ramp.press(*motion, fast);
  }
  return true;
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (!firstSide()) return QWidget::keyPressEvent(event);
  if (pressMotion(*event)) return;
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left: return selectNeighbour(-1, shift);
    case Qt::Key_Right: return selectNeighbour(1, shift);
    case Qt::Key_Up: return selectRow(-1);
    case Qt::Key_Down: return selectRow(1);
    case Qt::Key_Comma: return m_state.stepBy(-1);
    case Qt::Key_Period: return m_state.stepBy(1);
    case Qt::Key_F: return fitSelection();
    case Qt::Key_0: return m_state.fitAll();
    case Qt::Key_R: return sliceToRange();
    case Qt::Key_Space: return toggleFold();
    case Qt::Key_PageUp: return m_bar->triggerAction(QAbstractSlider::SliderPageStepSub);
    case Qt::Key_PageDown: return m_bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_selection.slice()) emit detailsRequested();
      return;
    case Qt::Key_Escape:
      if (m_drag != Drag::None || m_box->isVisible()) {
        m_drag = Drag::None;
        m_box->hide();
        emit rangeDragged(false);
      } else if (m_selection.range()) {
        m_selection.setRange(std::nullopt);
      } else if (m_selection.slice()) {
        m_selection.setSlice(std::nullopt);
      } else {
        QWidget::keyPressEvent(event);
      }
      return;
    default: QWidget::keyPressEvent(event);
  }
}

void TimelineView::keyReleaseEvent(QKeyEvent* event) {
  if (const auto motion = motionOf(*event)) {
    if (!event->isAutoRepeat()) m_ramp.release(*motion);
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

}  // namespace threewalls::timeline

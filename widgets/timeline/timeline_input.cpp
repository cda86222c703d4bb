#include "timeline/timeline_view.h"

#include "analysis/range_stats.h"
#include "base/format.h"
#include "common/text.h"
#include "timeline/ruler_painter.h"
#include "timeline/slice_facts.h"

#include <QApplication>
#include <QInputDevice>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

using common::SelectedRange;
using common::SelectedSlice;
using common::Side;

constexpr int kTipDelay = 150;       // ms
constexpr double kZoomNotch = 1.25;  // one notch of the wheel
constexpr double kFineZoomNotch = 1.05;
constexpr double kPanNotch = 0.1;
constexpr double kNotch = 120;  // angle delta of one notch
constexpr double kDoubleClickMargin = 0.1;
/// Names of a range are summed while dragging only up to so many events: a frame must stay short.
constexpr std::uint64_t kMostWhileDragging = 100'000;
constexpr std::size_t kTopNames = 5;

}  // namespace

void TimelineView::panPixels(double pixels) {
  // Whole device pixels: painted rows are kept.
  const double ratio = devicePixelRatioF();
  m_state.panBy(std::round(pixels * ratio) / ratio * axis().nsPerPixel());
}

bool TimelineView::event(QEvent* event) {
  // Held keys go by their place, whatever other command has the letter that stands there.
  if (event->type() == QEvent::ShortcutOverride && hasFocus() && firstSide() && motionOf(static_cast<const QKeyEvent&>(*event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::NativeGesture) {
    const auto& gesture = static_cast<const QNativeGestureEvent&>(*event);
    if (gesture.gestureType() == Qt::ZoomNativeGesture && firstSide()) {
      m_state.zoomAt(axis().toTime(gesture.position().x() - lanesRect().left()), 1 / std::max(1 + gesture.value(), 0.1));
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip) {
    const auto& help = static_cast<const QHelpEvent&>(*event);
    if (showMarkTip(help) || showDeltaTip(help)) return true;
  }
  return QWidget::event(event);
}

bool TimelineView::scrollTouchpad(const QWheelEvent& event) {
  const bool touchpad = event.device() != nullptr && event.device()->type() == QInputDevice::DeviceType::TouchPad;
  if (!touchpad || event.pixelDelta().isNull() || event.modifiers() != Qt::NoModifier) return false;
  panPixels(-event.pixelDelta().x());
  m_bar->setValue(m_state.scroll() - event.pixelDelta().y());
  return true;
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  event->accept();
  if (!firstSide() || scrollTouchpad(*event)) return;
  const QPoint angle = event->angleDelta();
  // Alt turns a wheel sideways on some platforms: take whichever axis moved.
  const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / kNotch;
  if (event->modifiers() & Qt::AltModifier) {
    m_bar->setValue(m_state.scroll() - static_cast<int>(std::lround(notches * 3 * m_bar->singleStep())));
  } else if ((event->modifiers() & Qt::ShiftModifier) || angle.y() == 0) {
    panPixels(-notches * kPanNotch * lanesRect().width());
  } else {
    const double step = event->modifiers() & Qt::ControlModifier ? kFineZoomNotch : kZoomNotch;
    m_state.zoomAt(axis().toTime(event->position().x() - lanesRect().left()), std::pow(step, -notches));
  }
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  if (event->button() != Qt::LeftButton || !firstSide()) return;
  m_tipDelay.stop();
  m_box->hide();
  m_pressed = m_lastDrag = event->pos();
  m_markChosen = false;
  const QRect lanes = lanesRect();
  const bool ranging = (event->modifiers() & Qt::ShiftModifier) && lanes.contains(event->pos());
  if (ranging || rulerRect().united(marksRect()).contains(event->pos())) {
    const auto row = rowIndexAt(event->pos());
    m_dragSide = ranging && row ? m_layout.rows()[*row].side : *firstSide();
    m_dragTime = axis().toTime(event->pos().x() - lanes.left());
    m_drag = Drag::Range;
  } else {
    m_drag = Drag::Undecided;
  }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->pos();
  switch (m_drag) {
    case Drag::None: setHover(sliceAt(at)); return;
    case Drag::Range: dragRangeTo(at); return;
    case Drag::Undecided:
      if ((at - m_pressed).manhattanLength() < QApplication::startDragDistance() || !lanesRect().contains(m_pressed)) return;
      m_drag = Drag::Pan;
      setCursor(Qt::ClosedHandCursor);
      [[fallthrough]];
    case Drag::Pan:
      panPixels(m_lastDrag.x() - at.x());
      m_bar->setValue(m_state.scroll() + m_lastDrag.y() - at.y());
      m_lastDrag = at;
  }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = std::exchange(m_drag, Drag::None);
  unsetCursor();
  if (event->button() != Qt::LeftButton) return;
  if (drag == Drag::Undecided) clickAt(event->pos());
  if (drag == Drag::Range) {
    m_box->hide();
    // A click without a drag chooses a mark, or clears the range.
    const bool click = (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance();
    m_markChosen = click && chooseMarkAt(event->pos());
    if (click && !m_markChosen) m_selection.setRange(std::nullopt);
  }
}

void TimelineView::clickAt(const QPoint& point) {
  const auto index = rowIndexAt(point);
  if (!index) return;
  const Row& row = m_layout.rows()[*index];
  if (chooseDeltaAt(point)) return;
  if (row.foldable && (point.x() < lanesRect().left() || row.kind == RowKind::Folded)) {
    m_state.setFolded({row.side, row.lane}, row.kind != RowKind::Folded);
  } else if (row.kind == RowKind::Heading && point.x() < lanesRect().left()) {
    m_state.showHidden(row.side);
  } else if (row.kind == RowKind::Heading) {
    const auto pair = stepUnder(row.side, m_state.alignment(), axis().toTime(point.x() - lanesRect().left()));
    if (pair && lanesRect().contains(point)) {
      m_selection.setRange(SelectedRange{row.side, m_state.alignment().step(row.side, *pair)->interval});
    }
  } else if (lanesRect().contains(point)) {
    m_selection.setSlice(sliceAt(point));
  }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const QPoint at = event->pos();
  // The first click may have moved the flag from under the pointer.
  if (m_markChosen && marksRect().contains(at)) return emit markNoteWanted();
  const auto index = rowIndexAt(at);
  if (const auto slice = sliceAt(at)) {
    m_selection.setSlice(slice);
    m_state.fit(m_state.alignment().toAligned(slice->side, traceOf(slice->side)->interval(slice->event)), kDoubleClickMargin);
  } else if (index && m_layout.rows()[*index].kind == RowKind::Heading && lanesRect().contains(at)) {
    const auto pair = stepUnder(m_layout.rows()[*index].side, m_state.alignment(), axis().toTime(at.x() - lanesRect().left()));
    if (pair) m_state.showStep(*pair);
  }
}

void TimelineView::leaveEvent(QEvent*) {
  setHover(std::nullopt);
}

void TimelineView::setHover(const std::optional<SelectedSlice>& slice) {
  if (slice == m_hover) return;
  const auto repaint = [this](const std::optional<SelectedSlice>& hovered) {
    if (hovered) update(rectOf(*hovered).adjusted(-3, -3, 3, 3));
  };
  repaint(m_hover);
  m_hover = slice;
  repaint(m_hover);
  m_box->hide();
  if (m_hover) {
    m_tipDelay.start(kTipDelay, this);
  } else {
    m_tipDelay.stop();
  }
}

void TimelineView::timerEvent(QTimerEvent* event) {
  if (event->timerId() != m_tipDelay.timerId()) return QWidget::timerEvent(event);
  m_tipDelay.stop();
  showTip();
}

void TimelineView::showTip() {
  if (!m_hover || m_drag != Drag::None) return;
  const SliceFacts facts = factsOf(*m_document.run(m_hover->side)->analysis, m_hover->event);
  QRect anchor = rectOf(*m_hover);
  anchor.setLeft(std::max(anchor.left(), lanesRect().left()));
  m_box->showAt(anchor,
                {QString::fromStdString(base::shortKernelName(facts.name.toStdString(), 90)),
                 tr("%1 · starts %2").arg(facts.duration, facts.start), QStringLiteral("%1 · %2").arg(facts.what, facts.lane)});
}

void TimelineView::dragRangeTo(const QPoint& point) {
  const QRect lanes = lanesRect();
  const double time = axis().toTime(std::clamp(point.x() - lanes.left(), 0, lanes.width()));
  const TimeRange range{std::min(time, m_dragTime), std::max(time, m_dragTime)};
  m_selection.setRange(SelectedRange{m_dragSide, m_state.alignment().toClock(m_dragSide, range)});
  showRangeBox(point);
}

void TimelineView::showRangeBox(const QPoint& point) {
  const auto& range = m_selection.range();
  if (!range) return;
  const analysis::Analysis& analysis = *m_document.run(range->side)->analysis;
  const analysis::RangeStats stats = analysis::rangeStats(analysis, range->range);
  QStringList lines{common::duration(range->range.length())};
  lines << tr("GPU busy %1").arg(QString::fromStdString(base::formatPercent(stats.busy())));
  lines << tr("exposed communication %1").arg(common::duration(stats.ledger.exposed));
  lines << tr("%1 GPU events").arg(QString::fromStdString(base::formatCount(stats.count)));
  if (stats.count <= kMostWhileDragging) {
    const auto names = analysis::timesByName(*analysis.trace, range->range);
    for (std::size_t i = 0; names && i < std::min(names->size(), kTopNames); ++i) {
      const analysis::NameTime& entry = (*names)[i];
      const std::string name = base::shortKernelName(analysis.trace->names()[entry.name], 48);
      lines << QStringLiteral("%1  %2").arg(common::duration(entry.sum), common::toText(name));
    }
  }
  m_box->showAt(QRect(point + QPoint(14, 0), QSize(1, 14)), lines);
}

}  // namespace threewalls::timeline

#include "timeline/timeline_view.h"

#include "timeline/slice_facts.h"
#include "timeline/slice_search.h"

#include <QAccessible>

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

using common::SelectedRange;
using common::SelectedSlice;
using common::Side;

constexpr int kGutterLetters = 30;
constexpr int kMinimapHeight = 18;
constexpr int kMinimapGap = 4;
constexpr int kBarWidth = 12;
/// A slice in view and at least this wide is left where it is when something asks to show it.
constexpr double kWideEnough = 3;
/// Otherwise it takes this share of the view, and half as much when a step of zooming out is wanted.
constexpr double kRevealMargin = 3;
constexpr double kFitMargin = 0.1;

}  // namespace

TimelineView::TimelineView(const common::Document& document, common::Selection& selection, ViewState& state, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_selection(selection),
      m_state(state),
      m_minimap(new Minimap(document, state, this)),
      m_bar(new QScrollBar(Qt::Vertical, this)),
      m_box(new InfoBox(this)) {
  m_minimap->setOverlay([this](QPainter& painter, const QRect& rect, const TimeAxis& axis) {
    if (m_hits) m_hits->paintMinimap(painter, rect, axis, m_theme);
    if (m_marks) m_marks->paintMinimap(painter, rect, axis, m_theme, bothSides());
  });
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMinimumHeight(140);
  setAccessibleName(tr("Timeline"));
  m_bar->setFocusPolicy(Qt::NoFocus);
  connect(m_bar, &QScrollBar::valueChanged, &m_state, &ViewState::setScroll);
  connect(&m_state, &ViewState::changed, this, &TimelineView::applyState);
  connect(&document, &common::Document::runsChanged, this, &TimelineView::reloadRuns);
  connect(&selection, &common::Selection::changed, this, &TimelineView::showSelection);
  connect(&selection, &common::Selection::sliceShown, this, qOverload<const SelectedSlice&>(&TimelineView::reveal));
  connect(&selection, &common::Selection::rangeShown, this, qOverload<const SelectedRange&>(&TimelineView::reveal));
  connect(&m_ramp, &KeyRamp::moved, this, &TimelineView::move);
  reloadRuns();
}

void TimelineView::setTheme(const common::Theme& theme) {
  m_theme = theme;
  m_minimap->setTheme(theme);
  m_box->setTheme(theme);
  m_lanes.reset(m_document, theme);
  update();
}

void TimelineView::showSearch(const EventSearch& search) {
  m_hits.emplace(search, m_state);
  connect(&search, &EventSearch::changed, this, [this] {
    update();
    m_minimap->update();
  });
}

void TimelineView::reloadRuns() {
  m_hover.reset();
  m_tipDelay.stop();
  m_box->hide();
  m_drag = Drag::None;
  m_ramp.stop();
  m_selection.clear();
  m_state.reset(m_document);
  for (const LaneOfSide& lane : initiallyFolded(m_document)) m_state.setFolded(lane, true);
  m_lanes.reset(m_document, m_theme);
  m_minimap->setVisible(firstSide().has_value());
  showSelection();
}

void TimelineView::applyState() {
  if (m_layoutGeneration != m_state.layoutGeneration()) rebuildLayout();
  m_bar->setValue(m_state.scroll());
  // What was under the pointer may have moved from under it.
  if (m_hover) setHover(underMouse() ? sliceAt(mapFromGlobal(QCursor::pos())) : std::nullopt);
  update();
}

void TimelineView::rebuildLayout() {
  m_layoutGeneration = m_state.layoutGeneration();
  m_layout = LaneLayout(m_document, m_state, RowMetrics(fontMetrics()));
  const int height = lanesRect().height();
  m_bar->setPageStep(height);
  m_bar->setSingleStep(fontMetrics().height());
  m_bar->setRange(0, std::max(0, m_layout.height() - height));
  m_bar->setVisible(m_bar->maximum() > 0);
}

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) {
    rebuildLayout();
    update();
  }
  QWidget::changeEvent(event);
}

void TimelineView::resizeEvent(QResizeEvent*) {
  arrange();
}

void TimelineView::arrange() {
  const QRect lanes = lanesRect();
  m_minimap->setGeometry(lanes.left(), 0, lanes.width(), kMinimapHeight);
  m_bar->setGeometry(width() - kBarWidth, lanes.top(), kBarWidth, lanes.height());
  rebuildLayout();
}

QRect TimelineView::rulerRect() const {
  const int top = kMinimapHeight + kMinimapGap;
  const QRect lanes = lanesRect();
  return {lanes.left(), top, lanes.width(), marksRect().top() - top};
}

QRect TimelineView::lanesRect() const {
  const int gutter = std::min(fontMetrics().averageCharWidth() * kGutterLetters, width() / 3);
  const int band = m_markBand ? MarkOverlay::bandHeight(fontMetrics()) : 0;
  const int top = kMinimapHeight + kMinimapGap + fontMetrics().height() + 10 + band;
  return {gutter, top, std::max(width() - gutter - kBarWidth, 1), std::max(height() - top, 1)};
}

TimeAxis TimelineView::axis() const {
  return {m_state.range(), static_cast<double>(lanesRect().width())};
}

const trace::Trace* TimelineView::traceOf(Side side) const {
  const auto& run = m_document.run(side);
  return run && run->analysis ? run->analysis->trace.get() : nullptr;
}

std::optional<Side> TimelineView::firstSide() const {
  for (const Side side : common::kSides) {
    if (traceOf(side) != nullptr) return side;
  }
  return std::nullopt;
}

std::optional<std::size_t> TimelineView::rowIndexAt(const QPoint& point) const {
  const QRect lanes = lanesRect();
  if (point.y() < lanes.top()) return std::nullopt;
  return m_layout.rowAt(point.y() - lanes.top() + m_state.scroll());
}

QRect TimelineView::rectOf(const SelectedSlice& slice) const {
  const trace::Trace* trace = traceOf(slice.side);
  const auto index = m_layout.rowOf(slice.side, slice.event);
  if (trace == nullptr || !index) return {};
  const Row& row = m_layout.rows()[*index];
  const QRect lanes = lanesRect();
  const TimeRange range = m_state.alignment().toAligned(slice.side, trace->interval(slice.event));
  const double width = lanes.width();
  const double left = std::clamp(axis().toPixel(range.start), -8.0, width + 8);
  const double right = std::clamp(axis().toPixel(range.end), -8.0, width + 8);
  const int x0 = static_cast<int>(std::floor(left));
  const int x1 = std::max(static_cast<int>(std::ceil(right)), x0 + 1);
  const QRect whole(lanes.left() + x0, lanes.top() + row.top - m_state.scroll(), x1 - x0, row.height);
  return whole.intersects(lanes) ? whole : QRect();
}

std::optional<SelectedSlice> TimelineView::sliceAt(const QPoint& point) const {
  const QRect lanes = lanesRect();
  const auto index = rowIndexAt(point);
  if (!index || !lanes.contains(point)) return std::nullopt;
  const Row& row = m_layout.rows()[*index];
  const trace::Trace* trace = traceOf(row.side);
  if (row.kind != RowKind::Slices || trace == nullptr) return std::nullopt;
  const trace::SubLane& lane = trace->lane(row.lane).subLanes[row.subLane];
  const double x = point.x() - lanes.left();
  // First what the pixel itself shows, then its neighbours: a slice may be narrower than a pointer is steady.
  for (const double reach : {0.0, 1.0, 2.0}) {
    const TimeRange stretch{axis().toTime(x - reach), axis().toTime(x + 1 + reach)};
    if (const auto found = longestWithin(lane, m_state.alignment().toClock(row.side, stretch))) {
      return SelectedSlice{row.side, {row.lane, row.subLane, *found}};
    }
  }
  return std::nullopt;
}

void TimelineView::showSelection() {
  const auto& slice = m_selection.slice();
  const trace::Trace* trace = slice ? traceOf(slice->side) : nullptr;
  m_arrows.select(m_document, slice);
  const QString text =
      trace == nullptr
          ? tr("No slice selected")
          : accessibleText(factsOf(*m_document.run(slice->side)->analysis, slice->event), slice->side) + partnerSentence();
  if (text != accessibleDescription()) {
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
  }
  update();
}

void TimelineView::fitSelection() {
  std::optional<TimeRange> wanted;
  const Alignment& alignment = m_state.alignment();
  if (const auto& slice = m_selection.slice(); slice && traceOf(slice->side) != nullptr) {
    wanted = alignment.toAligned(slice->side, traceOf(slice->side)->interval(slice->event));
  } else if (const auto& range = m_selection.range()) {
    wanted = alignment.toAligned(range->side, range->range);
  }
  const TimeRange before = m_state.range();
  if (wanted) m_state.fit(*wanted, kFitMargin);
  if (m_state.range() != before) return;
  // It is fitted already, or nothing is selected: the step around it.
  if (const auto pair = alignment.pairAt(wanted ? wanted->middle() : before.middle())) {
    m_state.fit(alignment.rangeOf(*pair), 0.02);
  } else {
    m_state.fitAll();
  }
}

void TimelineView::selectNeighbour(int direction, bool sameName) {
  const auto slice = m_selection.slice();
  const trace::Trace* trace = slice ? traceOf(slice->side) : nullptr;
  if (trace == nullptr) return;
  std::optional<trace::EventRef> next;
  if (sameName) {
    next = neighbourOfSameName(*trace, slice->event, direction);
  } else {
    const std::int64_t index = static_cast<std::int64_t>(slice->event.index) + direction;
    if (index >= 0 && index < trace->subLane(slice->event).size()) {
      next = {slice->event.lane, slice->event.subLane, static_cast<std::uint32_t>(index)};
    }
  }
  if (next) m_selection.show(SelectedSlice{slice->side, *next});
}

void TimelineView::selectRow(int direction) {
  const auto slice = m_selection.slice();
  const trace::Trace* trace = slice ? traceOf(slice->side) : nullptr;
  double time = m_state.range().middle();
  std::int64_t from = direction > 0 ? -1 : static_cast<std::int64_t>(m_layout.rows().size());
  if (trace != nullptr) {
    const TimeRange range = m_state.alignment().toAligned(slice->side, trace->interval(slice->event));
    time = std::clamp(range.middle(), std::max(range.start, m_state.range().start),
                      std::max(range.start, std::min(range.end, m_state.range().end)));
    if (const auto index = m_layout.rowOf(slice->side, slice->event)) from = static_cast<std::int64_t>(*index);
  }
  const auto& rows = m_layout.rows();
  for (std::int64_t i = from + direction; i >= 0 && i < static_cast<std::int64_t>(rows.size()); i += direction) {
    const Row& row = rows[static_cast<std::size_t>(i)];
    if (row.kind != RowKind::Slices) continue;
    const trace::SubLane& lane = traceOf(row.side)->lane(row.lane).subLanes[row.subLane];
    if (const auto found = nearest(lane, m_state.alignment().toClock(row.side, time))) {
      m_selection.show(SelectedSlice{row.side, {row.lane, row.subLane, *found}});
      return;
    }
  }
}

void TimelineView::toggleFold() {
  if (const auto& slice = m_selection.slice(); slice && traceOf(slice->side) != nullptr) {
    if (traceOf(slice->side)->lane(slice->event.lane).key.kind == trace::LaneKind::GpuStream) return;
    const LaneOfSide lane{slice->side, slice->event.lane};
    m_state.setFolded(lane, !m_state.isFolded(lane));
  }
}

std::optional<LaneOfSide> TimelineView::laneAtHand() const {
  const QPoint pointer = mapFromGlobal(QCursor::pos());
  if (const auto index = rect().contains(pointer) ? rowIndexAt(pointer) : std::nullopt) {
    const Row& row = m_layout.rows()[*index];
    if (row.holdsEvents()) return LaneOfSide{row.side, row.lane};
  }
  if (const auto& slice = m_selection.slice()) return LaneOfSide{slice->side, slice->event.lane};
  return std::nullopt;
}

void TimelineView::togglePin() {
  if (const auto lane = laneAtHand()) m_state.setPinned(*lane, !m_state.isPinned(*lane));
}

void TimelineView::hideLane() {
  if (const auto lane = laneAtHand()) m_state.setHidden(*lane, true);
}

void TimelineView::sliceToRange() {
  const auto slice = m_selection.slice();
  if (slice && traceOf(slice->side) != nullptr)
    m_selection.setRange(SelectedRange{slice->side, traceOf(slice->side)->interval(slice->event)});
}

void TimelineView::reveal(const SelectedSlice& slice) {
  const trace::Trace* trace = traceOf(slice.side);
  if (trace == nullptr) return;
  m_state.alignStepOf(slice.side, trace->interval(slice.event).start);
  m_state.setHidden({slice.side, slice.event.lane}, false);
  m_state.setFolded({slice.side, slice.event.lane}, false);
  const TimeRange range = m_state.alignment().toAligned(slice.side, trace->interval(slice.event));
  const TimeRange view = m_state.range();
  const bool wide = axis().toPixel(range.end) - axis().toPixel(range.start) >= kWideEnough;
  if (range.length() > view.length()) {
    if (range.end <= view.start || range.start >= view.end) m_state.fit(range, kFitMargin);
  } else if (!wide) {
    m_state.fit(range, kRevealMargin);
  } else if (range.start < view.start || range.end > view.end) {
    m_state.panBy(range.middle() - view.middle());
  }
  if (const auto index = m_layout.rowOf(slice.side, slice.event)) {
    const Row& row = m_layout.rows()[*index];
    const int height = lanesRect().height();
    if (row.top < m_state.scroll()) m_state.setScroll(row.top);
    if (row.top + row.height > m_state.scroll() + height)
      m_state.setScroll(std::min(row.top + row.height - height, m_bar->maximum()));
  }
}

void TimelineView::reveal(const SelectedRange& range) {
  m_state.alignStepOf(range.side, range.range.start);
  m_state.fit(m_state.alignment().toAligned(range.side, range.range), kFitMargin);
}

}  // namespace threewalls::timeline

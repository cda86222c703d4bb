#include "timeline/view_state.h"

#include <algorithm>

namespace threewalls::timeline {

void ViewState::reset(const common::Document& document) {
  m_alignment = Alignment(document);
  m_bounds = m_alignment.bounds();
  m_folded.clear();
  m_hidden.clear();
  m_pinned.clear();
  m_reference = common::Side::A;
  m_emphasised.reset();
  m_scroll = 0;
  ++m_layoutGeneration;
  const auto anchor = m_alignment.anchor();
  const TimeRange first = anchor ? m_alignment.rangeOf(*anchor) : m_bounds;
  const double margin = first.length() * 0.02;
  m_range = clamped({first.start - margin, first.end + margin}, m_bounds);
  emit alignmentChanged();
  emit changed();
}

void ViewState::setRange(TimeRange range) {
  range = clamped(range, m_bounds);
  if (range == m_range) return;
  m_range = range;
  emit changed();
}

void ViewState::zoomAt(double anchor, double factor) {
  setRange(zoomed(m_range, anchor, factor, 2 * m_bounds.length()));
}

void ViewState::panBy(double nanoseconds) {
  setRange({m_range.start + nanoseconds, m_range.end + nanoseconds});
}

void ViewState::fit(TimeRange range, double margin) {
  const double length = std::max(range.length() * (1 + 2 * margin), kShortestView);
  setRange({range.middle() - length / 2, range.middle() + length / 2});
}

void ViewState::showStep(std::size_t pair) {
  if (pair >= m_alignment.steps().size()) return;
  m_alignment.setAnchor(pair);
  m_bounds = m_alignment.bounds();
  const TimeRange step = m_alignment.rangeOf(pair);
  const double margin = step.length() * 0.02;
  m_range = clamped({step.start - margin, step.end + margin}, m_bounds);
  emit alignmentChanged();
  emit changed();
}

void ViewState::align(const AlignmentMode& mode, std::optional<std::size_t> pair) {
  const base::Interval shown = m_alignment.toClock(m_reference, m_range);
  if (pair && *pair < m_alignment.steps().size()) m_alignment.setAnchor(*pair);
  m_alignment.setMode(mode, m_reference);
  m_bounds = m_alignment.bounds();
  m_range = clamped(m_alignment.toAligned(m_reference, shown), m_bounds);
  emit alignmentChanged();
  emit changed();
}

void ViewState::alignStepOf(common::Side side, base::Nanoseconds time) {
  for (std::size_t pair = 0; pair < m_alignment.steps().size(); ++pair) {
    const analysis::Step* step = m_alignment.step(side, pair);
    if (step == nullptr || time < step->interval.start || time >= step->interval.end) continue;
    if (pair != m_alignment.anchor() && m_alignment.bothRan(pair)) align(m_alignment.mode(), pair);
    return;
  }
}

void ViewState::setReference(common::Side side) {
  if (side == m_reference) return;
  m_reference = side;
  ++m_layoutGeneration;
  align(m_alignment.mode(), m_alignment.anchor());
}

void ViewState::setEmphasised(std::optional<common::Side> side) {
  if (side == m_emphasised) return;
  m_emphasised = side;
  emit changed();
}

void ViewState::show(const Place& place) {
  const bool otherStep = place.step && place.step != m_alignment.anchor() && *place.step < m_alignment.steps().size();
  const bool realigns = otherStep || place.mode != m_alignment.mode();
  if (otherStep) m_alignment.setAnchor(*place.step);
  if (realigns) {
    m_alignment.setMode(place.mode, m_reference);
    m_bounds = m_alignment.bounds();
  }
  m_range = clamped(place.range, m_bounds);
  m_scroll = place.scroll;
  if (realigns) emit alignmentChanged();
  emit changed();
}

void ViewState::stepBy(int direction) {
  const auto anchor = m_alignment.anchor();
  if (!anchor) return;
  const auto next = static_cast<std::ptrdiff_t>(*anchor) + direction;
  if (next >= 0 && next < static_cast<std::ptrdiff_t>(m_alignment.steps().size())) showStep(static_cast<std::size_t>(next));
}

void ViewState::setScroll(int pixels) {
  pixels = std::max(pixels, 0);
  if (pixels == m_scroll) return;
  m_scroll = pixels;
  emit changed();
}

void ViewState::setFolded(const LaneOfSide& lane, bool folded) {
  if (folded == isFolded(lane)) return;
  if (folded) {
    m_folded.insert(lane);
  } else {
    m_folded.erase(lane);
  }
  changeLayout();
}

void ViewState::setHidden(const LaneOfSide& lane, bool hidden) {
  if (hidden == isHidden(lane)) return;
  if (hidden) {
    m_hidden.insert(lane);
  } else {
    m_hidden.erase(lane);
  }
  changeLayout();
}

void ViewState::showHidden(common::Side side) {
  if (std::erase_if(m_hidden, [side](const LaneOfSide& lane) { return lane.side == side; }) > 0) changeLayout();
}

std::size_t ViewState::hiddenCount(common::Side side) const {
  return static_cast<std::size_t>(
      std::count_if(m_hidden.begin(), m_hidden.end(), [side](const LaneOfSide& lane) { return lane.side == side; }));
}

bool ViewState::isPinned(const LaneOfSide& lane) const {
  return std::find(m_pinned.begin(), m_pinned.end(), lane) != m_pinned.end();
}

void ViewState::setPinned(const LaneOfSide& lane, bool pinned) {
  if (pinned == isPinned(lane)) return;
  if (pinned) {
    m_pinned.push_back(lane);
  } else {
    std::erase(m_pinned, lane);
  }
  changeLayout();
}

void ViewState::changeLayout() {
  ++m_layoutGeneration;
  emit changed();
}

}  // namespace threewalls::timeline

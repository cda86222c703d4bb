#include "timeline/minimap.h"

#include "timeline/lane_pixels.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace threewalls::timeline {
namespace {

using common::Side;

constexpr double kGrip = 5;       // pixels on both sides of an edge of the window
constexpr double kNarrowest = 6;  // the window is always drawn at least this wide
constexpr double kBucket = 2;     // device pixels

}  // namespace

Minimap::Minimap(const common::Document& document, ViewState& state, QWidget* parent)
    : QWidget(parent), m_document(document), m_state(state) {
  setMouseTracking(true);
  setToolTip(tr("The whole trace: drag the window to move it, its edges to resize it"));
  connect(&state, &ViewState::changed, this, qOverload<>(&QWidget::update));
  connect(&state, &ViewState::alignmentChanged, this, [this] { m_coverage = {}; });
}

void Minimap::setTheme(const common::Theme& theme) {
  m_theme = theme;
  m_coverage = {};
  update();
}

TimeAxis Minimap::axis() const {
  return {m_state.bounds(), static_cast<double>(width())};
}

void Minimap::paintCoverage() {
  const int columns = std::max(1, static_cast<int>(width() * devicePixelRatioF() / kBucket));
  if (m_coverage.width() == columns) return;
  m_coverage = QImage(columns, 2, QImage::Format_RGB32);
  m_coverage.fill(m_theme.lane);
  const TimeRange bounds = m_state.bounds();
  for (const Side side : common::kSides) {
    const auto& run = m_document.run(side);
    if (!run || !run->analysis) continue;
    const SlicePalette palette(m_theme, run->analysis->classes);
    const BucketGrid grid{m_state.alignment().clock(side), bounds.start, bounds.length() / columns};
    // Of all streams the fullest shows in each bucket.
    std::vector<BucketShare> best(static_cast<std::size_t>(columns));
    std::vector<QRgb> colours(static_cast<std::size_t>(columns), palette.background());
    for (const trace::Lane& lane : run->analysis->trace->lanes()) {
      if (lane.key.kind != trace::LaneKind::GpuStream) continue;
      for (const trace::SubLane& sub : lane.subLanes) {
        BucketCursor cursor(sub);
        for (int k = 0; k < columns; ++k) {
          const BucketShare share = cursor.next(grid.edge(k), grid.edge(k + 1));
          auto& kept = best[static_cast<std::size_t>(k)];
          if (share.count == 0 || (kept.count > 0 && share.covered <= kept.covered)) continue;
          kept = share;
          colours[static_cast<std::size_t>(k)] =
              blended(palette.background(), palette.colour(sub.name(share.longest), sub.kind(share.longest)),
                      std::max(share.covered, kFaintest));
        }
      }
    }
    std::copy(colours.begin(), colours.end(), reinterpret_cast<QRgb*>(m_coverage.scanLine(static_cast<int>(side))));
  }
}

void Minimap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.lane);
  const bool both = m_document.run(Side::A) && m_document.run(Side::B);
  paintCoverage();
  const int gap = both ? 1 : 0;
  const int half = (height() - gap) / 2;
  for (const Side side : common::kSides) {
    if (!m_document.run(side)) continue;
    const QRect place = both ? QRect(0, side == Side::A ? 0 : half + gap, width(), half) : rect();
    painter.drawImage(place, m_coverage, QRect(0, static_cast<int>(side), m_coverage.width(), 1));
  }
  const double left = axis().toPixel(m_state.range().start);
  const double right = std::max(axis().toPixel(m_state.range().end), left + kNarrowest);
  QColor veil = m_theme.window;
  veil.setAlphaF(0.62F);
  painter.fillRect(QRectF(0, 0, std::max(left, 0.0), height()), veil);
  painter.fillRect(QRectF(right, 0, std::max(width() - right, 0.0), height()), veil);
  if (m_overlay) m_overlay(painter, rect(), axis());
  painter.setPen(QPen(m_theme.accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(
      QRectF(std::max(left, 0.0) + 0.5, 0.5, std::min(right, width() * 1.0) - std::max(left, 0.0) - 1, height() - 1));
}

Minimap::Grip Minimap::gripAt(double x) const {
  const double left = axis().toPixel(m_state.range().start);
  const double right = std::max(axis().toPixel(m_state.range().end), left + kNarrowest);
  // A narrow window keeps its middle for moving.
  const double reach = std::min(kGrip, (right - left) / 4);
  if (std::abs(x - left) <= reach) return Grip::Left;
  if (std::abs(x - right) <= reach) return Grip::Right;
  return x > left && x < right ? Grip::Move : Grip::None;
}

void Minimap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const double x = event->position().x();
  m_grip = gripAt(x);
  if (m_grip == Grip::None) {
    m_state.panBy(axis().toTime(x) - m_state.range().middle());
    m_grip = Grip::Move;
  }
  m_last = x;
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (m_grip == Grip::None) {
    const Grip grip = gripAt(x);
    setCursor(grip == Grip::Left || grip == Grip::Right ? Qt::SizeHorCursor
              : grip == Grip::Move                      ? Qt::OpenHandCursor
                                                        : Qt::ArrowCursor);
    return;
  }
  const TimeRange range = m_state.range();
  const double time = axis().toTime(x);
  switch (m_grip) {
    case Grip::Move: m_state.panBy(time - axis().toTime(m_last)); break;
    case Grip::Left: m_state.fit({std::min(time, range.end - kShortestView), range.end}); break;
    case Grip::Right: m_state.fit({range.start, std::max(time, range.start + kShortestView)}); break;
    case Grip::None: break;
  }
  m_last = x;
}

void Minimap::mouseReleaseEvent(QMouseEvent*) {
  m_grip = Grip::None;
}

}  // namespace threewalls::timeline

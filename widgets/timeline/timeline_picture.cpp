#include "timeline/image_runs.h"
#include "timeline/timeline_view.h"

#include <QPainter>
#include <QScopeGuard>

#include <algorithm>
#include <utility>

namespace threewalls::timeline {
namespace {

/// Resolutions of rows that are drawn as rectangles, in steps of a pixel: the finest that needs few enough of them is taken.
constexpr std::array<double, 2> kShapeRatios = {4, 2};

void fillRuns(QPainter& painter, const std::vector<ColourRun>& runs, double ratio) {
  // Half a step over their edge, so that no seam shows between neighbours; the next one paints over it.
  constexpr double kOverlap = 0.5;
  for (const ColourRun& run : runs) {
    painter.fillRect(QRectF(run.rect.left() / ratio, run.rect.top() / ratio, (run.rect.width() + kOverlap) / ratio,
                            (run.rect.height() + kOverlap) / ratio),
                     QColor::fromRgb(run.colour));
  }
}

}  // namespace

int TimelineView::wholeRowsHeight() const {
  const int room = lanesRect().height();
  int bottom = 0;
  for (const Row& row : m_layout.rows()) {
    const int end = row.top + row.height - m_state.scroll();
    if (end <= room) bottom = std::max(bottom, end);
  }
  return bottom > 0 ? bottom : room;
}

QSize TimelineView::pictureSize() const {
  return {lanesRect().right() + 1, lanesRect().top() - rulerRect().top() + wholeRowsHeight()};
}

int TimelineView::rowsOutsidePicture() const {
  const int bottom = m_state.scroll() + wholeRowsHeight();
  return static_cast<int>(std::count_if(m_layout.rows().begin(), m_layout.rows().end(), [&](const Row& row) {
    return !row.label.isEmpty() && row.kind != RowKind::Heading && (row.top < m_state.scroll() || row.top + row.height > bottom);
  }));
}

std::size_t TimelineView::paintPicture(QPainter& painter, const common::Theme& theme, double ratio, std::size_t shapes) {
  if (!firstSide()) return 0;
  // What the view shows is painted by its own functions, under another theme and from an image of another resolution.
  common::Theme ownTheme = std::exchange(m_theme, theme);
  LanesImage ownLanes = std::exchange(m_lanes, LanesImage());
  const auto ownHover = std::exchange(m_hover, std::nullopt);
  const auto restore = qScopeGuard([&] {
    m_theme = std::move(ownTheme);
    m_lanes = std::move(ownLanes);
    m_hover = ownHover;
  });
  m_lanes.reset(m_document, theme);
  QRect lanes = lanesRect();
  lanes.setHeight(wholeRowsHeight());
  const int top = rulerRect().top();
  painter.save();
  painter.setFont(font());
  painter.translate(0, -top);
  painter.setClipRect(QRect(QPoint(0, top), pictureSize()));
  painter.fillRect(QRect(QPoint(0, top), pictureSize()), theme.window);

  std::size_t drawn = 0;
  for (const double step : kShapeRatios) {
    if (shapes == 0 || drawn > 0) break;
    const QImage& image = m_lanes.renderBare(m_document, m_state, m_layout, lanes.size(), step, font());
    const auto runs = colourRuns(image, theme.window.rgb(), shapes);
    if (runs.empty()) continue;
    drawn = runs.size();
    painter.save();
    painter.translate(lanes.topLeft());
    fillRuns(painter, runs, step);
    m_lanes.paintLabels(painter, font());
    painter.restore();
  }
  if (drawn == 0) {
    painter.drawImage(lanes.topLeft(), m_lanes.renderBare(m_document, m_state, m_layout, lanes.size(), ratio, font()));
    painter.save();
    painter.translate(lanes.topLeft());
    m_lanes.paintLabels(painter, font());
    painter.restore();
  }
  paintOverLanes(painter);
  painter.restore();
  return drawn;
}

}  // namespace threewalls::timeline

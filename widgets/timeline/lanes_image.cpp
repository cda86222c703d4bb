#include "timeline/lanes_image.h"

#include "timeline/slice_search.h"

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

using common::Side;

/// Device-independent pixels.
constexpr double kLabelMargin = 4;
constexpr double kLaunchBar = 2;
constexpr double kFoldedStrip = 6;

}  // namespace

/// What one call of render() works on.
struct LanesImage::Frame {
  const common::Document& document;
  const ViewState& state;
  TimeAxis axis;  ///< in device pixels
  int columns;
  int lines;
  double ratio;
  std::int64_t firstBucket;

  const analysis::Analysis& analysis(Side side) const { return *document.run(side)->analysis; }
  /// First device line of a logical height below the top of all rows.
  int line(double logical) const { return static_cast<int>(std::lround((logical - state.scroll()) * ratio)); }
};

void LanesImage::reset(const common::Document& document, const common::Theme& theme) {
  m_theme = theme;
  m_cache.clear();
  m_key.reset();
  for (const Side side : common::kSides) {
    SideColours& colours = m_sides[static_cast<std::size_t>(side)];
    colours = {};
    const auto& run = document.run(side);
    if (!run || !run->analysis) continue;
    colours.palette.emplace(theme, run->analysis->classes);
    colours.launches = LaunchTimes(*run->analysis->trace);
  }
}

const QImage& LanesImage::render(const common::Document& document, const ViewState& state, const LaneLayout& layout, QSize size,
                                 double devicePixelRatio, const QFont& font) {
  const std::optional<Key> shown = m_key;
  renderBare(document, state, layout, size, devicePixelRatio, font);
  if (m_key != shown) {
    QPainter painter(&m_image);
    paintLabels(painter, font);
  }
  return m_image;
}

const QImage& LanesImage::renderBare(const common::Document& document, const ViewState& state, const LaneLayout& layout,
                                     QSize size, double devicePixelRatio, const QFont& font) {
  const std::array<SideClock, 2> clocks{state.alignment().clock(Side::A), state.alignment().clock(Side::B)};
  const Key key{state.range(), clocks, size, devicePixelRatio, state.scroll(), state.layoutGeneration(), font};
  if (m_key == key) return m_image;
  if (m_key && m_key->clocks != clocks) m_cache.clear();
  m_key = key;

  const QSize device(std::max(1, static_cast<int>(std::lround(size.width() * devicePixelRatio))),
                     std::max(1, static_cast<int>(std::lround(size.height() * devicePixelRatio))));
  if (m_image.size() != device) m_image = QImage(device, QImage::Format_RGB32);
  m_image.setDevicePixelRatio(1);
  m_image.fill(m_theme.window);
  m_labels.setFont(font);
  m_pendingLabels.clear();
  m_rectangles = 0;

  const Frame frame{document,
                    state,
                    TimeAxis(state.range(), device.width()),
                    device.width(),
                    device.height(),
                    devicePixelRatio,
                    m_cache.alignTo(state.range(), device.width())};
  for (const Row& row : layout.rows()) {
    if (frame.line(row.top + row.height) <= 0 || frame.line(row.top) >= frame.lines) continue;
    if (row.holdsEvents()) paintSlices(frame, row);
    if (row.kind == RowKind::Launches) paintLaunches(frame, row);
  }
  m_image.setDevicePixelRatio(devicePixelRatio);
  return m_image;
}

void LanesImage::copyDown(int firstLine, int lastLine, const std::vector<QRgb>& pixels) {
  for (int y = std::max(firstLine, 0); y < std::min(lastLine, m_image.height()); ++y) {
    std::copy(pixels.begin(), pixels.end(), reinterpret_cast<QRgb*>(m_image.scanLine(y)));
  }
}

void LanesImage::paintSlices(const Frame& frame, const Row& row) {
  const trace::SubLane& lane = frame.analysis(row.side).trace->lane(row.lane).subLanes[row.subLane];
  const SlicePalette& palette = *m_sides[static_cast<std::size_t>(row.side)].palette;
  const Alignment& alignment = frame.state.alignment();
  const BucketGrid grid = m_cache.grid(alignment.clock(row.side));
  const RowKey key{static_cast<std::uint8_t>(row.side), static_cast<std::uint32_t>(trace::index(row.lane)), row.subLane};
  const auto covered = m_cache.row(key, frame.firstBucket, frame.columns, [&](std::int64_t from, std::int64_t to, QRgb* out) {
    paintBuckets(lane, grid, from, to, palette, out);
  });
  m_body.assign(covered.begin(), covered.end());

  const int top = frame.line(row.top);
  // A line of background below sets a row off from the next one of its lane.
  const int end = frame.line(row.top + row.height);
  const int bottom = end - std::max(1, static_cast<int>(frame.ratio));
  if (row.kind == RowKind::Folded) {
    m_edge.assign(m_body.size(), palette.background());
    copyDown(top, end, m_edge);
    const double middle = row.top + row.height / 2.0;
    copyDown(frame.line(middle - kFoldedStrip / 2), frame.line(middle + kFoldedStrip / 2), m_body);
    return;
  }

  m_edge = m_body;
  const base::Interval visible = alignment.toClock(row.side, frame.axis.range());
  const double shortest = kSparse * frame.ratio * frame.axis.nsPerPixel() / alignment.clock(row.side).stretch;
  const auto wide = longEvents(lane, {visible.start, visible.end + base::Nanoseconds(1)},
                               base::Nanoseconds(std::llround(std::ceil(shortest))), kMostRectangles - m_rectangles);
  if (wide) {
    m_rectangles += wide->size();
    const double limit = frame.columns;
    for (const std::uint32_t i : *wide) {
      const double left = std::round(frame.axis.toPixel(alignment.toAligned(row.side, lane.start(i))));
      const double right = std::round(frame.axis.toPixel(alignment.toAligned(row.side, lane.end(i))));
      const int x0 = static_cast<int>(std::clamp(left, 0.0, limit));
      const int x1 = static_cast<int>(std::clamp(right, 0.0, limit));
      if (x0 >= x1) continue;
      const QRgb colour = palette.colour(lane.name(i), lane.kind(i));
      const QRgb border = blended(colour, palette.background(), 0.4);
      std::fill(m_body.begin() + x0, m_body.begin() + x1, colour);
      std::fill(m_edge.begin() + x0, m_edge.begin() + x1, border);
      if (right <= limit) m_body[static_cast<std::size_t>(x1 - 1)] = border;
      if (x1 - x0 >= SliceLabels::kNarrowest * frame.ratio && m_pendingLabels.size() < kMostLabels) {
        m_pendingLabels.push_back({x0 / frame.ratio + kLabelMargin, (top + bottom) / 2.0 / frame.ratio,
                                   (x1 - x0) / frame.ratio - 2 * kLabelMargin, row.side, lane.name(i), colour,
                                   frame.analysis(row.side).trace->names()[lane.name(i)]});
      }
    }
  }
  copyDown(top, top + 1, m_edge);
  copyDown(top + 1, bottom - 1, m_body);
  copyDown(bottom - 1, bottom, m_edge);
  m_body.assign(m_body.size(), palette.background());
  copyDown(bottom, end, m_body);
}

void LanesImage::paintLaunches(const Frame& frame, const Row& row) {
  // Bars of a few columns, on the grid of the columns, so that they keep their places while panning.
  const int width = std::max(1, static_cast<int>(std::lround(kLaunchBar * frame.ratio)));
  BucketGrid grid = m_cache.grid(frame.state.alignment().clock(row.side));
  grid.size *= width;
  const auto floored = [width](std::int64_t k) { return k >= 0 ? k / width : -((-k + width - 1) / width); };
  const std::int64_t first = floored(frame.firstBucket);
  const std::int64_t last = floored(frame.firstBucket + frame.columns - 1) + 1;
  const auto counts = m_sides[static_cast<std::size_t>(row.side)].launches.counts(grid, first, last);
  const std::uint32_t peak = *std::max_element(counts.begin(), counts.end());
  m_peaks[static_cast<std::size_t>(row.side)] = {peak, grid.size / grid.clock.stretch};

  const int top = frame.line(row.top);
  const int bottom = frame.line(row.top + row.height);
  m_body.assign(static_cast<std::size_t>(frame.columns), m_theme.lane.rgb());
  copyDown(top, bottom, m_body);
  if (peak == 0) return;
  const QRgb colour = m_theme.of(analysis::ColourClass::Other).rgb();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const int height = std::max(1, static_cast<int>(std::lround(static_cast<double>(counts[i]) * (bottom - top - 1) / peak)));
    const auto left = static_cast<int>((first + static_cast<std::int64_t>(i)) * width - frame.firstBucket);
    const int x0 = std::max(left, 0);
    const int x1 = std::min(left + width, frame.columns);
    for (int y = std::max(bottom - height, 0); y < std::min(bottom, m_image.height()); ++y) {
      QRgb* const line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
      std::fill(line + x0, line + x1, colour);
    }
  }
}

void LanesImage::paintLabels(QPainter& painter, const QFont& font) {
  painter.setFont(font);
  for (const Label& label : m_pendingLabels) {
    painter.setPen(common::readableTextOn(QColor::fromRgb(label.background)));
    m_labels.draw(painter, label.x, label.middle, label.width,
                  std::uint64_t{trace::index(label.name)} * 2 + static_cast<std::uint64_t>(label.side), label.text);
  }
}

}  // namespace threewalls::timeline

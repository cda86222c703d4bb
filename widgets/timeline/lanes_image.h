#pragma once

#include "timeline/lane_layout.h"
#include "timeline/launch_times.h"
#include "timeline/row_cache.h"
#include "timeline/slice_labels.h"

#include <QImage>

namespace threewalls::timeline {

/// The time part of all visible rows as an image in device pixels: slices, coverage and launch bars, without any overlay.
/// Answers the same image until what it shows has changed.
class LanesImage {
 public:
  /// Beyond these a row falls back to coverage, a slice to no label (timeline_ui.md section 2).
  static constexpr std::size_t kMostRectangles = 8000;
  static constexpr std::size_t kMostLabels = 600;
  /// Slices at least this many device-independent pixels wide are drawn as rectangles.
  static constexpr double kSparse = 3;

  /// New runs, colours or alignment: nothing painted so far holds.
  void reset(const common::Document& document, const common::Theme& theme);
  /// The part of the rows that a view of `size` shows from `state.scroll()` down.
  const QImage& render(const common::Document& document, const ViewState& state, const LaneLayout& layout, QSize size,
                       double devicePixelRatio, const QFont& font);
  /// The same without the labels of slices, for paintLabels() on top of it.
  const QImage& renderBare(const common::Document& document, const ViewState& state, const LaneLayout& layout, QSize size,
                           double devicePixelRatio, const QFont& font);
  /// Draws the labels of the last image, in pixels from its corner.
  void paintLabels(QPainter& painter, const QFont& font);

  std::uint64_t columnsPainted() const { return m_cache.columnsPainted(); }
  std::uint64_t columnsReused() const { return m_cache.columnsReused(); }
  /// Events of the last painted frame that were drawn as rectangles.
  std::size_t rectangles() const { return m_rectangles; }
  /// Launches in the fullest bar of the last frame per side, with the length of a bar.
  const LaunchPeak& launchPeak(common::Side side) const { return m_peaks[static_cast<std::size_t>(side)]; }

 private:
  struct Frame;
  void paintSlices(const Frame& frame, const Row& row);
  void paintLaunches(const Frame& frame, const Row& row);
  void copyDown(int firstLine, int lastLine, const std::vector<QRgb>& pixels);

  /// Everything that the image depends on besides runs and colours.
  struct Key {
    TimeRange range;
    std::array<SideClock, 2> clocks;
    QSize size;
    double ratio;
    int scroll;
    int layoutGeneration;
    QFont font;
    bool operator==(const Key&) const = default;
  };
  struct SideColours {
    std::optional<SlicePalette> palette;
    LaunchTimes launches;
  };
  struct Label {
    double x;
    double middle;
    double width;
    common::Side side;
    trace::NameId name;
    QRgb background;
    std::string_view text;
  };

  common::Theme m_theme;
  std::array<SideColours, 2> m_sides;
  std::array<LaunchPeak, 2> m_peaks;
  std::optional<Key> m_key;
  RowCache m_cache;
  SliceLabels m_labels;
  QImage m_image;
  std::vector<Label> m_pendingLabels;
  std::vector<QRgb> m_body;  ///< one line of the row at hand
  std::vector<QRgb> m_edge;  ///< its first and last line
  std::size_t m_rectangles = 0;
};

}  // namespace threewalls::timeline

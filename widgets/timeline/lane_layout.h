#pragma once

#include "timeline/view_state.h"

#include <QFontMetrics>
#include <QString>

#include <vector>

namespace threewalls::timeline {

enum class RowKind : std::uint8_t {
  Heading,   ///< badge, run, GPU; its time part is the band of steps
  Slices,    ///< one sub-lane
  Launches,  ///< density of calls that launch GPU work, over all threads of a side
  Folded,    ///< coverage strip of a folded lane
  Delta,     ///< between A and B: what every step gains and loses
  Gap,
};

/// One horizontal band of the timeline.
struct Row {
  RowKind kind = RowKind::Gap;
  common::Side side = common::Side::A;
  int top = 0;  ///< logical pixels from the top of all rows
  int height = 0;
  int spacing = 0;        ///< empty pixels below
  trace::LaneId lane{0};  ///< of Slices and Folded
  std::uint32_t subLane = 0;
  bool foldable = false;  ///< the first row of a lane that can be folded
  bool pinned = false;    ///< so is this
  QString label;          ///< in the gutter; empty on further rows of a lane
  QString note;           ///< quieter words after the label
  bool holdsEvents() const { return kind == RowKind::Slices || kind == RowKind::Folded; }
};

/// Heights that follow the text size.
struct RowMetrics {
  explicit RowMetrics(const QFontMetrics& font);
  int heading;
  int stream;  ///< first sub-lane of a GPU stream
  int nested;  ///< every other sub-lane
  int launches;
  int folded;
  int gap;
  int spacing;  ///< between lanes
};

/// All rows in display order: per side heading, pinned lanes, GPU ranges, streams (compute before communication), CPU launches,
/// host threads (the one that launches most first), sync and profiler rows. Lanes without events and hidden ones are left out;
/// the heading counts the hidden.
class LaneLayout {
 public:
  LaneLayout() = default;
  LaneLayout(const common::Document& document, const ViewState& state, const RowMetrics& metrics);

  const std::vector<Row>& rows() const { return m_rows; }
  int height() const { return m_rows.empty() ? 0 : m_rows.back().top + m_rows.back().height + m_rows.back().spacing; }
  /// Index of the row at `y` from the top of all rows; none outside.
  std::optional<std::size_t> rowAt(int y) const;
  /// Index of the row that shows an event; none while its lane is folded away.
  std::optional<std::size_t> rowOf(common::Side side, const trace::EventRef& event) const;

 private:
  std::vector<Row> m_rows;
};

/// Lanes that start folded: profiler rows and host threads, save the one that launches most when only one side is open.
std::vector<LaneOfSide> initiallyFolded(const common::Document& document);

}  // namespace threewalls::timeline

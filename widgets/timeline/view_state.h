#pragma once

#include "common/document.h"
#include "timeline/alignment.h"
#include "timeline/time_axis.h"

#include <QObject>

#include <set>

namespace threewalls::timeline {

/// The lane of one side, as folds name it.
struct LaneOfSide {
  common::Side side = common::Side::A;
  trace::LaneId lane{0};
  auto operator<=>(const LaneOfSide&) const = default;
};

/// What the timeline looks at: the one owner of visible range, alignment, folds and vertical scroll, shared by A and B.
class ViewState : public QObject {
  Q_OBJECT
 public:
  explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

  /// Starts over with the runs of a document: aligned by step start, showing the anchor step.
  void reset(const common::Document& document);

  const Alignment& alignment() const { return m_alignment; }
  const TimeRange& range() const { return m_range; }
  const TimeRange& bounds() const { return m_bounds; }
  bool isFolded(const LaneOfSide& lane) const { return m_folded.contains(lane); }
  /// Grows with every change of the folds or the runs: what a lane layout depends on.
  int layoutGeneration() const { return m_layoutGeneration; }
  int scroll() const { return m_scroll; }

  /// Scales the visible range by `factor` about an aligned time; below 1 zooms in.
  void zoomAt(double anchor, double factor);
  void panBy(double nanoseconds);
  /// Shows `range` with a margin on both sides, as a share of its length.
  void fit(TimeRange range, double margin = 0);
  void fitAll() { fit(m_bounds, 0.01); }
  /// Aligns A and B at the start of a pair of steps and shows it.
  void showStep(std::size_t pair);
  /// The step after (1) or before (-1) the aligned one.
  void stepBy(int direction);
  /// Pixels from the top of the lanes.
  void setScroll(int pixels);
  void setFolded(const LaneOfSide& lane, bool folded);

 signals:
  void changed();           ///< anything at all
  void alignmentChanged();  ///< runs or aligned step

 private:
  void setRange(TimeRange range);

  Alignment m_alignment;
  TimeRange m_bounds{0, 1e6};
  TimeRange m_range{0, 1e6};
  std::set<LaneOfSide> m_folded;
  int m_layoutGeneration = 0;
  int m_scroll = 0;
};

}  // namespace threewalls::timeline

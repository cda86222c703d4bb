#pragma once

#include "common/document.h"
#include "timeline/alignment.h"
#include "timeline/time_axis.h"

#include <QObject>

#include <optional>
#include <set>
#include <vector>

namespace threewalls::timeline {

/// The lane of one side, as folds name it.
struct LaneOfSide {
  common::Side side = common::Side::A;
  trace::LaneId lane{0};
  auto operator<=>(const LaneOfSide&) const = default;
};

/// Where a timeline looks; what the view history goes back to.
struct Place {
  std::optional<std::size_t> step;  ///< the aligned pair
  AlignmentMode mode;
  TimeRange range{0, 0};
  int scroll = 0;

  /// Scrolling the lanes alone makes no other place.
  bool showsTheSame(const Place& other) const { return step == other.step && mode == other.mode && range == other.range; }
};

/// What the timeline looks at: the one owner of visible range, alignment, folds, hidden and pinned lanes and vertical scroll,
/// shared by A and B.
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
  bool isHidden(const LaneOfSide& lane) const { return m_hidden.contains(lane); }
  std::size_t hiddenCount(common::Side side) const;
  /// Pinned lanes stand first on their side, in this order.
  const std::vector<LaneOfSide>& pinned() const { return m_pinned; }
  bool isPinned(const LaneOfSide& lane) const;
  /// Grows with every change of the runs or of what is folded, hidden or pinned: what a lane layout depends on.
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
  /// Lays A and B over each other by `mode`, in the step `pair` when there is one; what is shown of the reference side stays.
  void align(const AlignmentMode& mode, std::optional<std::size_t> pair);
  /// With both sides open, aligns the step of a side that holds an instant, if both ran it: what is found on one side is seen
  /// beside the same step of the other.
  void alignStepOf(common::Side side, base::Nanoseconds time);
  /// What differences are told from; never stretched.
  common::Side reference() const { return m_reference; }
  void setReference(common::Side side);
  /// The side that is drawn at full strength while the other one is quiet; none: both.
  std::optional<common::Side> emphasised() const { return m_emphasised; }
  void setEmphasised(std::optional<common::Side> side);
  Place place() const { return {m_alignment.anchor(), m_alignment.mode(), m_range, m_scroll}; }
  /// Looks there again.
  void show(const Place& place);
  /// The step after (1) or before (-1) the aligned one.
  void stepBy(int direction);
  /// Pixels from the top of the lanes.
  void setScroll(int pixels);
  void setFolded(const LaneOfSide& lane, bool folded);
  void setHidden(const LaneOfSide& lane, bool hidden);
  void showHidden(common::Side side);
  void setPinned(const LaneOfSide& lane, bool pinned);

 signals:
  void changed();           ///< anything at all
  void alignmentChanged();  ///< runs, aligned step, mode or reference

 private:
  void setRange(TimeRange range);
  void changeLayout();

  Alignment m_alignment;
  TimeRange m_bounds{0, 1e6};
  TimeRange m_range{0, 1e6};
  std::set<LaneOfSide> m_folded;
  std::set<LaneOfSide> m_hidden;
  std::vector<LaneOfSide> m_pinned;
  common::Side m_reference = common::Side::A;
  std::optional<common::Side> m_emphasised;
  int m_layoutGeneration = 0;
  int m_scroll = 0;
};

}  // namespace threewalls::timeline

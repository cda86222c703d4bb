#pragma once

#include "common/command_registry.h"
#include "common/document.h"
#include "common/selection.h"
#include "common/theme.h"
#include "timeline/delta_lane.h"
#include "timeline/frame_meter.h"
#include "timeline/hit_overlay.h"
#include "timeline/info_box.h"
#include "timeline/key_ramp.h"
#include "timeline/lane_layout.h"
#include "timeline/lanes_image.h"
#include "timeline/launch_arrows.h"
#include "timeline/mark_overlay.h"
#include "timeline/minimap.h"
#include "timeline/partner_overlay.h"
#include "timeline/ruler_painter.h"
#include "timeline/view_state.h"

#include <QBasicTimer>
#include <QScrollBar>
#include <QWidget>

class QHelpEvent;

namespace threewalls::timeline {

/// The timelines of A and B under one ruler: paints what ViewState shows and turns mouse and held keys into changes of it and of
/// the shared Selection. Keys act only while it has the focus.
class TimelineView : public QWidget {
  Q_OBJECT
 public:
  TimelineView(const common::Document& document, common::Selection& selection, ViewState& state, QWidget* parent = nullptr);

  void setTheme(const common::Theme& theme);
  /// Draws a search over the lanes, the ruler and the minimap. It must outlive the view.
  void showSearch(const EventSearch& search);
  /// Draws the partner of the selected slice, and what has none. It must outlive the view.
  void showPartners(const PartnerLinks& links);

  // timeline_marks.cpp
  /// Draws marks over the lanes, in a band below the ruler and on the minimap. They must outlive the view.
  void showMarks(const Marks& marks);
  /// The band of flags; empty while there are no marks.
  QRect marksRect() const;
  std::vector<MarkFlag> markFlags() const;
  /// Where the selected slice, else the range, begins; empty when it is out of view.
  QRect selectionRect() const;

  /// Adds what a user can do in the view, with its keys. The registry must outlive the view.
  void addCommands(common::CommandRegistry* commands);
  /// Held keys move by the keyboard's own repeat instead of a growing speed.
  void setReducedMotion(bool reduced) { m_reducedMotion = reduced; }

  // Where things are, in widget pixels.
  QRect rulerRect() const;
  QRect lanesRect() const;  ///< time part of the rows
  TimeAxis axis() const;    ///< pixels from lanesRect().left()
  /// The visible part of a slice; empty when it is out of view.
  QRect rectOf(const common::SelectedSlice& slice) const;
  /// What lies under a point: where events are too dense, the longest below the pixel.
  std::optional<common::SelectedSlice> sliceAt(const QPoint& point) const;
  const LaneLayout& layout() const { return m_layout; }
  const InfoBox& infoBox() const { return *m_box; }
  const LanesImage& lanesImage() const { return m_lanes; }
  const LaunchArrows& launchArrows() const { return m_arrows; }
  /// Times of the frames painted while they are shown.
  const FrameMeter& frameMeter() const { return m_meter; }
  bool frameTimesShown() const { return m_frameTimes; }
  void setFrameTimesShown(bool shown);

  // timeline_picture.cpp: what stands on paper.
  /// Gutter, ruler and whole rows as they are shown; without minimap, hover and focus.
  QSize pictureSize() const;
  /// Labelled rows that stand above or below it.
  int rowsOutsidePicture() const;
  /// Paints it from (0, 0) on under `theme`. `shapes`: rows as rectangles and text, where at most so many do it; else, and with
  /// 0, as an image of `ratio` device pixels a pixel. How many rectangles there were; 0 for an image.
  std::size_t paintPicture(QPainter& painter, const common::Theme& theme, double ratio, std::size_t shapes);

  // What the commands do (timeline_ui.md section 6).
  /// Fits the selected slice, else the range; once more: the step that holds it.
  void fitSelection();
  void selectNeighbour(int direction, bool sameName);
  void selectRow(int direction);
  void toggleFold();
  /// Of the lane under the pointer, else of the selected slice.
  void togglePin();
  void hideLane();
  void sliceToRange();
  /// The popup or a drag, else the range, else the selected slice; else nothingToClear().
  void clearOne();
  /// Unfolds, scrolls and zooms as little as it takes to show the slice.
  void reveal(const common::SelectedSlice& slice);
  void reveal(const common::SelectedRange& range);

 signals:
  void detailsRequested();
  /// clearOne() has left nothing here.
  void nothingToClear();
  /// A command has something to show here: another view may cover the timeline.
  void wanted();
  /// The flag of the selected mark was double-clicked.
  void markNoteWanted();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void timerEvent(QTimerEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum class Drag { None, Undecided, Pan, Range };

  const trace::Trace* traceOf(common::Side side) const;
  std::optional<common::Side> firstSide() const;
  std::optional<std::size_t> rowIndexAt(const QPoint& point) const;
  std::optional<LaneOfSide> laneAtHand() const;
  void reloadRuns();
  void applyState();
  void showSelection();
  void rebuildLayout();
  void arrange();
  bool bothSides() const { return traceOf(common::Side::A) != nullptr && traceOf(common::Side::B) != nullptr; }

  // timeline_paint.cpp
  void paintFrame(QPainter& painter, const QRect& changed);
  void paintOverLanes(QPainter& painter);
  int wholeRowsHeight() const;  ///< of the rows that are shown down to their end
  void paintGutter(QPainter& painter);
  void paintRowOverlays(QPainter& painter);
  void paintRange(QPainter& painter);
  void outline(QPainter& painter, const common::SelectedSlice& slice, const QColor& colour, int width);
  void paintEmpty(QPainter& painter);

  // timeline_marks.cpp
  std::optional<MarkFlag> flagAt(const QPoint& point) const;
  bool chooseMarkAt(const QPoint& point);
  bool showMarkTip(const QHelpEvent& event);
  QRect rowsRect(common::Side side) const;
  void paintMarks(QPainter& painter);
  // timeline_delta.cpp
  QRect deltaRect() const;
  DeltaLane deltaLane() const;
  std::optional<StepDelta> deltaAt(const QPoint& point) const;
  bool showDeltaTip(const QHelpEvent& event);
  bool chooseDeltaAt(const QPoint& point);
  void paintDelta(QPainter& painter);
  void paintVeil(QPainter& painter);

  // timeline_partners.cpp
  void paintPartnerLink(QPainter& painter);
  StepNote partnerNote(common::Side side) const;
  QString partnerSentence() const;

  // view_commands.cpp, timeline_keys.cpp
  std::optional<Motion> motionOf(const QKeyEvent& event) const;
  void move(Motion motion, double amount);

  // timeline_input.cpp
  void panPixels(double pixels);
  void setHover(const std::optional<common::SelectedSlice>& slice);
  void showTip();
  void dragRangeTo(const QPoint& point);
  void showRangeBox(const QPoint& point);
  void clickAt(const QPoint& point);
  bool scrollTouchpad(const QWheelEvent& event);

  const common::Document& m_document;
  common::Selection& m_selection;
  ViewState& m_state;
  common::Theme m_theme;
  LaneLayout m_layout;
  int m_layoutGeneration = -1;
  LanesImage m_lanes;
  LaunchArrows m_arrows;
  FrameMeter m_meter;
  bool m_frameTimes = false;
  std::optional<HitOverlay> m_hits;
  const Marks* m_allMarks = nullptr;
  std::optional<MarkOverlay> m_marks;
  bool m_markBand = false;
  bool m_markChosen = false;  ///< by the click before
  std::optional<PartnerOverlay> m_partners;
  Minimap* m_minimap;
  QScrollBar* m_bar;
  InfoBox* m_box;
  const common::CommandRegistry* m_commands = nullptr;
  bool m_reducedMotion = false;
  quint32 m_heldScanCode = 0;  ///< 0: not told
  KeyRamp m_ramp;
  std::optional<common::SelectedSlice> m_hover;
  QBasicTimer m_tipDelay;

  Drag m_drag = Drag::None;
  QPoint m_pressed;
  QPoint m_lastDrag;
  common::Side m_dragSide = common::Side::A;
  double m_dragTime = 0;
};

}  // namespace threewalls::timeline

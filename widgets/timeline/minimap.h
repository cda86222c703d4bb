#pragma once

#include "common/theme.h"
#include "timeline/view_state.h"

#include <QImage>
#include <QWidget>

#include <functional>

namespace threewalls::timeline {

/// The whole aligned range with the coverage of A's and B's GPU streams; dragging moves or resizes the window that the view
/// shows.
class Minimap : public QWidget {
  Q_OBJECT
 public:
  Minimap(const common::Document& document, ViewState& state, QWidget* parent);
  void setTheme(const common::Theme& theme);
  using Overlay = std::function<void(QPainter& painter, const QRect& rect, const TimeAxis& axis)>;
  /// What else is drawn over the coverage.
  void setOverlay(Overlay overlay) { m_overlay = std::move(overlay); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  enum class Grip { None, Move, Left, Right };
  TimeAxis axis() const;
  Grip gripAt(double x) const;
  /// Coverage by class of all GPU streams of each side, one line a side.
  void paintCoverage();

  const common::Document& m_document;
  ViewState& m_state;
  common::Theme m_theme;
  QImage m_coverage;
  Overlay m_overlay;
  Grip m_grip = Grip::None;
  double m_last = 0;
};

}  // namespace threewalls::timeline

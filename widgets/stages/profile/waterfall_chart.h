#pragma once

#include "common/theme.h"
#include "profile/waterfall_bars.h"

#include <QWidget>

namespace threewalls::profile {

/// Draws waterfall bars to one scale from zero. Hover or arrow keys pick a bar, a click or Enter chooses it.
class WaterfallChart : public QWidget {
  Q_OBJECT
 public:
  explicit WaterfallChart(QWidget* parent = nullptr);

  void setBars(std::vector<WaterfallBar> bars);
  void setTheme(const common::Theme& theme);
  const std::vector<WaterfallBar>& bars() const { return m_bars; }

  /// Where a bar is drawn: what it measures, without its labels.
  QRectF barRect(std::size_t bar) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void chosen(std::size_t bar);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF columnRect(std::size_t bar) const;
  qsizetype valueLines() const;
  std::optional<std::size_t> barAt(const QPointF& position) const;
  QString explanation(std::size_t bar) const;
  void setCurrent(std::optional<std::size_t> bar);
  QColor colour(const WaterfallBar& bar) const;

  std::vector<WaterfallBar> m_bars;
  common::Theme m_theme;
  std::optional<std::size_t> m_current;
};

}  // namespace threewalls::profile

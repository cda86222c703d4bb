#pragma once

#include "common/theme.h"

#include <QWidget>

namespace threewalls::timeline {

/// Width of the legend on one line.
int legendWidth(const QFontMetrics& metrics);
/// Draws the legend right-aligned into `rect`: on one line, or on two of four where that is too wide.
void paintLegend(QPainter& painter, const QRect& rect, const common::Theme& theme);

/// The colours of the eight classes with their names, in as many columns as fit on one line; names give way to nothing.
class ClassLegend : public QWidget {
 public:
  explicit ClassLegend(QWidget* parent = nullptr);
  void setTheme(const common::Theme& theme);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  common::Theme m_theme;
};

}  // namespace threewalls::timeline

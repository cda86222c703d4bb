#pragma once

#include "common/theme.h"

#include <QWidget>

namespace threewalls::timeline {

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

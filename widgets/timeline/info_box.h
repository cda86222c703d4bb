#pragma once

#include "common/theme.h"

#include <QStringList>
#include <QWidget>

namespace threewalls::timeline {

/// A small panel of plain text lines above the timeline: the tooltip of a slice, the live box of a range. Takes no input.
class InfoBox : public QWidget {
 public:
  explicit InfoBox(QWidget* parent);

  void setTheme(const common::Theme& theme);
  const QStringList& lines() const { return m_lines; }
  /// Shows the lines, the first one emphasised, below or above `anchor`, inside the parent.
  void showAt(const QRect& anchor, const QStringList& lines);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  common::Theme m_theme;
  QStringList m_lines;
};

}  // namespace threewalls::timeline

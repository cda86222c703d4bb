#pragma once

#include "common/theme.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace threewalls::timeline {

/// A small table that is cheap to set many times a second: the first column is words, the others figures below each other.
class FigureTable : public QWidget {
 public:
  struct Line {
    QStringList cells;
    bool total = false;  ///< set apart from the lines above
    QString toolTip;     ///< full text of a shortened first cell
  };

  explicit FigureTable(QWidget* parent = nullptr);
  void setTheme(const common::Theme& theme);
  void setLines(const QStringList& header, std::vector<Line> lines);
  const QStringList& header() const { return m_header; }
  const std::vector<Line>& lines() const { return m_lines; }
  /// Tab-separated, for the clipboard.
  QString text() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  int lineHeight() const { return fontMetrics().height() + 6; }

  common::Theme m_theme;
  QStringList m_header;
  std::vector<Line> m_lines;
};

}  // namespace threewalls::timeline

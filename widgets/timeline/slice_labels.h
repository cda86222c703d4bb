#pragma once

#include "trace/event.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <QStaticText>

#include <cstdint>
#include <string_view>

namespace threewalls::timeline {

/// Prepared texts of slice labels: kernel names shortened to what fits. Names are cut at a few lengths only, so that zooming
/// finds them prepared.
class SliceLabels {
 public:
  /// Slices narrower than this many pixels have no label.
  static constexpr double kNarrowest = 24;

  void setFont(const QFont& font);
  /// Draws as much of a name as fits into `width` pixels from `x` on, centred on `middle`; nothing when not even three letters
  /// fit. `key` tells names apart.
  void draw(QPainter& painter, double x, double middle, double width, std::uint64_t key, std::string_view name);

 private:
  struct Prepared {
    QStaticText text;
    double width = 0;
  };
  const Prepared& prepared(std::uint64_t key, std::string_view name, std::size_t letters);

  QFont m_font;
  double m_letterWidth = 7;
  double m_height = 14;
  QHash<std::pair<std::uint64_t, std::size_t>, Prepared> m_texts;
};

}  // namespace threewalls::timeline

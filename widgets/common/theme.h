#pragma once

#include "analysis/kernel_class.h"
#include "analysis/ledger.h"
#include "base/result.h"

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>

namespace threewalls::common {

/// All colours of one theme, read from a palette file of resources/palettes. One Theme feeds widgets, timeline and plots.
struct Theme {
  QString id;  ///< "dark", "light", "print"
  bool dark = false;
  QColor window;     ///< behind everything
  QColor panel;      ///< cards, side panels, menus
  QColor lane;       ///< behind the slices of a timeline lane
  QColor laneAlternate;
  QColor border;
  QColor text;
  QColor mutedText;
  QColor accent;     ///< selection, active tab, primary button
  QColor accentText;
  QColor good;
  QColor warning;
  QColor bad;
  QColor sideA;      ///< badge of trace A
  QColor sideB;
  std::array<QColor, analysis::kColourClassCount> classes;  ///< by ColourClass
  std::array<QColor, 6> ledger;                             ///< by LedgerPart

  const QColor& of(analysis::ColourClass colour) const { return classes[static_cast<std::size_t>(colour)]; }
  const QColor& of(analysis::LedgerPart part) const { return ledger[static_cast<std::size_t>(part)]; }

  /// Reads palettes/ID.json from the resources: "dark", "light", or "print" for pictures on paper, white and darker.
  static base::Result<Theme> load(const QString& id);
  QPalette palette() const;
  /// Application style sheet for tabs, cards, buttons and tables.
  QString styleSheet() const;
};

/// Black or white, whichever reads better on `background` (WCAG contrast).
QColor readableTextOn(const QColor& background);
/// WCAG contrast ratio, 1..21.
double contrastRatio(const QColor& a, const QColor& b);

}  // namespace threewalls::common

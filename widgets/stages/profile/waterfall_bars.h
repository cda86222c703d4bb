#pragma once

#include "common/document.h"

#include <QString>

#include <optional>
#include <vector>

namespace threewalls::profile {

/// One bar of a waterfall: it hangs between two heights above zero.
struct WaterfallBar {
  QString label;  ///< "A step", "compute", ...
  QString value;  ///< with sign and unit
  base::Nanoseconds from{0};
  base::Nanoseconds to{0};
  std::optional<analysis::LedgerPart> part;  ///< none: a whole step
  common::Side side = common::Side::A;       ///< of a whole step
};

/// From A's mean step to B's: the step of A, one signed bar per part, the step of B. Each bar starts where the one before ends.
std::vector<WaterfallBar> waterfallBars(const compare::Waterfall& waterfall);

/// The mean step of one run: its parts on top of each other, then the whole. `parts` is the waterfall from nothing to the run.
std::vector<WaterfallBar> breakdownBars(const compare::Waterfall& parts, common::Side side);

/// Short name of a part that fits under a bar: "exposed comm.".
QString shortLabel(analysis::LedgerPart part);

/// The longest stretch that a part took inside the steps of a run, with the device's steps it was looked for in; none when the
/// part did not occur.
std::optional<base::Interval> longestStretch(const analysis::Analysis& analysis, analysis::LedgerPart part);

}  // namespace threewalls::profile

#pragma once

#include "timeline/view_state.h"

#include <QString>

namespace threewalls::timeline {

/// "Step start", "Phase", ... as menus list it.
QString modeName(AlignBy by);
/// Why the mode cannot be had for what is open; empty when it can. `phaseKnown`: something says which phase is meant.
QString whyNot(AlignBy by, const Alignment& alignment, bool phaseKnown);
/// How A and B are laid over each other, in a few words; with one side open, where time counts from.
QString alignmentBasis(const Alignment& alignment);
/// The same with what is left of a shift for the step in the middle of the view: "aligned by step
/// start, residual shift of step 64: −1.2 ms".
QString alignmentText(const ViewState& state);

}  // namespace threewalls::timeline

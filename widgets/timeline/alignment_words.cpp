#include "timeline/alignment_words.h"

#include "common/badge.h"
#include "common/text.h"

#include <QCoreApplication>

namespace threewalls::timeline {
namespace {

using common::Side;

QString tr(const char* text) {
  return QCoreApplication::translate("Alignment", text);
}

bool bothOpen(const Alignment& alignment) {
  return alignment.analysis(Side::A) != nullptr && alignment.analysis(Side::B) != nullptr;
}

QString anchorLabel(const Alignment& alignment) {
  return alignment.steps()[*alignment.anchor()].label;
}

/// "attn.fwd 3 (of 10 in A, 12 in B)".
QString phaseText(const Alignment& alignment) {
  const std::size_t a = alignment.phaseCount(Side::A);
  const std::size_t b = alignment.phaseCount(Side::B);
  const QString of = a == b ? tr("of %1").arg(a) : tr("of %1 in A, %2 in B").arg(a).arg(b);
  return tr("%1 %2 (%3)").arg(common::toText(alignment.mode().phaseClass)).arg(alignment.mode().phase + 1).arg(of);
}

}  // namespace

QString modeName(AlignBy by) {
  switch (by) {
    case AlignBy::StepStart: return tr("Step start");
    case AlignBy::Phase: return tr("Phase of the slice");
    case AlignBy::WallClock: return tr("Wall clock");
    case AlignBy::Stretched: return tr("Stretched steps");
  }
  return {};
}

QString whyNot(AlignBy by, const Alignment& alignment, bool phaseKnown) {
  if (!bothOpen(alignment)) return tr("Only one run is open.");
  if (by == AlignBy::WallClock) {
    if (const auto apart = alignment.apart())
      return tr("The recordings do not overlap: one began %1 after the other had ended.").arg(common::duration(*apart));
    return {};
  }
  if (!alignment.anchor()) return tr("No steps were found.");
  if (by == AlignBy::Phase && !phaseKnown)
    return tr("Select a GPU slice of a step first: its phase is what A and B are aligned at.");
  return {};
}

QString alignmentBasis(const Alignment& alignment) {
  if (!bothOpen(alignment)) {
    return alignment.anchor() ? tr("time counts from the start of the step")
                              : tr("no steps found: time counts from the first event");
  }
  if (!alignment.anchor() && alignment.mode().by != AlignBy::WallClock) return tr("aligned by the first event: no steps found");
  switch (alignment.mode().by) {
    case AlignBy::StepStart: break;
    case AlignBy::Phase:
      if (alignment.holds()) return tr("aligned at %1").arg(phaseText(alignment));
      return tr("aligned by step start: no %1").arg(phaseText(alignment));
    case AlignBy::WallClock:
      if (alignment.holds()) return tr("aligned by the wall clock");
      return tr("aligned by step start: the recordings do not overlap");
    case AlignBy::Stretched:
      if (!alignment.holds()) return tr("aligned by step start: one side did not run step %1").arg(anchorLabel(alignment));
      const Side other = alignment.clock(Side::A).stretch != 1 ? Side::A : Side::B;
      return tr("%1 stretched ×%2, step %3 equally long")
          .arg(common::letter(other), QString::number(alignment.clock(other).stretch, 'f', 3), anchorLabel(alignment));
  }
  return tr("aligned by step start");
}

QString alignmentText(const ViewState& state) {
  const Alignment& alignment = state.alignment();
  QString text = alignmentBasis(alignment);
  if (!bothOpen(alignment)) return text;
  const auto shown = alignment.pairAt(state.range().middle());
  if (!shown) return text;
  const auto shift = alignment.residual(*shown);
  if (!shift) return text + tr(", this step ran on one side only");
  if (shift->count() == 0) return text + tr(", residual shift 0");
  return text + tr(", residual shift of step %1: %2").arg(alignment.steps()[*shown].label, common::signedDuration(*shift));
}

}  // namespace threewalls::timeline

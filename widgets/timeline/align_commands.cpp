#include "timeline/alignment_words.h"
#include "timeline/partner_links.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"

#include <QStandardItemModel>

namespace threewalls::timeline {

using common::Side;

namespace {

constexpr AlignBy kModes[] = {AlignBy::StepStart, AlignBy::Phase, AlignBy::WallClock, AlignBy::Stretched};

QString modeId(AlignBy by) {
  switch (by) {
    case AlignBy::StepStart: return QStringLiteral("compare.alignSteps");
    case AlignBy::Phase: return QStringLiteral("compare.alignPhase");
    case AlignBy::WallClock: return QStringLiteral("compare.alignClock");
    case AlignBy::Stretched: return QStringLiteral("compare.alignStretched");
  }
  return {};
}

QString modeText(AlignBy by) {
  switch (by) {
    case AlignBy::StepStart: return TimelinePage::tr("Align A and B by step start");
    case AlignBy::Phase: return TimelinePage::tr("Align A and B at the phase of the selected slice");
    case AlignBy::WallClock: return TimelinePage::tr("Align A and B by the wall clock");
    case AlignBy::Stretched: return TimelinePage::tr("Stretch the steps of A and B to one length");
  }
  return {};
}

}  // namespace

/// The step of the selected slice, where A and B could be aligned at the phase that the slice is in.
std::optional<std::size_t> TimelinePage::stepOfPhase() const {
  const auto& slice = m_selection->slice();
  const auto answer = slice ? m_partners->of(*slice) : std::nullopt;
  if (!answer || answer->known == PartnerLinks::Known::OneSideOnly) return std::nullopt;
  return answer->pair;
}

void TimelinePage::align(AlignBy by) {
  const Alignment& alignment = m_state.alignment();
  if (by != AlignBy::Phase) return m_state.align({by}, alignment.anchor());
  const auto pair = stepOfPhase();
  if (!pair) return;
  const common::SelectedSlice slice = *m_selection->slice();
  const analysis::Analysis& analysis = *alignment.analysis(slice.side);
  const analysis::KernelClass& kernelClass =
      analysis.classes.classOf(analysis.trace->subLane(slice.event).name(slice.event.index));
  const auto phases = compare::phases(analysis, *mainLane(analysis), *alignment.step(slice.side, *pair), kernelClass.id);
  // A slice beside the stream that stands for its class may start before the first phase there.
  const auto phase = compare::phaseAt(phases, analysis.trace->interval(slice.event).start).value_or(0);
  m_state.align({AlignBy::Phase, kernelClass.id, phase}, pair);
}

void TimelinePage::addAlignCommands(common::CommandRegistry* commands) {
  const QString compare = tr("Compare");
  for (const AlignBy by : kModes) {
    commands->add({modeId(by), compare, modeText(by),
                   by == AlignBy::Phase ? QList<QKeySequence>{QKeySequence(QStringLiteral("L"))} : QList<QKeySequence>{},
                   [this, by] {
                     emit wanted();
                     align(by);
                   },
                   [this, by] { return whyNot(by, m_state.alignment(), stepOfPhase().has_value()).isEmpty(); }, m_view});
  }
  const auto both = [this] { return m_partners->both(); };
  commands->add({QStringLiteral("compare.emphasis"),
                 compare,
                 tr("Emphasise A, then B, then both alike"),
                 {QKeySequence(QStringLiteral("B"))},
                 [this] {
                   emit wanted();
                   const auto now = m_state.emphasised();
                   m_state.setEmphasised(!now ? std::optional(Side::A) : *now == Side::A ? std::optional(Side::B) : std::nullopt);
                 },
                 both,
                 m_view});
  commands->add({QStringLiteral("compare.flip"),
                 compare,
                 tr("Flip which side is the reference of differences"),
                 {QKeySequence(QStringLiteral("X"))},
                 [this] {
                   emit wanted();
                   m_state.setReference(m_state.reference() == Side::A ? Side::B : Side::A);
                 },
                 both,
                 m_view});
}

/// The choice in the toolbar: what cannot be had says why.
void TimelinePage::refreshModes() {
  const Alignment& alignment = m_state.alignment();
  m_modes->setVisible(m_partners->both());
  if (!m_modes->isVisibleTo(this)) return;
  const auto* items = qobject_cast<QStandardItemModel*>(m_modes->model());
  const bool phaseKnown = stepOfPhase().has_value();
  for (int i = 0; i < m_modes->count(); ++i) {
    const QString reason = whyNot(kModes[i], alignment, phaseKnown);
    QStandardItem* item = items->item(i);
    item->setEnabled(reason.isEmpty() || kModes[i] == alignment.mode().by);
    item->setToolTip(reason);
  }
  m_modes->setCurrentIndex(static_cast<int>(alignment.mode().by));
}

void TimelinePage::buildModes() {
  m_modes->setAccessibleName(tr("What A and B are aligned by"));
  m_modes->setToolTip(tr("What A and B are aligned by"));
  m_modes->setFocusPolicy(Qt::TabFocus);
  for (const AlignBy by : kModes) m_modes->addItem(modeName(by));
  connect(m_modes, &QComboBox::activated, this, [this](int index) {
    align(kModes[index]);
    refreshModes();
  });
  connect(m_selection, &common::Selection::changed, this, &TimelinePage::refreshModes);
  connect(&m_state, &ViewState::alignmentChanged, this, &TimelinePage::refreshModes);
}

}  // namespace threewalls::timeline

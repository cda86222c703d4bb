#include "timeline/timeline_view.h"

#include <algorithm>

namespace threewalls::timeline {

using common::Side;

void TimelineView::showPartners(const PartnerLinks& links) {
  m_partners.emplace(links, m_state);
  connect(&links, &PartnerLinks::changed, this, &TimelineView::showSelection);
}

void TimelineView::paintPartnerLink(QPainter& painter) {
  const auto& slice = m_selection.slice();
  const auto answer = m_partners && slice ? m_partners->links().of(*slice) : std::nullopt;
  if (!answer || !answer->partner) return;
  m_partners->paintLink(painter, m_document, *slice, *answer->partner, m_layout, lanesRect(), m_theme);
  outline(painter, *answer->partner, m_theme.accent, 2);
}

/// Outlined slices are counted where their step has its name.
StepNote TimelineView::partnerNote(Side side) const {
  if (!m_partners || !m_partners->links().outlining()) return {};
  return [this, side](std::size_t pair) { return m_partners->links().countText(side, pair); };
}

QString TimelineView::partnerSentence() const {
  const auto& slice = m_selection.slice();
  if (!m_partners || !slice) return {};
  QString text;
  for (const PartnerFact& fact : partnerFacts(m_document, m_partners->links(), *slice, m_state.reference())) {
    text += QStringLiteral(" ") + fact.name.left(1).toUpper() + fact.name.mid(1) + QStringLiteral(": ") + fact.value +
            QStringLiteral(".");
  }
  return text;
}

}  // namespace threewalls::timeline

#include "timeline/partner_links.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"
#include "timeline/unmatched_list.h"

namespace threewalls::timeline {

void TimelinePage::addPartnerCommands(common::CommandRegistry* commands) {
  const QString compare = tr("Compare");
  commands->add({QStringLiteral("compare.partner"),
                 compare,
                 tr("Go to the partner of the slice on the other side"),
                 {QKeySequence(QStringLiteral("E"))},
                 [this] {
                   const auto& slice = m_selection->slice();
                   const auto answer = slice ? m_partners->of(*slice) : std::nullopt;
                   if (!answer || !answer->partner) return;
                   emit wanted();
                   m_selection->show(*answer->partner);
                 },
                 [this] {
                   const auto& slice = m_selection->slice();
                   const auto answer = slice ? m_partners->of(*slice) : std::nullopt;
                   return answer && answer->partner;
                 },
                 m_view});
  commands->add({QStringLiteral("compare.unmatched"),
                 compare,
                 tr("Outline slices that have no partner, or stop"),
                 {QKeySequence(QStringLiteral("U"))},
                 [this] {
                   m_partners->search();
                   m_partners->setOutlining(!m_partners->outlining());
                   emit wanted();
                 },
                 [this] { return m_partners->both(); },
                 m_view});
  commands->add({QStringLiteral("compare.unmatchedList"),
                 compare,
                 tr("Show or hide the list of slices without a partner"),
                 {QKeySequence(QStringLiteral("Shift+U"))},
                 [this] {
                   m_partners->search();
                   emit wanted();
                   toggleList(m_unmatchedList);
                 },
                 [this] { return m_partners->both(); },
                 m_view});
  connect(m_partners, &PartnerLinks::changed, commands, &common::CommandRegistry::refresh);
  connect(m_selection, &common::Selection::changed, commands, &common::CommandRegistry::refresh);
}

}  // namespace threewalls::timeline

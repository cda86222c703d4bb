#include "timeline/gap_finder.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"

namespace threewalls::timeline {

void TimelinePage::addGapCommands(common::CommandRegistry* commands) {
  commands->add({QStringLiteral("go.idleGap"),
                 tr("Go"),
                 tr("Longest idle gap of the range, or of what is shown"),
                 {QKeySequence(QStringLiteral("G"))},
                 [this] {
                   emit wanted();
                   m_gaps->goToLongest();
                 },
                 [this] { return m_gaps->canGoToLongest(); },
                 m_view});
  commands->add({QStringLiteral("go.gapLaunch"),
                 tr("Go"),
                 tr("Launch that ended the idle gap of the range"),
                 {QKeySequence(QStringLiteral("Shift+G"))},
                 [this] {
                   emit wanted();
                   m_gaps->goToLaunch();
                 },
                 [this] { return m_gaps->canGoToLaunch(); },
                 m_view});
  connect(m_selection, &common::Selection::changed, commands, &common::CommandRegistry::refresh);
  connect(m_document, &common::Document::runsChanged, commands, &common::CommandRegistry::refresh);
}

}  // namespace threewalls::timeline

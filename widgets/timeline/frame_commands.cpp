#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"

namespace threewalls::timeline {

void TimelinePage::addFrameCommand(common::CommandRegistry* commands) {
  commands->add({QStringLiteral("timeline.frames"),
                 tr("View"),
                 tr("Show or hide frame times (for developers)"),
                 {QKeySequence(QStringLiteral("Ctrl+Shift+F12"))},
                 [this] { m_view->setFrameTimesShown(!m_view->frameTimesShown()); },
                 {},
                 nullptr});
}

}  // namespace threewalls::timeline

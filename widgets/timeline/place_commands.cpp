#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"

namespace threewalls::timeline {

void TimelinePage::addPlaceCommands(common::CommandRegistry* commands) {
  commands->add({QStringLiteral("timeline.back"),
                 tr("Go"),
                 tr("Back to where the timeline looked before"),
                 {QKeySequence(QStringLiteral("Alt+Left"))},
                 [this] { m_history.back(); },
                 {},
                 nullptr});
  commands->add({QStringLiteral("timeline.forward"),
                 tr("Go"),
                 tr("Forward again"),
                 {QKeySequence(QStringLiteral("Alt+Right"))},
                 [this] { m_history.forward(); },
                 {},
                 nullptr});
  commands->add({QStringLiteral("timeline.pin"),
                 tr("Lanes"),
                 tr("Pin the lane to the top of its side, or let go of it"),
                 {QKeySequence(QStringLiteral("P"))},
                 [this] { m_view->togglePin(); },
                 {},
                 m_view});
  commands->add({QStringLiteral("timeline.hide"),
                 tr("Lanes"),
                 tr("Hide the lane"),
                 {QKeySequence(QStringLiteral("H"))},
                 [this] { m_view->hideLane(); },
                 {},
                 m_view});
  commands->add({QStringLiteral("timeline.showHidden"),
                 tr("Lanes"),
                 tr("Show hidden lanes"),
                 {QKeySequence(QStringLiteral("Shift+H"))},
                 [this] {
                   for (const common::Side side : common::kSides) m_state.showHidden(side);
                 },
                 {},
                 m_view});
}

}  // namespace threewalls::timeline

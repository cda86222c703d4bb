#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"

namespace threewalls::timeline {

void TimelinePage::addCommands(common::CommandRegistry* commands) {
  m_view->addCommands(commands);
  const QString go = tr("Go");
  commands->add({"timeline.back",
                 go,
                 tr("Back to where the timeline looked before"),
                 {QKeySequence("Alt+Left")},
                 [this] { m_history.back(); },
                 {},
                 nullptr});
  commands->add(
      {"timeline.forward", go, tr("Forward again"), {QKeySequence("Alt+Right")}, [this] { m_history.forward(); }, {}, nullptr});
  addGapCommands(commands);
  addMarkCommands(commands);
  addFrameCommand(commands);
  addAlignCommands(commands);
  addSearchCommands(commands);
  addPartnerCommands(commands);
  const std::pair<QString, QString> pointer[] = {
      {tr("Wheel"), tr("Zoom at the pointer; Ctrl: finer; Shift: move in time; Alt: scroll lanes")},
      {tr("Drag"), tr("Move the view")},
      {tr("Shift+drag"), tr("Select a range; also a drag on the ruler")},
      {tr("Click"), tr("Select the slice, the step of a heading, or the mark of a flag")},
      {tr("Double click"), tr("Zoom to the slice or the step; edit the note of a mark")},
      {tr("Two fingers, pinch"), tr("Move and zoom on a touchpad")},
  };
  for (const auto& [what, text] : pointer) commands->note({tr("Mouse on the timeline"), what, text});
}

}  // namespace threewalls::timeline

#include "timeline/timeline_page.h"

namespace threewalls::timeline {

void TimelinePage::addCommands(common::CommandRegistry* commands) {
  addPlaceCommands(commands);
  addGapCommands(commands);
  addMarkCommands(commands);
  addFrameCommand(commands);
  addSearchCommands(commands);
  addPartnerCommands(commands);
  const std::pair<QString, QString> keys[] = {
      {tr("W, S"), tr("Zoom in, out at the pointer; also + and −")},
      {tr("A, D"), tr("Move left, right; with Shift ten times as far")},
      {tr("Wheel"), tr("Zoom at the pointer; Ctrl: finer; Shift: move in time; Alt: scroll lanes")},
      {tr("Drag"), tr("Move the view")},
      {tr("Shift+drag"), tr("Select a range; also a drag on the ruler")},
      {tr("Double click"), tr("Zoom to the slice")},
      {tr("←, →"), tr("Previous, next slice of the lane; with Shift of the same name")},
      {tr("↑, ↓"), tr("Lane above, below")},
      {tr("Comma, period"), tr("Previous, next step")},
      {tr("F, F again"), tr("Fit the selection, then its step")},
      {tr("0"), tr("Fit the whole trace")},
      {tr("R"), tr("Make a range of the selected slice")},
      {tr("Space"), tr("Fold or unfold the lane")},
      {tr("Page Up, Page Down"), tr("Scroll the lanes")},
      {tr("Enter"), tr("Details of the selected slice")},
      {tr("Esc"), tr("Clear popup, range, selection, search")},
  };
  for (const auto& [key, text] : keys) commands->note({tr("Timeline"), key, text});
}

}  // namespace threewalls::timeline

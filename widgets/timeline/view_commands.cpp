#include "timeline/timeline_view.h"

#include <utility>

namespace threewalls::timeline {
namespace {

constexpr std::pair<const char*, Motion> kHeld[] = {
    {"go.zoomIn", Motion::ZoomIn}, {"go.zoomOut", Motion::ZoomOut}, {"go.left", Motion::Left}, {"go.right", Motion::Right}};

common::Keys keys(std::initializer_list<const char*> texts) {
  common::Keys made;
  for (const char* text : texts) made << QKeySequence(QString::fromLatin1(text));
  return made;
}

}  // namespace

std::optional<Motion> TimelineView::motionOf(const QKeyEvent& event) const {
  const common::Command* command = m_commands != nullptr ? m_commands->heldBy(event, this) : nullptr;
  for (const auto& [id, motion] : kHeld) {
    if (command != nullptr && command->id == QLatin1String(id)) return motion;
  }
  return std::nullopt;
}

void TimelineView::addCommands(common::CommandRegistry* commands) {
  m_commands = commands;
  const auto any = [this] { return firstSide().has_value(); };
  const auto slice = [this] { return m_selection.slice().has_value(); };
  QString group;
  const auto add = [&](const char* id, const QString& text, const common::Keys& shortcuts, auto run,
                       std::function<bool()> enabled, bool held = false) {
    // What it does is seen here: another view may cover the timeline.
    const auto shown = [this, run] {
      emit wanted();
      run();
    };
    commands->add({QString::fromLatin1(id), group, text, shortcuts, shown, std::move(enabled), this, held});
  };

  group = tr("Go");
  const QString texts[] = {tr("Zoom in at the pointer"), tr("Zoom out at the pointer"),
                           tr("Move left; with Shift ten times as far"), tr("Move right; with Shift ten times as far")};
  const common::Keys motions[] = {keys({"W", "+", "="}), keys({"S", "-"}), keys({"A"}), keys({"D"})};
  for (std::size_t i = 0; i < std::size(kHeld); ++i) {
    const auto [id, motion] = kHeld[i];
    add(
        id, texts[i], motions[i], [this, motion = motion] { move(motion, 1); }, any, true);
  }
  add(
      "go.previousStep", tr("Previous step"), keys({","}), [this] { m_state.stepBy(-1); }, any);
  add(
      "go.nextStep", tr("Next step"), keys({"."}), [this] { m_state.stepBy(1); }, any);
  add(
      "go.fit", tr("Fit the selection; once more: its step"), keys({"F"}), [this] { fitSelection(); }, any);
  add(
      "go.all", tr("Fit the whole trace"), keys({"0"}), [this] { m_state.fitAll(); }, any);

  group = tr("Select");
  add(
      "select.previous", tr("Previous slice of the lane"), keys({"Left"}), [this] { selectNeighbour(-1, false); }, slice);
  add(
      "select.next", tr("Next slice of the lane"), keys({"Right"}), [this] { selectNeighbour(1, false); }, slice);
  add(
      "select.previousSame", tr("Previous slice of the same name"), keys({"Shift+Left"}), [this] { selectNeighbour(-1, true); },
      slice);
  add(
      "select.nextSame", tr("Next slice of the same name"), keys({"Shift+Right"}), [this] { selectNeighbour(1, true); }, slice);
  add(
      "select.above", tr("Lane above"), keys({"Up"}), [this] { selectRow(-1); }, any);
  add(
      "select.below", tr("Lane below"), keys({"Down"}), [this] { selectRow(1); }, any);
  add(
      "select.range", tr("Make a range of the selected slice"), keys({"R"}), [this] { sliceToRange(); }, slice);
  add(
      "select.details", tr("Details of the selected slice"), keys({"Return", "Enter"}), [this] { emit detailsRequested(); },
      slice);
  add("select.clear", tr("Clear popup, range, selection or search, one at a time"), keys({"Esc"}), [this] { clearOne(); }, {});

  group = tr("Lanes");
  add(
      "lanes.fold", tr("Fold or unfold the lane of the selected slice"), keys({"Space"}), [this] { toggleFold(); }, slice);
  add(
      "lanes.pageUp", tr("Scroll the lanes up"), keys({"PgUp"}),
      [this] { m_bar->triggerAction(QAbstractSlider::SliderPageStepSub); }, any);
  add(
      "lanes.pageDown", tr("Scroll the lanes down"), keys({"PgDown"}),
      [this] { m_bar->triggerAction(QAbstractSlider::SliderPageStepAdd); }, any);
  add(
      "timeline.pin", tr("Pin the lane to the top of its side, or let go of it"), keys({"P"}), [this] { togglePin(); }, any);
  add(
      "timeline.hide", tr("Hide the lane"), keys({"H"}), [this] { hideLane(); }, any);
  add(
      "timeline.showHidden", tr("Show hidden lanes"), keys({"Shift+H"}),
      [this] {
        for (const common::Side side : common::kSides) m_state.showHidden(side);
      },
      any);
  connect(&m_selection, &common::Selection::changed, commands, &common::CommandRegistry::refresh);
  connect(&m_document, &common::Document::runsChanged, commands, &common::CommandRegistry::refresh);
}

}  // namespace threewalls::timeline

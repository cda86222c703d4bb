#include "window/guide_panel.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/card.h"
#include "common/text.h"
#include "common/text_scale.h"
#include "profile/wall_card.h"

#include <QPushButton>

#include <cmath>

namespace threewalls::window {
namespace {

using common::Side;
using common::TextRole;
using profile::ProfilePage;

constexpr int kWidth = 284;

QString why(ProfilePage::View view) {
  switch (view) {
    case ProfilePage::Timeline:
      return GuidePanel::tr(
          "Find what limits the step before changing anything. Summed kernel time is not wall time: look at what is exposed.");
    case ProfilePage::Overview:
      return GuidePanel::tr(
          "Every step is split into parts that sum to its wall time. The waterfall is the difference of two such splits, so "
          "nothing is left over.");
    case ProfilePage::Kernels:
      return GuidePanel::tr(
          "Times are per steady step. A kernel matters for the step only as far as nothing else runs beside it.");
  }
  return {};
}

/// "10 steps, 9 of them steady".
QString stepsText(const analysis::Analysis& analysis) {
  std::size_t all = 0;
  std::size_t steady = 0;
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    all += lane.steps.size();
    for (const analysis::Step& step : lane.steps) steady += step.steady() ? 1 : 0;
  }
  if (all == steady) return all == 1 ? GuidePanel::tr("1 step, steady") : GuidePanel::tr("%1 steps, all steady").arg(all);
  return GuidePanel::tr("%1 steps, %2 steady; the marked ones are left out of medians").arg(all).arg(steady);
}

bool hasSteps(const analysis::Analysis& analysis) {
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    if (!lane.steps.empty()) return true;
  }
  return false;
}

}  // namespace

GuidePanel::GuidePanel(const common::Document* document, common::CommandRegistry* commands, QWidget* parent)
    : QScrollArea(parent), m_document(document), m_commands(commands) {
  auto* page = new QWidget;
  page->setProperty("kind", QStringLiteral("side"));
  page->setProperty("edge", QStringLiteral("left"));
  page->setAttribute(Qt::WA_StyledBackground);
  m_layout = new QVBoxLayout(page);
  m_layout->setContentsMargins(14, 14, 14, 14);
  m_layout->setSpacing(8);
  setWidget(page);
  setWidgetResizable(true);
  common::sizeFollowsText(this, {kWidth, 0});
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("Guide"));
  connect(document, &common::Document::runsChanged, this, &GuidePanel::refresh);
  refresh();
}

void GuidePanel::setView(ProfilePage::View view) {
  m_view = view;
  refresh();
}

void GuidePanel::addHeading(const QString& text) {
  if (m_layout->count() > 0) m_layout->addSpacing(8);
  auto* heading = common::plainLabel(text.toUpper(), TextRole::Muted);
  common::setTextSize(heading, common::TextSize::Small, true);
  m_layout->addWidget(heading);
}

void GuidePanel::addCheck(bool good, const QString& text) {
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  auto* mark = common::plainLabel(good ? QStringLiteral("✓") : QStringLiteral("!"), good ? TextRole::Good : TextRole::Warning);
  mark->setFixedWidth(mark->fontMetrics().horizontalAdvance(QStringLiteral("✓")) + 4);
  mark->setAccessibleName(good ? tr("done") : tr("attention"));
  common::setTextSize(mark, common::TextSize::Normal, true);
  row->addWidget(mark, 0, Qt::AlignTop);
  QString unbroken = text;
  unbroken.replace(QStringLiteral(" %"), QStringLiteral("\u00A0%"));  // a figure keeps its unit on its line
  row->addWidget(common::plainLabel(unbroken), 1);
  m_layout->addLayout(row);
}

void GuidePanel::addChecklist() {
  addHeading(tr("Checklist"));
  bool any = false;
  for (const Side side : common::kSides) {
    const auto& run = m_document->run(side);
    if (!run) continue;
    any = true;
    const QString letter = common::letter(side);
    if (!hasSteps(*run->analysis)) {
      addCheck(false, tr("%1 is loaded, but no GPU work of it lies in a step").arg(letter));
      continue;
    }
    addCheck(true, tr("%1 is loaded: %2").arg(letter, stepsText(*run->analysis)));
  }
  if (!any) {
    addCheck(false, tr("No trace is open"));
    return;
  }
  for (const Side side : common::kSides) {
    if (m_document->run(side)) addLogCheck(side);
  }
  for (const Side side : common::kSides) {
    const auto& run = m_document->run(side);
    if (!run || !hasSteps(*run->analysis)) continue;
    const bool found = run->analysis->wall.dominant.has_value();
    addCheck(found, found ? tr("The dominant wall of %1 is determined").arg(common::letter(side))
                          : tr("No single wall of %1").arg(common::letter(side)));
  }
  if (const auto& comparison = m_document->comparison()) {
    addCheck(comparison->mayClaimCause, comparison->mayClaimCause ? tr("The cause of the difference may be claimed")
                                                                  : tr("No cause may be claimed: the Overview says why"));
  }
}

void GuidePanel::addLogCheck(Side side) {
  const auto& run = m_document->run(side);
  const QString letter = common::letter(side);
  if (!run->log) {
    addCheck(false, tr("No log of %1: its step times are those of the profiled steps").arg(letter));
    return;
  }
  const auto& agreement = run->alone->agreementA;
  if (!agreement) {
    addCheck(false, tr("The log of %1 has no steady window").arg(letter));
  } else if (agreement->agrees()) {
    addCheck(true, tr("Profiled steps of %1 (%2) agree with its log (%3)")
                       .arg(letter, common::duration(agreement->trace), common::duration(agreement->log)));
  } else {
    const double deviation = agreement->deviation();
    addCheck(false, tr("Profiled steps of %1 (%2) are %3 %4 its log (%5)")
                        .arg(letter, common::duration(agreement->trace), common::toText(base::formatPercent(std::abs(deviation))),
                             deviation > 0 ? tr("above") : tr("below"), common::duration(agreement->log)));
  }
}

void GuidePanel::addWall(Side side) {
  const auto& run = m_document->run(side);
  if (!run || !hasSteps(*run->analysis)) return;
  const analysis::Wall& wall = run->analysis->wall;
  auto* card = new common::Card;
  card->heading()->addWidget(new common::Badge(side));
  auto* name = common::plainLabel(profile::wallName(wall), wall.dominant ? TextRole::Warning : TextRole::Normal);
  common::setTextSize(name, common::TextSize::Normal, true);
  card->heading()->addWidget(name, 1);
  card->body()->addWidget(common::plainLabel(common::toText(wall.verdict), TextRole::Muted));
  if (!wall.reasons.empty() && !wall.reasons.front().intervals.empty()) {
    auto* show = new QPushButton(tr("Show what is behind it"));
    show->setProperty("kind", QStringLiteral("link"));
    show->setCursor(Qt::PointingHandCursor);
    connect(show, &QPushButton::clicked, this, [this, side] { emit evidenceWanted(side); });
    card->body()->addWidget(show);
  }
  m_layout->addWidget(card);
}

void GuidePanel::addNext() {
  addHeading(tr("Next"));
  const bool a = m_document->run(Side::A).has_value();
  const bool b = m_document->run(Side::B).has_value();
  QString text;
  QString command;
  if (!a && !b) {
    text = tr("Open the sample study");
    command = QStringLiteral("file.sample");
  } else if (!a || !b) {
    text = tr("Open a second trace");
    command = QStringLiteral("file.open");
  } else if (m_view == ProfilePage::Timeline) {
    text = tr("Show where each step went");
    command = QStringLiteral("view.overview");
  } else if (m_view == ProfilePage::Overview) {
    text = tr("Show the kernels behind it");
    command = QStringLiteral("view.kernels");
  } else {
    text = tr("Show them on the timeline");
    command = QStringLiteral("view.timeline");
  }
  auto* button = new QPushButton(text);
  button->setObjectName(QStringLiteral("next"));
  button->setProperty("kind", QStringLiteral("primary"));
  connect(button, &QPushButton::clicked, m_commands->action(command), &QAction::trigger);
  m_layout->addWidget(button, 0, Qt::AlignLeft);
}

void GuidePanel::refresh() {
  common::clearLayout(m_layout);
  addHeading(m_view == ProfilePage::Timeline ? tr("Why this stage") : tr("Reading this page"));
  m_layout->addWidget(common::plainLabel(why(m_view)));
  addChecklist();
  if (m_document->run(Side::A) || m_document->run(Side::B)) {
    addHeading(tr("Wall"));
    for (const Side side : common::kSides) addWall(side);
  }
  addNext();
  m_layout->addStretch();
}

}  // namespace threewalls::window

#include "window/stage_rail.h"

#include "common/text.h"
#include "common/text_scale.h"
#include "profile/wall_card.h"

#include <QHBoxLayout>

#include <array>

namespace threewalls::window {
namespace {

using common::Side;

constexpr int kWidth = 184;
struct Stage {
  const char* name;
  bool exists;
};
constexpr std::array<Stage, 6> kStages = {
    {{"Contract", false}, {"Fit", false}, {"Scale", false}, {"Profile", true}, {"Retune", false}, {"Validate", false}}};

}  // namespace

StageRail::StageRail(const common::Document* document, QWidget* parent) : QWidget(parent), m_document(document) {
  setProperty("kind", QStringLiteral("side"));
  setProperty("edge", QStringLiteral("right"));
  setAttribute(Qt::WA_StyledBackground);
  common::sizeFollowsText(this, {kWidth, 0});
  setAccessibleName(tr("Stages"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 12, 1, 12);
  layout->setSpacing(2);
  for (std::size_t i = 0; i < kStages.size(); ++i) {
    const Stage& stage = kStages[i];
    auto* row = new QWidget;
    row->setProperty("kind", QStringLiteral("stage"));
    row->setProperty("current", stage.exists);
    row->setAttribute(Qt::WA_StyledBackground);
    row->setEnabled(stage.exists);
    row->setAccessibleName(tr("Stage %1, %2").arg(i + 1).arg(QLatin1String(stage.name)));
    if (!stage.exists) row->setToolTip(tr("This version has the Profile stage only."));
    auto* number = common::plainLabel(QString::number(i + 1));
    number->setProperty("kind", QStringLiteral("stageNumber"));
    number->setProperty("current", stage.exists);
    number->setAlignment(Qt::AlignCenter);
    common::sizeFollowsText(number, {24, 24});
    auto* name = common::plainLabel(QLatin1String(stage.name));
    common::setTextSize(name, common::TextSize::Normal, stage.exists);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    texts->addWidget(name);
    if (stage.exists) {
      m_profileState = common::plainLabel({}, common::TextRole::Muted);
      common::setTextSize(m_profileState, common::TextSize::Small);
      texts->addWidget(m_profileState);
    }
    auto* columns = new QHBoxLayout(row);
    columns->setContentsMargins(12, 8, 8, 8);
    columns->setSpacing(10);
    columns->addWidget(number, 0, Qt::AlignTop);
    columns->addLayout(texts, 1);
    layout->addWidget(row);
  }
  layout->addStretch();
  connect(document, &common::Document::runsChanged, this, &StageRail::refresh);
  refresh();
}

void StageRail::refresh() {
  for (const Side side : common::kSides) {
    if (const auto& run = m_document->run(side)) {
      const analysis::Wall& wall = run->analysis->wall;
      const QString letter = side == Side::A ? QStringLiteral("A") : QStringLiteral("B");
      m_profileState->setText(wall.dominant ? tr("%1 wall in %2").arg(profile::wallName(wall), letter)
                                            : tr("no single wall in %1").arg(letter));
      return;
    }
  }
  m_profileState->setText(tr("no trace yet"));
}

}  // namespace threewalls::window

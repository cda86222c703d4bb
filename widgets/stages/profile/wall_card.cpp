#include "profile/wall_card.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"

#include <QPushButton>

#include <algorithm>
#include <memory>

namespace threewalls::profile {
namespace {

using common::TextRole;

QString percent(double ratio) {
  return QString::fromStdString(base::formatPercent(ratio));
}

QString share(const analysis::Wall& wall, analysis::WallKind kind) {
  return common::toText(analysis::label(kind)) + QLatin1Char(' ') + percent(wall.recoverable[static_cast<std::size_t>(kind)]);
}

}  // namespace

QString wallName(const analysis::Wall& wall) {
  return wall.dominant ? common::toText(analysis::label(*wall.dominant)) : QStringLiteral("no single wall");
}

WallCard::WallCard(common::Side side, QWidget* parent) : Card(QStringLiteral("Wall"), parent), m_side(side) {
  heading()->insertWidget(0, new common::Badge(side));
}

void WallCard::show(const common::Document& document) {
  common::clearLayout(body());
  const auto& run = document.run(m_side);
  setVisible(run.has_value());
  if (!run) return;
  const analysis::Wall& wall = run->analysis->wall;
  setTitle(QStringLiteral("Wall: ") + wallName(wall));
  setSubtitle(run->name);
  body()->addWidget(common::plainLabel(common::toText(wall.verdict), wall.dominant ? TextRole::Warning : TextRole::Normal));

  // Shares, largest first: what fixing one wall alone could give at most.
  auto kinds = std::vector<analysis::WallKind>(analysis::kWallKinds.begin(), analysis::kWallKinds.end());
  std::erase(kinds, analysis::WallKind::Memory);  // a trace alone does not show it
  std::stable_sort(kinds.begin(), kinds.end(), [&](auto a, auto b) {
    return wall.recoverable[static_cast<std::size_t>(a)] > wall.recoverable[static_cast<std::size_t>(b)];
  });
  QStringList shares;
  for (const analysis::WallKind kind : kinds) shares << share(wall, kind);
  body()->addWidget(
      common::plainLabel(tr("At most recoverable, of the step: %1").arg(shares.join(QStringLiteral(" · "))), TextRole::Muted));

  for (const analysis::WallReason& reason : wall.reasons) {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(common::plainLabel(common::toText(reason.text)), 1);
    if (!reason.intervals.empty()) {
      auto* show = new QPushButton(tr("show"));
      show->setProperty("kind", QStringLiteral("link"));
      show->setCursor(Qt::PointingHandCursor);
      show->setToolTip(tr("The longest of %1 stretches; each click shows the next one").arg(reason.intervals.size()));
      show->setAccessibleName(tr("Show on the timeline: %1").arg(common::toText(reason.text)));
      connect(show, &QPushButton::clicked, this, [this, intervals = reason.intervals, turn = std::make_shared<std::size_t>(0)] {
        emit stretchChosen(m_side, intervals[(*turn)++ % intervals.size()]);
      });
      row->addWidget(show, 0, Qt::AlignTop);
    }
    body()->addLayout(row);
  }
  body()->addStretch();
}

}  // namespace threewalls::profile

#pragma once

#include "common/card.h"
#include "common/document.h"

namespace threewalls::profile {

/// The wall of one run: the verdict, the share of every wall, and the reasons with links to the stretches behind them.
class WallCard : public common::Card {
  Q_OBJECT
 public:
  explicit WallCard(common::Side side, QWidget* parent = nullptr);
  void show(const common::Document& document);

 signals:
  void stretchChosen(threewalls::common::Side side, threewalls::base::Interval stretch);

 private:
  common::Side m_side;
};

/// "compute", in the colour of a finding; "no single wall" where none is dominant.
QString wallName(const analysis::Wall& wall);

}  // namespace threewalls::profile

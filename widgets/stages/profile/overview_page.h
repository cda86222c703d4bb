#pragma once

#include "common/document.h"
#include "common/selection.h"
#include "common/theme.h"

#include <QScrollArea>

class QBoxLayout;
class QLabel;

namespace threewalls::common {
class Card;
}

namespace threewalls::profile {

class HeadlineCard;
class KernelTable;
class KernelTableModel;
class LedgerBars;
class Legend;
class WallCard;
class WaterfallChart;

/// The answer on one page: step time, where it went, what differs, the walls and the kernels that matter most.
class OverviewPage : public QScrollArea {
  Q_OBJECT
 public:
  OverviewPage(common::Document* document, common::Selection* selection, QWidget* parent = nullptr);
  void setTheme(const common::Theme& theme);

 signals:
  /// Something was selected that the timeline shows.
  void timelineWanted();
  void kernelChosen(threewalls::common::Side side, threewalls::trace::NameId name);
  void kernelsWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildCharts();
  QWidget* buildWalls();
  QWidget* buildKernels();
  void refresh();
  void refreshLegend();
  void chooseBar(std::size_t bar);
  void showRange(common::Side side, base::Interval range);
  void layOut();

  common::Document* m_document;
  common::Selection* m_selection;
  common::Theme m_theme;
  HeadlineCard* m_headline;
  QBoxLayout* m_charts;
  QBoxLayout* m_walls;
  common::Card* m_waterfallCard;
  WaterfallChart* m_waterfall;
  QLabel* m_residue;
  common::Card* m_ledgerCard;
  QScrollArea* m_ledgerScroll;
  LedgerBars* m_ledger;
  Legend* m_legend;
  QLabel* m_absent;
  std::array<WallCard*, 2> m_wallCards{};
  common::Card* m_kernelsCard;
  KernelTableModel* m_kernels;
  KernelTable* m_kernelTable;
};

}  // namespace threewalls::profile

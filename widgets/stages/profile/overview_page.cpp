#include "profile/overview_page.h"

#include "common/card.h"
#include "common/text.h"
#include "profile/headline_card.h"
#include "profile/kernel_table.h"
#include "profile/kernel_table_model.h"
#include "profile/ledger_bars.h"
#include "profile/legend.h"
#include "profile/wall_card.h"
#include "profile/waterfall_chart.h"

#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>

#include <algorithm>

namespace threewalls::profile {
namespace {

using common::Side;

constexpr int kTopKernels = 8;
constexpr int kLedgerRows = 20;   ///< more scroll inside their card
constexpr int kSideBySide = 860;  ///< page width from which two cards fit beside each other

/// The first rows of another model.
class FirstRows : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex&) const override { return row < kTopKernels; }
};

}  // namespace

OverviewPage::OverviewPage(common::Document* document, common::Selection* selection, QWidget* parent)
    : QScrollArea(parent), m_document(document), m_selection(selection), m_headline(new HeadlineCard) {
  auto* page = new QWidget;
  page->setProperty("kind", QStringLiteral("page"));
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(14, 12, 14, 14);
  layout->setSpacing(12);
  layout->addWidget(m_headline);
  layout->addWidget(buildCharts());
  layout->addWidget(buildWalls());
  layout->addWidget(buildKernels());
  layout->addStretch(1);
  setWidget(page);
  setWidgetResizable(true);
  setFocusProxy(m_ledger);
  connect(document, &common::Document::runsChanged, this, &OverviewPage::refresh);
  connect(selection, &common::Selection::changed, this,
          [this] { m_ledger->setSelected(rowOf(m_ledger->rows(), *m_document, *m_selection)); });
  refresh();
}

QWidget* OverviewPage::buildCharts() {
  auto* row = new QWidget;
  m_charts = new QBoxLayout(QBoxLayout::LeftToRight, row);
  m_charts->setContentsMargins(0, 0, 0, 0);
  m_charts->setSpacing(12);
  m_waterfallCard = new common::Card(QStringLiteral(" "));
  m_waterfall = new WaterfallChart;
  m_residue = common::plainLabel({}, common::TextRole::Muted);
  m_waterfallCard->body()->addWidget(m_waterfall, 1);
  m_waterfallCard->body()->addWidget(m_residue);
  m_ledgerCard = new common::Card(tr("Where each step went"));
  m_ledger = new LedgerBars;
  m_ledgerScroll = new QScrollArea;
  m_ledgerScroll->setProperty("kind", QStringLiteral("inner"));
  m_ledgerScroll->setWidget(m_ledger);
  m_ledgerScroll->setWidgetResizable(true);
  m_ledgerScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_ledgerScroll->setFocusPolicy(Qt::NoFocus);
  m_legend = new Legend;
  m_absent = common::plainLabel({}, common::TextRole::Muted);
  m_ledgerCard->body()->addWidget(m_ledgerScroll);
  m_ledgerCard->body()->addWidget(m_legend);
  m_ledgerCard->body()->addWidget(m_absent);
  m_ledgerCard->body()->addStretch();
  m_charts->addWidget(m_waterfallCard, 1);
  m_charts->addWidget(m_ledgerCard, 1);
  connect(m_waterfall, &WaterfallChart::chosen, this, &OverviewPage::chooseBar);
  connect(m_ledger, &LedgerBars::chosen, this,
          [this](const LedgerRow& chosen) { showRange(chosen.side, chosen.step->interval); });
  connect(m_ledger, &LedgerBars::movedTo, this,
          [this](const QRect& moved) { m_ledgerScroll->ensureVisible(0, moved.center().y(), 0, moved.height()); });
  return row;
}

QWidget* OverviewPage::buildWalls() {
  auto* row = new QWidget;
  m_walls = new QBoxLayout(QBoxLayout::LeftToRight, row);
  m_walls->setContentsMargins(0, 0, 0, 0);
  m_walls->setSpacing(12);
  for (const Side side : common::kSides) {
    auto* card = new WallCard(side);
    connect(card, &WallCard::stretchChosen, this, &OverviewPage::showRange);
    m_walls->addWidget(card, 1);
    m_wallCards[static_cast<std::size_t>(side)] = card;
  }
  return row;
}

QWidget* OverviewPage::buildKernels() {
  m_kernels = new KernelTableModel(this);
  auto* first = new FirstRows(this);
  first->setSourceModel(m_kernels);
  m_kernelTable = new KernelTable(m_kernels);
  m_kernelTable->setObjectName(QStringLiteral("topKernels"));
  m_kernelTable->setModel(first);
  m_kernelTable->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_kernelTable->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_kernelTable->setAccessibleName(tr("Kernels that matter most"));
  m_kernelTable->follow(*m_document, *m_selection);
  m_kernelsCard = new common::Card(QStringLiteral(" "));
  auto* all = new QPushButton(tr("All kernels"));
  all->setProperty("kind", QStringLiteral("link"));
  all->setCursor(Qt::PointingHandCursor);
  m_kernelsCard->heading()->addWidget(all);
  m_kernelsCard->body()->addWidget(m_kernelTable);
  connect(all, &QPushButton::clicked, this, &OverviewPage::kernelsWanted);
  connect(m_kernelTable, &KernelTable::clicked, this, [this, first](const QModelIndex& index) {
    const int row = first->mapToSource(index).row();
    for (const Side side : common::kSides) {
      if (const auto name = m_kernels->name(row, side)) return emit kernelChosen(side, *name);
    }
  });
  return m_kernelsCard;
}

void OverviewPage::setTheme(const common::Theme& theme) {
  m_theme = theme;
  m_waterfall->setTheme(theme);
  m_ledger->setTheme(theme);
  m_kernels->setTheme(theme);
  refreshLegend();
}

void OverviewPage::refreshLegend() {
  std::vector<Legend::Entry> entries;
  bool communication = false;
  for (const analysis::LedgerPart part : analysis::kLedgerParts) {
    const bool occurs = std::any_of(m_ledger->rows().begin(), m_ledger->rows().end(),
                                    [part](const LedgerRow& row) { return analysis::part(row.step->ledger, part).count() > 0; });
    if (occurs) entries.push_back({m_theme.of(part), common::toText(analysis::label(part))});
  }
  for (const LedgerRow& row : m_ledger->rows()) communication = communication || row.step->ledger.communication.count() > 0;
  m_legend->setEntries(std::move(entries));
  m_absent->setVisible(!communication && !m_ledger->rows().empty());
  m_absent->setText(tr("No communication kernel ran in any step."));
}

void OverviewPage::refresh() {
  m_headline->show(*m_document);
  for (WallCard* card : m_wallCards) card->show(*m_document);
  m_kernels->show(*m_document);
  m_ledger->setRows(ledgerRows(*m_document));
  refreshLegend();

  const auto& comparison = m_document->comparison();
  if (comparison != nullptr) {
    m_waterfallCard->setTitle(tr("From A to B, mean step"));
    m_waterfallCard->setSubtitle(tr("· the bars add up"));
    m_waterfall->setBars(waterfallBars(comparison->waterfall));
    m_residue->setText(tr("Sum of the parts less the difference of the mean steps: %1.")
                           .arg(common::exactNanoseconds(comparison->waterfall.residue())));
    m_kernelsCard->setTitle(tr("Kernels by contribution to the difference"));
    m_kernelsCard->setSubtitle(tr("· time a step · click to see the first on the timeline"));
  } else if (const Side side = m_document->run(Side::A) ? Side::A : Side::B; m_document->run(side)) {
    const compare::Waterfall parts = compare::waterfall({}, compare::steadySteps(*m_document->run(side)->analysis));
    m_waterfallCard->setTitle(tr("Mean step by part"));
    m_waterfallCard->setSubtitle(tr("· the bars add up"));
    m_waterfall->setBars(breakdownBars(parts, side));
    m_residue->setText(tr("Mean step less the sum of its parts: %1.").arg(common::exactNanoseconds(parts.residue())));
    m_kernelsCard->setTitle(tr("Kernels by time"));
    m_kernelsCard->setSubtitle(tr("· time a step · click to see the first on the timeline"));
  }

  layOut();
}

void OverviewPage::chooseBar(std::size_t bar) {
  const WaterfallBar& chosen = m_waterfall->bars()[bar];
  Side side = chosen.side;
  if (chosen.part && m_document->comparison() != nullptr) {
    // Where the part takes longer there is more to see.
    side = chosen.to < chosen.from ? Side::A : Side::B;
    if (!longestStretch(*m_document->run(side)->analysis, *chosen.part)) side = side == Side::A ? Side::B : Side::A;
  }
  const analysis::Analysis& analysis = *m_document->run(side)->analysis;
  if (chosen.part) {
    if (const auto stretch = longestStretch(analysis, *chosen.part)) showRange(side, *stretch);
  } else if (analysis.wall.lane && analysis.wall.step) {
    showRange(side, analysis.lanes[*analysis.wall.lane].steps[*analysis.wall.step].interval);
  }
}

void OverviewPage::showRange(Side side, base::Interval range) {
  m_selection->show(common::SelectedRange{side, range});
  emit timelineWanted();
}

void OverviewPage::layOut() {
  const bool narrow = viewport()->width() < kSideBySide;
  const auto direction = narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
  m_charts->setDirection(direction);
  m_walls->setDirection(direction);
  m_headline->setNarrow(narrow);
  m_kernelTable->fitColumns();
  const int rows = m_kernelTable->model()->rowCount();
  m_kernelTable->setFixedHeight(m_kernelTable->horizontalHeader()->sizeHint().height() +
                                rows * m_kernelTable->verticalHeader()->defaultSectionSize() + 4);
  const int shown = std::min(static_cast<int>(m_ledger->rows().size()), kLedgerRows);
  m_ledgerScroll->setFixedHeight(m_ledger->rowHeight() * shown + 2);
}

void OverviewPage::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  layOut();
}

}  // namespace threewalls::profile

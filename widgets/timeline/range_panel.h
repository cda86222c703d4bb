#pragma once

#include "common/card.h"
#include "common/document.h"
#include "common/selection.h"
#include "common/theme.h"
#include "timeline/range_stats.h"
#include "timeline/view_state.h"

#include <QHBoxLayout>

class QPushButton;

namespace threewalls::timeline {

class FigureTable;

/// "Selected range": the ledger of A, of B and their difference over the same stretch of aligned time, and its longest kernels.
/// Without a range: the same of the aligned step.
class RangePanel : public common::Card {
  Q_OBJECT
 public:
  RangePanel(const common::Document& document, const common::Selection& selection, const ViewState& state);

  void setTheme(const common::Theme& theme);
  /// While a range is being dragged, names are summed only where that is quick.
  void setDragging(bool dragging);

  const FigureTable& ledger() const { return *m_ledger; }
  const FigureTable& kernels() const { return *m_kernels; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void arrange();
  QString subtitle(TimeRange aligned) const;
  void showLedger(const std::array<std::optional<RangeStats>, 2>& stats);
  void showKernels(const std::array<std::optional<RangeStats>, 2>& stats);

  const common::Document& m_document;
  const common::Selection& m_selection;
  const ViewState& m_state;
  bool m_dragging = false;
  QPushButton* m_showKernels;  ///< where there is no room for both tables
  QWidget* m_tables;
  QHBoxLayout* m_columns;
  FigureTable* m_ledger;
  FigureTable* m_kernels;
};

}  // namespace threewalls::timeline

#pragma once

#include "analysis/range_stats.h"
#include "common/card.h"
#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"
#include "common/theme.h"
#include "timeline/view_state.h"

#include <QHBoxLayout>
#include <QPointer>

class QPushButton;

namespace threewalls::timeline {

class FigureTable;

/// "Selected range": the ledger of A, of B and their difference over the same stretch of aligned time, and its longest kernels.
/// Without a range: the same of the aligned step. The ledger is there at once; the kernels are summed on a worker, those of the
/// range before are kept until then and are said to be so when it takes a moment.
class RangePanel : public common::Card {
  Q_OBJECT
 public:
  RangePanel(const common::Document& document, const common::Selection& selection, const ViewState& state,
             common::JobService* jobs);
  ~RangePanel() override;

  void setTheme(const common::Theme& theme);

  const FigureTable& ledger() const { return *m_ledger; }
  const FigureTable& kernels() const { return *m_kernels; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Stats = std::array<std::optional<analysis::RangeStats>, 2>;
  /// What a side is asked about; without an analysis: nothing.
  struct Question {
    std::shared_ptr<const analysis::Analysis> analysis;
    base::Interval range;
    bool operator==(const Question&) const = default;
  };
  using Questions = std::array<Question, 2>;
  using Times = std::array<std::vector<analysis::NameTime>, 2>;

  void refresh();
  void arrange();
  QString subtitle(TimeRange aligned) const;
  void showLedger(const Stats& stats);
  void sumKernels(const Questions& questions);
  void showKernels();

  const common::Document& m_document;
  const common::Selection& m_selection;
  const ViewState& m_state;
  common::JobService* m_jobs;
  QPointer<common::Job> m_job;
  Questions m_asked;     ///< of the last job
  Questions m_answered;  ///< whose kernels are shown
  Times m_times;
  QPushButton* m_showKernels;  ///< where there is no room for both tables
  QWidget* m_tables;
  QHBoxLayout* m_columns;
  FigureTable* m_ledger;
  FigureTable* m_kernels;
};

}  // namespace threewalls::timeline

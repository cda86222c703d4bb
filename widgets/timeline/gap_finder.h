#pragma once

#include "analysis/idle_gap.h"
#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"
#include "timeline/view_state.h"

#include <QObject>

#include <memory>
#include <optional>

namespace threewalls::timeline {

/// Leads to the longest stretch in which the GPU of a side's steps ran nothing, and to the call that ended it. Looks on a worker:
/// a long recording has millions of such stretches.
class GapFinder : public QObject {
  Q_OBJECT
 public:
  GapFinder(const common::Document& document, common::Selection& selection, const ViewState& state, common::JobService* jobs);

  /// Some GPU event is open on the side that would be looked at.
  bool canGoToLongest() const { return atHand().has_value(); }
  /// Selects and shows the longest gap of the selected range, without one of what the view shows of the selected slice's side,
  /// else of the first side.
  void goToLongest();
  /// A range is selected to look in.
  bool canGoToLaunch() const { return m_selection.range() && atHand().has_value(); }
  /// Selects and shows the call that launched what ended the longest gap of the selected range; the GPU event itself where that
  /// call was not recorded.
  void goToLaunch();

 signals:
  /// Why nothing, or something else, was selected: words for people.
  void noticed(const QString& what, const QString& details);

 private:
  struct Question {
    common::Side side = common::Side::A;
    std::shared_ptr<const analysis::Analysis> analysis;
    base::Interval range;
  };
  using Answer = std::optional<analysis::IdleGap>;
  std::optional<Question> atHand() const;
  void ask(void (GapFinder::*take)(const Question&, const Answer&));
  void showGap(const Question& question, const Answer& gap);
  void showLaunch(const Question& question, const Answer& gap);
  void saySolidlyBusy(const Question& question);

  const common::Document& m_document;
  common::Selection& m_selection;
  const ViewState& m_state;
  common::JobService* m_jobs;
};

}  // namespace threewalls::timeline

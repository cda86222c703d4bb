#pragma once

#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"
#include "compare/partners.h"

#include <QPointer>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace threewalls::timeline {

/// Which slice of the other side does the same work: the partners of all paired steps, found on a worker when A and B are open.
class PartnerLinks : public QObject {
  Q_OBJECT
 public:
  enum class Known : std::uint8_t {
    Looking,       ///< the worker is at it
    GivenUp,       ///< the search was cancelled
    OutsideSteps,  ///< the slice starts before the first or after the last step
    OneSideOnly,   ///< the other side did not run this step
    OtherGpu,      ///< of a GPU whose steps are not those shown
    Alone,         ///< nothing of the other side's step answers it
    Paired,
  };
  struct Answer {
    Known known = Known::Looking;
    std::optional<std::size_t> pair = {};               ///< the step that holds the slice, as Alignment::steps() counts
    std::optional<common::SelectedSlice> partner = {};  ///< when Paired
    compare::MatchLevel level = compare::MatchLevel::Stream;
  };

  PartnerLinks(const common::Document& document, common::JobService* jobs);
  ~PartnerLinks() override;

  /// What is known of a slice; none for events of the host and while only one side is open.
  std::optional<Answer> of(const common::SelectedSlice& slice) const;
  /// Partners by pair of steps, as Alignment::steps() counts; null while they are not known.
  const std::vector<compare::StepPartners>* found() const { return m_found.get(); }
  bool running() const { return m_job != nullptr; }
  bool both() const;
  /// Of an open side.
  const trace::Trace& trace(common::Side side) const { return *m_document.run(side)->analysis->trace; }
  /// Looks again, after the search was cancelled.
  void search();

  /// Whether slices without a partner are outlined.
  bool outlining() const { return m_outlining; }
  void setOutlining(bool outlining);
  /// "142 only in A", for a step and a side of it; empty while nothing is known or all have partners.
  QString countText(common::Side side, std::size_t pair) const;

 signals:
  /// Not for other runs: whoever looks at runs hears of those from the document.
  void changed();

 private:
  using Found = std::shared_ptr<const std::vector<compare::StepPartners>>;
  void reload();
  void giveUp();

  const common::Document& m_document;
  common::JobService* m_jobs;
  QPointer<common::Job> m_job;
  std::uint64_t m_generation = 0;  ///< of the runs that the job is about
  Found m_found;
  std::array<std::vector<std::size_t>, 2> m_pairOf;  ///< by step of a side
  std::vector<compare::StepIndices> m_pairs;
  bool m_outlining = false;
};

/// A line of the details panel.
struct PartnerFact {
  QString name;
  QString value;
  QString toolTip = {};
  std::optional<common::SelectedSlice> link = {};
};
/// The partner of a slice in words: its duration, the difference, and what matched; or why there is none. Empty where the
/// question has no meaning.
std::vector<PartnerFact> partnerFacts(const common::Document& document, const PartnerLinks& links,
                                      const common::SelectedSlice& slice, common::Side reference);

}  // namespace threewalls::timeline

#include "timeline/gap_finder.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"

namespace threewalls::timeline {

using common::SelectedRange;
using common::SelectedSlice;
using common::Side;

GapFinder::GapFinder(const common::Document& document, common::Selection& selection, const ViewState& state,
                     common::JobService* jobs)
    : m_document(document), m_selection(selection), m_state(state), m_jobs(jobs) {}

std::optional<GapFinder::Question> GapFinder::atHand() const {
  const auto& range = m_selection.range();
  const auto& slice = m_selection.slice();
  const Side first = m_document.run(Side::A) ? Side::A : Side::B;
  const Side side = range ? range->side : slice ? slice->side : first;
  const auto& run = m_document.run(side);
  if (!run || !run->analysis || mainLane(*run->analysis) == nullptr) return std::nullopt;
  return Question{side, run->analysis, range ? range->range : m_state.alignment().toClock(side, m_state.range())};
}

void GapFinder::ask(void (GapFinder::*take)(const Question&, const Answer&)) {
  const auto question = atHand();
  if (!question) return;
  m_jobs->submit<Answer>(
      tr("Looking for the longest idle gap"),
      [question = *question](const base::Progress&) -> base::Result<Answer> {
        return analysis::longestIdleGap(*question.analysis->trace, *mainLane(*question.analysis), question.range);
      },
      [self = QPointer<GapFinder>(this), question = *question, asked = m_selection.range(), take](base::Result<Answer> gap) {
        if (self == nullptr || !gap) return;
        // Somebody who has gone on meanwhile stays where they are.
        const auto& run = self->m_document.run(question.side);
        if (run && run->analysis == question.analysis && self->m_selection.range() == asked) (self->*take)(question, *gap);
      },
      QStringLiteral("timeline.gap"));
}

void GapFinder::goToLongest() {
  ask(&GapFinder::showGap);
}

void GapFinder::goToLaunch() {
  if (canGoToLaunch()) ask(&GapFinder::showLaunch);
}

void GapFinder::saySolidlyBusy(const Question& question) {
  emit noticed(tr("No idle gap here"),
               tr("%1 of %2 is never idle in this range between its first and its last GPU event.")
                   .arg(common::toText(mainLane(*question.analysis)->name()), common::letter(question.side)));
}

void GapFinder::showGap(const Question& question, const Answer& gap) {
  if (!gap) return saySolidlyBusy(question);
  m_selection.show(SelectedRange{question.side, gap->interval});
}

void GapFinder::showLaunch(const Question& question, const Answer& gap) {
  if (!gap) return saySolidlyBusy(question);
  const QString length = common::duration(gap->interval.length());
  if (!gap->endedBy) {
    return emit noticed(
        tr("The range ends before its longest idle gap"),
        tr("The gap is longer than the %1 of it in the range. Select all of it to see what ended it.").arg(length));
  }
  m_selection.show(SelectedSlice{question.side, gap->launch.value_or(*gap->endedBy)});
  if (gap->launch) return;
  const std::string_view name = question.analysis->trace->name(*gap->endedBy);
  emit noticed(
      tr("The launch that ended the gap was not recorded"),
      tr("What ran next, after %1 idle, is selected instead: %2").arg(length, common::toText(base::shortKernelName(name, 80))));
}

}  // namespace threewalls::timeline

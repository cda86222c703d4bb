#include "timeline/partner_links.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"
#include "timeline/difference_words.h"

#include <algorithm>

namespace threewalls::timeline {

using common::SelectedSlice;
using common::Side;
using compare::MatchLevel;

PartnerLinks::PartnerLinks(const common::Document& document, common::JobService* jobs) : m_document(document), m_jobs(jobs) {
  connect(&document, &common::Document::runsChanged, this, &PartnerLinks::reload);
  reload();
}

PartnerLinks::~PartnerLinks() {
  giveUp();
}

/// Without a word to anyone: the runs are others now, or nobody is left to listen.
void PartnerLinks::giveUp() {
  ++m_generation;
  if (m_job) m_job->cancel();
  m_job = nullptr;
}

bool PartnerLinks::both() const {
  return std::all_of(common::kSides.begin(), common::kSides.end(),
                     [&](Side side) { return m_document.run(side) && m_document.run(side)->analysis; });
}

void PartnerLinks::reload() {
  giveUp();
  m_found.reset();
  m_pairs.clear();
  m_pairOf = {};
  if (both()) {
    const std::vector<analysis::Step> none;
    std::array<const std::vector<analysis::Step>*, 2> steps{&none, &none};
    for (const Side side : common::kSides) {
      const analysis::DeviceLane* lane = compare::mainLane(*m_document.run(side)->analysis);
      if (lane != nullptr) steps[static_cast<std::size_t>(side)] = &lane->steps;
      m_pairOf[static_cast<std::size_t>(side)].resize(steps[static_cast<std::size_t>(side)]->size());
    }
    m_pairs = compare::pairSteps(*steps[0], *steps[1]);
    for (std::size_t p = 0; p < m_pairs.size(); ++p) {
      for (std::size_t s = 0; s < 2; ++s) {
        if (m_pairs[p].index[s]) m_pairOf[s][*m_pairs[p].index[s]] = p;
      }
    }
    search();
  }
}

void PartnerLinks::search() {
  if (!both() || m_found || m_job) return;
  m_job = m_jobs->submit<Found>(
      tr("Matching the slices of A and B"),
      [a = m_document.run(Side::A)->analysis,
       b = m_document.run(Side::B)->analysis](const base::Progress& progress) -> base::Result<Found> {
        auto found = compare::findPartners(*a, *b, progress);
        if (!found) return base::fail(found.error());
        return std::make_shared<const std::vector<compare::StepPartners>>(std::move(*found));
      },
      [self = QPointer<PartnerLinks>(this), generation = m_generation](base::Result<Found> found) {
        if (self == nullptr || self->m_generation != generation) return;
        self->m_job = nullptr;
        if (found) self->m_found = std::move(*found);
        emit self->changed();
      },
      QStringLiteral("timeline.partners"));
}

std::optional<PartnerLinks::Answer> PartnerLinks::of(const SelectedSlice& slice) const {
  if (!both()) return std::nullopt;
  const analysis::Analysis& analysis = *m_document.run(slice.side)->analysis;
  const trace::Trace& trace = *analysis.trace;
  if (!trace::isGpuEvent(trace.kind(slice.event))) return std::nullopt;
  const analysis::DeviceLane* lane = compare::mainLane(analysis);
  if (lane == nullptr) return Answer{Known::OutsideSteps};
  if (std::find(lane->streams.begin(), lane->streams.end(), slice.event.lane) == lane->streams.end())
    return Answer{Known::OtherGpu};
  const base::Nanoseconds start = trace.interval(slice.event).start;
  const auto after =
      std::upper_bound(lane->steps.begin(), lane->steps.end(), start,
                       [](base::Nanoseconds time, const analysis::Step& step) { return time < step.interval.start; });
  if (after == lane->steps.begin() || start >= std::prev(after)->interval.end) return Answer{Known::OutsideSteps};
  const std::size_t side = static_cast<std::size_t>(slice.side);
  const std::size_t pair = m_pairOf[side][static_cast<std::size_t>(std::prev(after) - lane->steps.begin())];
  if (!m_pairs[pair].both()) return Answer{Known::OneSideOnly, pair};
  if (!m_found) return Answer{m_job ? Known::Looking : Known::GivenUp, pair};
  const auto partner = (*m_found)[pair].partnerOf(side, slice.event);
  if (!partner) return Answer{Known::Alone, pair};
  return Answer{Known::Paired, pair, SelectedSlice{otherSide(slice.side), partner->event}, partner->level};
}

void PartnerLinks::setOutlining(bool outlining) {
  if (outlining == m_outlining) return;
  m_outlining = outlining;
  emit changed();
}

QString PartnerLinks::countText(Side side, std::size_t pair) const {
  if (!m_found || pair >= m_found->size() || !m_pairs[pair].both()) return {};
  const std::uint64_t count = (*m_found)[pair].sides[static_cast<std::size_t>(side)].unmatched;
  if (count == 0) return {};
  return tr("%1 only in %2").arg(QString::fromStdString(base::formatCount(count)), common::letter(side));
}

namespace {

QString levelText(MatchLevel level, const QString& other, const std::string& partner) {
  switch (level) {
    case MatchLevel::Stream: return PartnerLinks::tr("same name, same kind of stream");
    case MatchLevel::Name: return PartnerLinks::tr("same name; %1 runs it on a stream of another kind").arg(other);
    case MatchLevel::Class:
      return PartnerLinks::tr("same class only; in %1: %2").arg(other, common::toText(base::shortKernelName(partner, 48)));
  }
  return {};
}

}  // namespace

std::vector<PartnerFact> partnerFacts(const common::Document& document, const PartnerLinks& links, const SelectedSlice& slice,
                                      Side reference) {
  using Known = PartnerLinks::Known;
  const auto answer = links.of(slice);
  if (!answer) return {};
  const QString other = common::letter(otherSide(slice.side));
  const QString name = PartnerLinks::tr("partner in %1").arg(other);
  switch (answer->known) {
    case Known::Looking: return {{name, PartnerLinks::tr("being looked for")}};
    case Known::GivenUp: return {{name, PartnerLinks::tr("not known: the search was cancelled")}};
    case Known::OutsideSteps: return {{name, PartnerLinks::tr("none: outside the steps")}};
    case Known::OneSideOnly: return {{name, PartnerLinks::tr("none: %1 has no such step").arg(other)}};
    case Known::OtherGpu: return {{name, PartnerLinks::tr("not looked for: only the GPU whose steps are shown is compared")}};
    case Known::Alone:
      return {{name, PartnerLinks::tr("none: only in %1 in this step").arg(common::letter(slice.side)),
               PartnerLinks::tr("In this step the other side runs nothing of its name or class, or runs it fewer times.")}};
    case Known::Paired: break;
  }
  const trace::Trace& theirs = *document.run(answer->partner->side)->analysis->trace;
  const base::Nanoseconds own = document.run(slice.side)->analysis->trace->interval(slice.event).length();
  const base::Nanoseconds their = theirs.interval(answer->partner->event).length();
  const bool ownIsA = slice.side == Side::A;
  return {
      {name,
       common::duration(their) + QStringLiteral(" · ") + differenceText(ownIsA ? own : their, ownIsA ? their : own, reference),
       PartnerLinks::tr("takes %1; this one takes %2").arg(common::exactNanoseconds(their), common::exactNanoseconds(own)),
       answer->partner},
      {PartnerLinks::tr("matched by"), levelText(answer->level, other, std::string(theirs.name(answer->partner->event))),
       PartnerLinks::tr("and by its place among the events of this step that have this in common")}};
}

}  // namespace threewalls::timeline

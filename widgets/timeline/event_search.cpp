#include "timeline/event_search.h"

namespace threewalls::timeline {

using analysis::SearchHits;
using common::SelectedSlice;
using common::Side;

EventSearch::EventSearch(const common::Document& document, common::Selection& selection, const ViewState& state,
                         common::JobService* jobs)
    : m_document(document), m_selection(selection), m_state(state), m_jobs(jobs) {
  connect(&document, &common::Document::runsChanged, this, &EventSearch::reload);
}

void EventSearch::search(const analysis::SearchQuery& query) {
  if (query == m_query) return;
  m_query = query;
  start(std::nullopt, false);
}

void EventSearch::searchKernel(Side side, trace::NameId name) {
  const auto& run = m_document.run(side);
  if (!run) return;
  m_query = {std::string(run->analysis->trace->names()[name]), analysis::QueryKind::Name};
  start(side, true);
}

/// Hits of closed runs mean nothing. What was typed is looked for again; a kernel belonged to a run.
void EventSearch::reload() {
  if (m_query.kind == analysis::QueryKind::Name) m_query = {};
  start(std::nullopt, false);
}

void EventSearch::start(std::optional<Side> only, bool showFirst) {
  const std::uint64_t generation = ++m_generation;
  m_hits = {};
  m_error.reset();
  m_running = active();
  if (!active()) m_hidingRest = false;
  emit changed();
  if (!active()) return;
  std::array<std::shared_ptr<const trace::Trace>, 2> traces;
  for (const Side side : common::kSides) {
    const auto& run = m_document.run(side);
    if (run && run->analysis && (!only || only == side)) traces[static_cast<std::size_t>(side)] = run->analysis->trace;
  }
  const analysis::SearchScope scope{{}, m_query.kind == analysis::QueryKind::Name};
  m_jobs->submit<Hits>(
      tr("Searching"),
      [traces, query = m_query, scope](const base::Progress& progress) -> base::Result<Hits> {
        Hits out;
        for (std::size_t i = 0; i < traces.size(); ++i) {
          if (traces[i] == nullptr) continue;
          auto found = analysis::search(traces[i], query, scope, progress);
          if (!found) return base::fail(found.error());
          out[i] = std::make_shared<const SearchHits>(std::move(*found));
        }
        return out;
      },
      [self = QPointer<EventSearch>(this), generation, showFirst](base::Result<Hits> found) {
        if (self != nullptr && self->m_generation == generation) self->take(std::move(found), showFirst);
      },
      QStringLiteral("timeline search"));
}

void EventSearch::take(base::Result<Hits> found, bool showFirst) {
  m_running = false;
  if (found) {
    m_hits = std::move(*found);
  } else {
    m_error = found.error();
  }
  emit changed();
  if (showFirst && count() > 0) m_selection.show(at(0));
}

std::size_t EventSearch::count() const {
  std::size_t sum = 0;
  for (const auto& hits : m_hits) sum += hits ? hits->size() : 0;
  return sum;
}

SelectedSlice EventSearch::at(std::size_t place) const {
  const std::size_t first = m_hits[0] ? m_hits[0]->size() : 0;
  if (place < first) return {Side::A, m_hits[0]->at(place)};
  return {Side::B, m_hits[1]->at(place - first)};
}

std::optional<std::size_t> EventSearch::selectedPlace() const {
  const auto& slice = m_selection.slice();
  if (!slice || hits(slice->side) == nullptr || !hits(slice->side)->contains(slice->event)) return std::nullopt;
  const std::size_t before = slice->side == Side::B && m_hits[0] ? m_hits[0]->size() : 0;
  return before + hits(slice->side)->rank(slice->event);
}

void EventSearch::go(int direction) {
  if (count() == 0) return;
  const auto& slice = m_selection.slice();
  const auto has = [this](Side side) { return hits(side) != nullptr && !hits(side)->empty(); };
  const bool fromSlice = slice && has(slice->side);
  const Side side = fromSlice ? slice->side : has(Side::A) ? Side::A : Side::B;
  const SearchHits& hits = *this->hits(side);
  std::optional<trace::EventRef> next;
  if (fromSlice) {
    next = direction > 0 ? hits.after(slice->event) : hits.before(slice->event);
  } else if (const auto inView = hits.from(m_state.alignment().toClock(side, m_state.range().start))) {
    next = direction > 0 ? inView : hits.before(*inView);
  }
  m_selection.show(SelectedSlice{side, next.value_or(hits.at(direction > 0 ? 0 : hits.size() - 1))});
}

void EventSearch::setHidingRest(bool hiding) {
  hiding = hiding && active();
  if (hiding == m_hidingRest) return;
  m_hidingRest = hiding;
  emit changed();
}

}  // namespace threewalls::timeline

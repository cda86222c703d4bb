#pragma once

#include "analysis/search_hits.h"
#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"
#include "timeline/view_state.h"

#include <array>
#include <memory>
#include <optional>

namespace threewalls::timeline {

/// The one search of the timeline: what is looked for, what was found on A and on B, and the walk through it by the shared
/// selection. Hits are ordered by start, those of A before those of B.
class EventSearch : public QObject {
  Q_OBJECT
 public:
  EventSearch(const common::Document& document, common::Selection& selection, const ViewState& state, common::JobService* jobs);

  /// Looks for events on both sides, on a worker; an earlier search that still runs is given up.
  void search(const analysis::SearchQuery& query);
  /// Looks for the GPU events of one kernel on one side and shows the first of them.
  void searchKernel(common::Side side, trace::NameId name);
  void clear() { search({}); }
  /// Selects and shows the hit after (1) or before (-1) the selected slice, or the visible range when none of a side with hits is
  /// selected. After the last hit of the side comes its first.
  void go(int direction);
  /// Dims everything that is no hit.
  void setHidingRest(bool hiding);

  const analysis::SearchQuery& query() const { return m_query; }
  bool active() const { return !m_query.pattern.empty(); }
  bool running() const { return m_running; }
  bool hidingRest() const { return m_hidingRest; }
  /// Why nothing was looked for, such as a bad expression; none when all is well.
  const std::optional<base::Error>& error() const { return m_error; }
  /// Null while nothing is known of a side.
  const analysis::SearchHits* hits(common::Side side) const { return m_hits[static_cast<std::size_t>(side)].get(); }
  std::size_t count() const;
  /// Grows with every search.
  std::uint64_t generation() const { return m_generation; }
  /// The hit with so many before it.
  common::SelectedSlice at(std::size_t place) const;
  /// Place of the selected slice among all hits; none when it is no hit.
  std::optional<std::size_t> selectedPlace() const;

 signals:
  void changed();

 private:
  using Hits = std::array<std::shared_ptr<const analysis::SearchHits>, 2>;
  void start(std::optional<common::Side> only, bool showFirst);
  void take(base::Result<Hits> found, bool showFirst);
  void reload();

  const common::Document& m_document;
  common::Selection& m_selection;
  const ViewState& m_state;
  common::JobService* m_jobs;
  analysis::SearchQuery m_query;
  Hits m_hits;
  std::optional<base::Error> m_error;
  std::uint64_t m_generation = 0;  ///< of the search that the hits wait for
  bool m_running = false;
  bool m_hidingRest = false;
};

}  // namespace threewalls::timeline

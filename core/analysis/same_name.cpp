#include "analysis/same_name.h"

#include <algorithm>
#include <vector>

namespace threewalls::analysis {

base::Result<SameName> sameName(const trace::Trace& trace, const trace::EventRef& event, const base::Progress& progress) {
  const trace::NameId name = trace.subLane(event).name(event.index);
  const trace::LaneKind kind = trace.lane(event.lane).key.kind;
  std::vector<base::Nanoseconds> durations;
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.key.kind != kind) continue;
    for (const trace::SubLane& sub : lane.subLanes) {
      if (progress.stopRequested()) return base::fail({base::ErrorCode::Cancelled, "Cancelled."});
      const auto names = sub.names();
      for (std::uint32_t i = 0; i < sub.size(); ++i) {
        if (names[i] == name) durations.push_back(sub.duration(i));
      }
    }
  }
  SameName out;
  out.count = durations.size();
  const base::Nanoseconds own = trace.subLane(event).duration(event.index);
  out.rank = 1 + static_cast<std::uint64_t>(std::count_if(durations.begin(), durations.end(), [own](auto d) { return d > own; }));
  const auto [shortest, longest] = std::minmax_element(durations.begin(), durations.end());
  out.shortest = *shortest;
  out.longest = *longest;
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>((durations.size() - 1) / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  out.median = *middle;
  return out;
}

}  // namespace threewalls::analysis

#include "trace/trace.h"

#include "trace/nsys/nsys_tables.h"

#include <algorithm>

namespace threewalls::trace {

std::size_t Lane::eventCount() const {
  std::size_t total = 0;
  for (const SubLane& row : subLanes) total += row.size();
  return total;
}

std::size_t Trace::bytes() const {
  std::size_t total = m_names.bytes() + m_launches.capacity() * sizeof(EventRef);
  for (const Lane& lane : m_lanes) {
    for (const SubLane& row : lane.subLanes) total += row.bytes();
  }
  return total;
}

base::Interval Trace::interval(const EventRef& event) const {
  const SubLane& row = subLane(event);
  return {row.start(event.index), row.end(event.index)};
}

std::optional<EventRef> Trace::launchOf(const EventRef& gpuEvent) const {
  const SubLane& row = subLane(gpuEvent);
  const std::uint32_t launch = row.launch(gpuEvent.index);
  if (launch == kNoLaunch || !isGpuEvent(row.kind(gpuEvent.index))) return std::nullopt;
  return m_launches[launch];
}

std::vector<EventRef> Trace::launchedBy(const EventRef& call) const {
  std::vector<EventRef> found;
  const SubLane& own = subLane(call);
  const std::uint32_t launch = own.launch(call.index);
  if (launch == kNoLaunch || isGpuEvent(own.kind(call.index))) return found;
  for (std::size_t l = 0; l < m_lanes.size(); ++l) {
    if (m_lanes[l].key.kind != LaneKind::GpuStream) continue;
    for (std::size_t s = 0; s < m_lanes[l].subLanes.size(); ++s) {
      const std::span<const std::uint32_t> launches = m_lanes[l].subLanes[s].launches();
      for (auto at = std::find(launches.begin(), launches.end(), launch); at != launches.end();
           at = std::find(at + 1, launches.end(), launch)) {
        found.push_back({LaneId(static_cast<std::uint32_t>(l)), static_cast<std::uint32_t>(s),
                         static_cast<std::uint32_t>(at - launches.begin())});
      }
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [this](const EventRef& a, const EventRef& b) { return interval(a).start < interval(b).start; });
  return found;
}

base::Result<std::string> Trace::rawJson(const EventRef& event) const {
  const std::uint64_t offset = subLane(event).byteOffset(event.index);
  if (m_text == nullptr || offset == kNoOffset) {
    return base::fail({base::ErrorCode::Unsupported, "This event has no text: the trace was not read from a text file."});
  }
  auto text = m_info.format == "nsys" ? nsys::rowJson(m_text, offset) : m_text->jsonObjectAt(offset);
  if (!text) {
    base::Error error = text.error();
    error.file = m_info.file;
    return base::fail(std::move(error));
  }
  return text;
}

}  // namespace threewalls::trace

#include "trace/trace_builder.h"

#include "trace/launch_links.h"
#include "trace/natural_order.h"
#include "trace/stray.h"
#include "trace/sub_lane_split.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <tuple>

namespace threewalls::trace {
namespace {

constexpr bool isGpuLane(LaneKind kind) {
  return kind == LaneKind::GpuStream || kind == LaneKind::GpuAnnotation || kind == LaneKind::GpuSync;
}

std::optional<std::int64_t> toNumber(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// One vector in lane order; frees the parts as it goes. Parts that are in order already, as importers give them, are merged
/// pair by pair: mostly they follow one another.
std::vector<RawEvent> joined(std::vector<std::vector<RawEvent>>&& chunks, const StopCheck& check) {
  const auto before = [&](const RawEvent& a, const RawEvent& b) {
    check.tick();
    return LaneOrder()(a, b);
  };
  std::vector<RawEvent> all;
  std::vector<std::size_t> runs = {0};  ///< where each part begins, and the end of the last
  if (chunks.size() == 1) {
    all = std::move(chunks.front());
    runs.push_back(all.size());
  } else {
    std::size_t total = 0;
    for (const auto& chunk : chunks) total += chunk.size();
    all.reserve(total);
    for (auto& chunk : chunks) {
      all.insert(all.end(), chunk.begin(), chunk.end());
      runs.push_back(all.size());
      std::vector<RawEvent>().swap(chunk);
    }
  }
  const auto at = [&](std::size_t place) { return all.begin() + static_cast<std::ptrdiff_t>(place); };
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
    if (!std::is_sorted(at(runs[i]), at(runs[i + 1]), LaneOrder())) std::sort(at(runs[i]), at(runs[i + 1]), before);
  }
  while (runs.size() > 2) {
    std::vector<std::size_t> merged = {0};
    for (std::size_t i = 1; i < runs.size(); i += 2) {
      const std::size_t end = i + 1 < runs.size() ? runs[i + 1] : runs[i];
      const bool inOrder = runs[i] == end || runs[i] == merged.back() || !LaneOrder()(all[runs[i]], all[runs[i] - 1]);
      if (!inOrder) std::inplace_merge(at(merged.back()), at(runs[i]), at(end), before);
      merged.push_back(end);
    }
    runs = std::move(merged);
  }
  return all;
}

}  // namespace

std::size_t TraceBuilder::KeyHash::operator()(const LaneKey& key) const {
  const std::hash<std::string> text;
  return (text(key.process) * 31 + text(key.thread)) * 31 + static_cast<std::size_t>(key.device) * 7 +
         static_cast<std::size_t>(key.kind);
}

std::uint32_t TraceBuilder::lane(const LaneKey& key) {
  const auto [at, fresh] = m_laneOf.try_emplace(key, static_cast<std::uint32_t>(m_pending.size()));
  if (fresh) {
    m_pending.emplace_back().key = key;
    m_pending.back().chunks.emplace_back();
  }
  return at->second;
}

void TraceBuilder::setLabels(std::uint32_t lane, std::string label, std::string processLabel) {
  m_pending[lane].label = std::move(label);
  m_pending[lane].processLabel = std::move(processLabel);
}

void TraceBuilder::setSortOrder(std::uint32_t lane, std::int64_t processOrder, std::int64_t threadOrder) {
  m_pending[lane].processOrder = processOrder;
  m_pending[lane].threadOrder = threadOrder;
}

void TraceBuilder::add(std::uint32_t lane, std::vector<RawEvent>&& events) {
  if (events.empty()) return;
  auto& chunks = m_pending[lane].chunks;
  chunks.push_back(std::move(events));
  std::swap(chunks.back(), chunks[chunks.size() - 2]);
}

std::shared_ptr<const Trace> TraceBuilder::build(const base::Progress& progress) && {
  try {
    return std::move(*this).assemble(StopCheck(progress));
  } catch (const StopCheck::Stopped&) {
    return nullptr;
  }
}

std::shared_ptr<const Trace> TraceBuilder::assemble(const StopCheck& check) && {
  std::erase_if(m_pending, [](const Pending& pending) {
    return std::all_of(pending.chunks.begin(), pending.chunks.end(), [](const auto& chunk) { return chunk.empty(); });
  });
  for (Pending& pending : m_pending) {
    const bool gpu = isGpuLane(pending.key.kind);
    if (pending.label.empty()) pending.label = (gpu ? "stream " : "thread ") + pending.key.thread;
    if (!pending.processLabel.empty()) continue;
    pending.processLabel = gpu ? "GPU " : "process ";
    pending.processLabel += gpu ? std::to_string(pending.key.device) : pending.key.process;
  }
  std::stable_sort(m_pending.begin(), m_pending.end(), [](const Pending& a, const Pending& b) {
    if (a.key.kind != b.key.kind) return a.key.kind < b.key.kind;
    if (a.processOrder != b.processOrder) return a.processOrder < b.processOrder;
    if (const int order = compareNatural(a.processLabel, b.processLabel); order != 0) return order < 0;
    if (a.threadOrder != b.threadOrder) return a.threadOrder < b.threadOrder;
    return compareNatural(a.label, b.label) < 0;
  });

  std::vector<SortedLane> sorted(m_pending.size());
  for (std::size_t l = 0; l < m_pending.size(); ++l) {
    sorted[l] = {&m_pending[l].key, joined(std::move(m_pending[l].chunks), check)};
  }
  const std::size_t launches = linkLaunches(sorted, info.file, diagnostics, check);
  checkGpuDurations(sorted, info.file, diagnostics);

  auto trace = std::make_shared<Trace>();
  trace->m_launches.resize(launches);
  trace->m_lanes.resize(sorted.size());
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (std::size_t l = 0; l < sorted.size(); ++l) {
    Lane& lane = trace->m_lanes[l];
    Pending& pending = m_pending[l];
    lane.label = std::move(pending.label);
    lane.processLabel = std::move(pending.processLabel);
    if (isGpuLane(pending.key.kind)) lane.stream = toNumber(pending.key.thread);

    const std::vector<RawEvent> events = std::move(sorted[l].events);
    const std::vector<std::uint32_t> rows = rowsOf(events, check);
    const std::vector<std::uint32_t> sizes = rowSizes(rows);
    lane.subLanes.resize(sizes.size());
    for (std::size_t row = 0; row < sizes.size(); ++row) lane.subLanes[row].reserve(sizes[row]);
    for (std::size_t i = 0; i < events.size(); ++i) {
      check.tick();
      const RawEvent& event = events[i];
      SubLane& row = lane.subLanes[rows[i]];
      row.append(event);
      if (event.correlation >= 0) {
        const auto launch = static_cast<std::uint32_t>(event.correlation);
        row.m_launch.back() = launch;
        if (!isGpuEvent(event.kind)) {
          trace->m_launches[launch] = {LaneId(static_cast<std::uint32_t>(l)), rows[i], row.size() - 1};
        }
      }
      first = std::min(first, event.start);
      last = std::max(last, event.start + event.duration);
      trace->m_gpuEventCount += isGpuEvent(event.kind) ? 1 : 0;
    }
    for (SubLane& row : lane.subLanes) row.finish();
    trace->m_eventCount += events.size();
    lane.key = std::move(pending.key);
  }
  if (trace->m_eventCount > 0) trace->m_span = {base::Nanoseconds(first), base::Nanoseconds(last)};
  trace->m_info = std::move(info);
  trace->m_names = std::move(m_names);
  trace->m_diagnostics = std::move(diagnostics);
  trace->m_text = std::move(m_text);
  m_pending.clear();
  m_laneOf.clear();
  return trace;
}

}  // namespace threewalls::trace

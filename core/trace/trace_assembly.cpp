#include "trace/trace_assembly.h"

#include "trace/json_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace threewalls::trace {
namespace {

std::string joinedKey(const std::string& process, const std::string& thread) {
  return process + '\0' + thread;
}

bool isDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

/// "7" of "stream 7", "0" of "Device 0"; the whole text when it does not end in a number.
std::string_view trailingNumber(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  return last == std::string_view::npos || last + 1 == text.size() ? text : text.substr(last + 1);
}

/// The process of "process 415, GPU 0": our own extracts of recordings of several processes say so in the pid of GPU lanes.
std::string owningProcess(std::string_view process) {
  constexpr std::string_view kProcess = "process ";
  const std::size_t end = process.rfind(", GPU ");
  if (!process.starts_with(kProcess) || end == std::string_view::npos || end < kProcess.size()) return {};
  return std::string(process.substr(kProcess.size(), end - kProcess.size()));
}

/// GPU lanes stand under (device, stream) in the file's pid and tid.
LaneKey keyOf(LaneKind kind, const std::string& process, const std::string& thread) {
  if (kind != LaneKind::GpuStream && kind != LaneKind::GpuAnnotation && kind != LaneKind::GpuSync) {
    return {kind, process, thread, -1};
  }
  LaneKey key{kind, owningProcess(process), thread, -1};
  if (thread.starts_with("stream ")) key.thread = trimmed(thread.substr(7));
  const auto device = parseInteger(trailingNumber(process));
  if (device && *device >= 0 && *device <= std::numeric_limits<int>::max()) {
    key.device = static_cast<int>(*device);
  } else if (!process.empty()) {
    key.thread = process + " " + key.thread;  // keeps lanes of unknown devices apart
  }
  return key;
}

}  // namespace

std::uint32_t TraceAssembly::laneOf(const PieceLane& lane) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(lane.kind)));
  key += joinedKey(lane.process, lane.thread);
  const auto [at, fresh] = m_laneOf.try_emplace(key, static_cast<std::uint32_t>(m_lanes.size()));
  if (fresh) m_lanes.push_back({lane.kind, lane.process, lane.thread, {}});
  return at->second;
}

void TraceAssembly::add(PieceEvents&& piece) {
  std::vector<NameId> names;
  names.reserve(piece.names.texts().size());
  for (const std::string& text : piece.names.texts()) names.push_back(m_names.intern(text));
  std::vector<std::uint32_t> lanes;
  lanes.reserve(piece.lanes.size());
  for (PieceLane& lane : piece.lanes) {
    lanes.push_back(laneOf(lane));
    if (lane.events.empty()) continue;
    for (RawEvent& event : lane.events) event.name = names[index(event.name)];
    m_eventCount += lane.events.size();
    lane.events.shrink_to_fit();
    m_lanes[lanes.back()].chunks.push_back(std::move(lane.events));
  }
  for (PieceMark mark : piece.marks) {
    mark.stack = lanes[mark.stack];
    mark.lane = lanes[mark.lane];
    if (mark.begin) mark.name = names[index(mark.name)];
    m_marks.push_back(mark);
  }
  for (PieceFlow flow : piece.flows) {
    flow.stack = lanes[flow.stack];
    m_flows.push_back(flow);
  }
  for (PieceLabel& label : piece.labels) takeLabel(std::move(label));
  m_findings.merge(piece.findings);
  m_kineto |= piece.kineto;
  m_sawFlows |= piece.sawFlows;
  m_gpuWithoutCorrelation += piece.gpuWithoutCorrelation;
}

void TraceAssembly::takeLabel(PieceLabel&& label) {
  using What = PieceLabel::What;
  // Kineto names some threads twice, first by what they do ("pt_autograd_0") and then by the program: the first name stays.
  const auto keepFirst = [](std::string& slot, std::string&& value) {
    if (slot.empty()) slot = trimmed(std::move(value));
  };
  if (label.what == What::ThreadName || label.what == What::ThreadOrder) {
    ThreadWords& words = m_threads[joinedKey(label.process, label.thread)];
    if (label.what == What::ThreadName) {
      keepFirst(words.name, std::move(label.value));
    } else {
      words.order = parseInteger(label.value).value_or(0);
    }
    return;
  }
  ProcessWords& words = m_processes[label.process];
  if (label.what == What::ProcessName) {
    keepFirst(words.name, std::move(label.value));
  } else if (label.what == What::ProcessLabels) {
    keepFirst(words.labels, std::move(label.value));
  } else {
    words.order = parseInteger(label.value).value_or(0);
  }
}

void TraceAssembly::pairMarks() {
  std::stable_sort(m_marks.begin(), m_marks.end(),
                   [](const PieceMark& a, const PieceMark& b) { return std::tie(a.stack, a.time) < std::tie(b.stack, b.time); });
  std::vector<std::vector<RawEvent>> made(m_lanes.size());
  std::vector<PieceMark> open;
  const auto close = [&](const PieceMark& begin, std::int64_t end, std::uint8_t flags) {
    RawEvent event;
    event.start = begin.time;
    // Two times at opposite ends of the range are further apart than a duration may be.
    event.duration = std::min(end - begin.time, kLargestTime - std::max<std::int64_t>(begin.time, 0));
    event.byteOffset = begin.byteOffset;
    event.correlation = begin.correlation;
    event.name = begin.name;
    event.kind = begin.kind;
    event.flags = flags;
    made[begin.lane].push_back(event);
    ++m_eventCount;
  };
  for (std::size_t i = 0; i < m_marks.size(); ++i) {
    const PieceMark& mark = m_marks[i];
    if (mark.begin) {
      open.push_back(mark);
    } else if (open.empty()) {
      m_findings.note(Finding::UnmatchedEnd, mark.byteOffset);
    } else {
      close(open.back(), mark.time, 0);
      open.pop_back();
    }
    const bool threadEnds = i + 1 == m_marks.size() || m_marks[i + 1].stack != mark.stack;
    while (threadEnds && !open.empty()) {
      m_findings.note(Finding::UnfinishedBegin, open.back().byteOffset);
      close(open.back(), mark.time, event_flag::kRepaired);
      open.pop_back();
    }
  }
  for (std::size_t l = 0; l < made.size(); ++l) {
    if (!made[l].empty()) m_lanes[l].chunks.push_back(std::move(made[l]));
  }
  m_marks = {};
}

void TraceAssembly::applyFlows() {
  if (m_flows.empty()) return;
  // A flow's ends name their events by process, thread and start; the kind of lane does not matter.
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::int64_t> idAt;
  for (const PieceFlow& flow : m_flows) {
    idAt.emplace(std::tuple(m_lanes[flow.stack].process, m_lanes[flow.stack].thread, flow.time), flow.id);
  }
  for (JoinedLane& lane : m_lanes) {
    for (std::vector<RawEvent>& chunk : lane.chunks) {
      for (RawEvent& event : chunk) {
        if (event.correlation >= 0 || !(isGpuEvent(event.kind) || isLaunchCall(event.kind))) continue;
        const auto found = idAt.find(std::tuple(lane.process, lane.thread, event.start));
        if (found != idAt.end()) event.correlation = found->second;
      }
    }
  }
  m_flows = {};
}

void TraceAssembly::describe(const JoinedLane& lane, std::uint32_t handle, TraceBuilder& builder) const {
  const auto process = m_processes.find(lane.process);
  const auto thread = m_threads.find(joinedKey(lane.process, lane.thread));
  const bool gpu = lane.kind == LaneKind::GpuStream || lane.kind == LaneKind::GpuAnnotation || lane.kind == LaneKind::GpuSync;

  std::string label = thread == m_threads.end() ? std::string() : thread->second.name;
  if (label.empty() && !gpu && !isDigits(lane.thread)) label = lane.thread;
  std::string processLabel;  // empty ones get the builder's own words
  const std::string name = process == m_processes.end() ? std::string() : process->second.name;
  const bool numbered = isDigits(lane.process);
  if (!gpu && numbered && !name.empty()) {
    processLabel = name + " " + lane.process;
  } else if (!numbered) {
    const bool named = lane.process.empty() || (gpu && !owningProcess(lane.process).empty() && !name.empty());
    processLabel = named ? name : lane.process;
  }
  builder.setLabels(handle, std::move(label), std::move(processLabel));
  builder.setSortOrder(handle, process == m_processes.end() ? 0 : process->second.order,
                       thread == m_threads.end() ? 0 : thread->second.order);
}

void TraceAssembly::moveTo(TraceBuilder& builder) {
  pairMarks();
  applyFlows();
  builder.setNames(std::move(m_names));
  for (JoinedLane& lane : m_lanes) {
    if (lane.chunks.empty()) continue;
    const std::uint32_t handle = builder.lane(keyOf(lane.kind, lane.process, lane.thread));
    describe(lane, handle, builder);
    for (std::vector<RawEvent>& chunk : lane.chunks) builder.add(handle, std::move(chunk));
  }
  m_lanes = {};
}

}  // namespace threewalls::trace

#include "trace/nsys/nsys_lanes.h"

#include "trace/valid_text.h"

#include <set>

namespace threewalls::trace::nsys {
namespace {

constexpr std::size_t kMostLanes = 16384;
constexpr std::int64_t kOtherLanes = -2;

bool isGpu(LaneKind kind) {
  return kind == LaneKind::GpuStream || kind == LaneKind::GpuSync;
}

std::string fileNameOf(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace

std::size_t Lanes::PlaceHash::operator()(const Place& place) const {
  const std::hash<std::int64_t> number;
  std::size_t out = number(place.global.value_or(-1));
  for (const std::int64_t part : {place.device, place.thread, static_cast<std::int64_t>(place.kind)})
    out = out * 1000003 + number(part);
  return out;
}

void Lanes::readProcesses(SqliteRows rows) {
  while (rows.next()) {
    if (const auto global = rows.integer(0)) m_processNames[processPart(*global)] = validText(fileNameOf(rows.text(1)));
  }
}

void Lanes::readThreadNames(SqliteRows rows) {
  while (rows.next()) {
    if (const auto global = rows.integer(1)) m_threadNames[*global] = std::string(m_strings.text(rows.integer(0)));
  }
}

std::uint32_t Lanes::gpu(LaneKind kind, std::optional<std::int64_t> globalPid, std::int64_t device, std::int64_t stream) {
  if (globalPid) globalPid = processPart(*globalPid);
  if (stream == 0xFFFFFFFF) stream = -1;  // CUPTI's "no stream"
  return lane({kind, globalPid, device, stream, false});
}

std::uint32_t Lanes::host(LaneKind kind, std::int64_t globalTid) {
  return lane({kind, processPart(globalTid), -1, threadNumber(globalTid), false});
}

std::uint32_t Lanes::processRanges(std::int64_t globalTid) {
  return lane({LaneKind::HostThread, processPart(globalTid), -1, 0, true});
}

std::uint32_t Lanes::lane(Place place) {
  if (!m_lanes.empty() && place == m_last) return m_lastLane;
  auto at = m_lanes.find(place);
  if (at == m_lanes.end() && m_lanes.size() >= kMostLanes) {
    ++m_overflow;
    place = {place.kind, std::nullopt, isGpu(place.kind) ? 0 : -1, kOtherLanes, false};
    at = m_lanes.find(place);
  }
  if (at == m_lanes.end()) {
    if (place.global && !m_machine) m_machine = *place.global >> 48;
    LaneKey key;
    key.kind = place.kind;
    key.process = place.global ? processKey(*place.global) : "";
    key.thread = place.wholeProcess ? "ranges" : std::to_string(place.thread);
    if (isGpu(place.kind)) key.device = static_cast<int>(place.device);
    at = m_lanes.emplace(place, m_builder.lane(key)).first;
  }
  m_last = place;
  m_lastLane = at->second;
  return m_lastLane;
}

/// The process id; with the machine's number where a file joins several.
std::string Lanes::processKey(std::int64_t global) const {
  const std::string number = std::to_string(processNumber(global));
  return !m_machine || global >> 48 == *m_machine ? number : number + "@" + std::to_string(global >> 48);
}

std::string Lanes::processLabel(std::int64_t global) const {
  const auto name = m_processNames.find(global);
  const bool named = name != m_processNames.end() && !name->second.empty();
  return (named ? name->second : std::string("process")) + " " + processKey(global);
}

void Lanes::finish() {
  std::set<std::int64_t> gpuProcesses;
  for (const auto& [place, lane] : m_lanes) {
    if (isGpu(place.kind) && place.global) gpuProcesses.insert(*place.global);
  }
  for (const auto& [place, lane] : m_lanes) {
    const std::int64_t process = place.global.value_or(0);
    if (place.thread == kOtherLanes) {
      m_builder.setLabels(lane, "further lanes", "");
    } else if (isGpu(place.kind)) {
      std::string device = "GPU " + std::to_string(place.device);
      if (gpuProcesses.size() > 1 && place.global) device += ", " + processLabel(process);
      const std::string stream = place.thread < 0 ? "no stream" : "stream " + std::to_string(place.thread);
      m_builder.setLabels(lane, place.kind == LaneKind::GpuSync ? stream + " (sync)" : stream, device);
      m_builder.setSortOrder(lane, place.device, processNumber(process));
    } else {
      const auto name = m_threadNames.find(process | place.thread);
      std::string label = "thread " + std::to_string(place.thread);
      if (name != m_threadNames.end() && !name->second.empty()) label += " (" + name->second + ")";
      if (place.kind == LaneKind::Other) label = "operating system calls, " + label;
      if (place.wholeProcess) label = "NVTX start/end ranges";
      m_builder.setLabels(lane, label, processLabel(process));
      m_builder.setSortOrder(lane, processNumber(process),
                             place.thread == processNumber(process) ? -1
                             : place.wholeProcess                   ? 1
                                                                    : 0);
    }
  }
}

}  // namespace threewalls::trace::nsys

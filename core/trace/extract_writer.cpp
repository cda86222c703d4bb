#include "trace/extract_writer.h"

#include "trace/extract_event.h"
#include "trace/json_text.h"
#include "trace/strict_json.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace threewalls::trace {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kCheckEvery = 256;
/// Correlations of launches that the source ties by arrows only: above every id that a driver gives.
constexpr std::int64_t kOwnCorrelations = std::int64_t{1} << 40;
constexpr std::int64_t kGpuSortIndex = 5'000'000;  // as Kineto: GPUs stand below the processes

/// ns as µs with three decimals, exactly.
std::string microseconds(base::Nanoseconds time) {
  const std::int64_t ns = time.count();
  const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  char text[40];
  std::snprintf(text, sizeof(text), "%s%llu.%03llu", ns < 0 ? "-" : "", static_cast<unsigned long long>(size / 1000),
                static_cast<unsigned long long>(size % 1000));
  return text;
}

class ExtractWriter {
 public:
  ExtractWriter(const Trace& trace, const ExtractNote& note, OutputFile& out, const base::Progress& progress)
      : m_trace(trace), m_note(note), m_out(out), m_progress(progress), m_lanes(trace.lanes().size()) {
    std::set<std::string> callers;
    for (const Lane& lane : trace.lanes()) {
      const bool calls = std::any_of(lane.subLanes.begin(), lane.subLanes.end(), [](const SubLane& row) {
        for (std::uint32_t i = 0; i < row.size(); ++i) {
          if (isLaunchCall(row.kind(i))) return true;
        }
        return false;
      });
      if (calls) callers.insert(lane.key.process);
    }
    m_severalCallers = callers.size() > 1;
  }

  base::Result<void> write(std::vector<EventRef> events);

 private:
  /// JSON of pid and tid as they stand in the lane's events.
  struct Place {
    std::string process, thread;
    bool used = false;
  };

  void findArrows(const std::vector<EventRef>& events);
  void appendHead();
  base::Result<void> appendEvent(const EventRef& event);
  base::Result<std::string> correlationOf(std::uint32_t launch);
  void appendArrow(const EventRef& event, const SourceEvent& source, const std::string& correlation);
  void appendLabels();
  void begin() { m_text += std::exchange(m_any, true) ? ",\n" : "\n"; }
  base::Result<void> flush(std::size_t above);

  const Trace& m_trace;
  const ExtractNote& m_note;
  OutputFile& m_out;
  const base::Progress& m_progress;
  std::vector<Place> m_lanes;
  std::unordered_map<std::uint32_t, std::string> m_correlations;  ///< by launch
  std::unordered_set<std::uint32_t> m_arrows;                     ///< launches with both ends in the extract
  std::string m_text;
  bool m_any = false;
  bool m_severalCallers = false;
};

base::Result<void> ExtractWriter::flush(std::size_t above) {
  if (m_text.size() <= above) return {};
  auto written = m_out.write(m_text);
  m_text.clear();
  return written;
}

base::Result<void> ExtractWriter::write(std::vector<EventRef> events) {
  // As in the source, so that events that share a start keep their order.
  std::sort(events.begin(), events.end(), [this](const EventRef& a, const EventRef& b) {
    const std::uint64_t x = m_trace.subLane(a).byteOffset(a.index);
    const std::uint64_t y = m_trace.subLane(b).byteOffset(b.index);
    return x != y ? x < y : a < b;
  });
  findArrows(events);
  appendHead();
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i % kCheckEvery == 0) {
      m_progress.report(i, events.size());
      if (m_progress.stopRequested()) return base::fail({base::ErrorCode::Cancelled, "Saving the range was cancelled."});
    }
    if (auto written = appendEvent(events[i]); !written) return written;
    if (auto written = flush(kBlock); !written) return written;
  }
  appendLabels();
  m_text += "\n]}\n";
  return flush(0);
}

void ExtractWriter::findArrows(const std::vector<EventRef>& events) {
  std::unordered_set<std::uint32_t> calls;
  const auto collect = [&](bool ofGpu, std::unordered_set<std::uint32_t>& into) {
    for (const EventRef& event : events) {
      const SubLane& row = m_trace.subLane(event);
      const std::uint32_t launch = row.launch(event.index);
      if (launch != kNoLaunch && isGpuEvent(row.kind(event.index)) == ofGpu) into.insert(launch);
    }
  };
  collect(true, m_arrows);
  collect(false, calls);
  std::erase_if(m_arrows, [&](std::uint32_t launch) { return !calls.contains(launch); });
}

void ExtractWriter::appendHead() {
  const TraceInfo& info = m_trace.info();
  const auto member = [this](const char* key, std::string_view value) {
    appendJsonString(m_text, key);
    m_text += ": ";
    appendNumberOrString(m_text, value);
    m_text += ",\n";
  };
  m_text += "{\n\"schemaVersion\": 1,\n";
  if (!info.devices.empty()) {
    m_text += "\"deviceProperties\": [";
    for (const Device& device : info.devices) {
      m_text += &device == &info.devices.front() ? "{" : ", {";
      m_text += "\"id\": " + std::to_string(device.id) + ", \"name\": ";
      appendJsonString(m_text, device.name);
      m_text += ", \"totalGlobalMem\": " + std::to_string(device.memoryBytes) +
                ", \"numSms\": " + std::to_string(device.multiprocessors) + "}";
    }
    m_text += "],\n";
  }
  const auto text = [&info](const char* key) {
    const auto at = info.metadata.find(key);
    return at == info.metadata.end() ? std::string() : at->second;
  };
  if (info.rank) {
    m_text += "\"distributedInfo\": {\"rank\": " + std::to_string(*info.rank);
    if (info.worldSize) m_text += ", \"world_size\": " + std::to_string(*info.worldSize);
    for (const char* key : {"backend", "nccl_version"}) {
      if (text(key).empty()) continue;
      m_text += std::string(", \"") + key + "\": ";
      appendJsonString(m_text, text(key));
    }
    m_text += "},\n";
  }
  if (info.baseTimeNanoseconds) member("baseTimeNanoseconds", std::to_string(*info.baseTimeNanoseconds));
  for (const auto& [key, value] : info.metadata) {
    const bool own = key.starts_with("threewalls_") || key == "schemaVersion" || key == "displayTimeUnit";
    const bool inRank = info.rank && (key == "backend" || key == "nccl_version");
    // The source's own path, as the profiler notes it, is nobody else's business.
    if (!own && !inRank && key != "traceName") member(key.c_str(), value);
  }
  const auto note = [this](const char* key, std::string_view value) {
    m_text += std::string("\"threewalls_extract_") + key + "\": ";
    appendJsonString(m_text, value);
    m_text += ",\n";
  };
  note("of", std::filesystem::path(info.file).filename().string());
  note("content_hash", info.contentHash);
  member("threewalls_extract_from_ns", std::to_string(m_note.range.start.count()));
  member("threewalls_extract_to_ns", std::to_string(m_note.range.end.count()));
  note("written_by", m_note.program);
  m_text += "\"displayTimeUnit\": \"ms\",\n\"traceEvents\": [";
}

/// The call's own number, so that both ends agree where the source ties them by an arrow.
base::Result<std::string> ExtractWriter::correlationOf(std::uint32_t launch) {
  const auto known = m_correlations.find(launch);
  if (known != m_correlations.end()) return known->second;
  const auto call = readSource(m_trace, m_trace.launches()[launch]);
  if (!call) return base::fail(call.error());
  std::string number = call->correlation;
  const auto value = parseInteger(scalarText(number));
  if (!value || *value < 0) number = std::to_string(kOwnCorrelations + launch);
  return m_correlations.emplace(launch, std::move(number)).first->second;
}

base::Result<void> ExtractWriter::appendEvent(const EventRef& event) {
  auto found = readSource(m_trace, event);
  if (!found) return base::fail(found.error());
  const SubLane& row = m_trace.subLane(event);
  const std::uint32_t launch = row.launch(event.index);
  std::string correlation;
  if (launch != kNoLaunch) {
    auto number = correlationOf(launch);
    if (!number) return base::fail(number.error());
    correlation = std::move(*number);
  } else if (!m_severalCallers || !isGpuEvent(row.kind(event.index))) {
    // Where several processes launch, the reader ties nothing; an extract that holds one of them must not either.
    correlation = found->correlation;
  }

  Place& place = m_lanes[index(event.lane)];
  if (!std::exchange(place.used, true)) {
    place.process = found->process;
    place.thread = found->thread;
  }
  begin();
  m_text += "{\"ph\":\"X\"";
  const auto member = [this](const char* key, const std::string& value) {
    if (!value.empty()) m_text.append(",\"").append(key).append("\":").append(value);
  };
  member("cat", found->category);
  m_text += ",\"name\":";
  appendJsonString(m_text, m_trace.name(event));
  member("pid", found->process);
  member("tid", found->thread);
  member("ts", microseconds(row.start(event.index)));
  member("dur", microseconds(row.duration(event.index)));
  m_text += found->further;
  if (!correlation.empty()) {
    if (!found->arguments.empty()) found->arguments += ',';
    found->arguments += "\"correlation\":" + correlation;
  }
  if (!found->arguments.empty()) m_text.append(",\"args\":{").append(found->arguments).append("}");
  m_text += '}';
  if (launch != kNoLaunch && m_arrows.contains(launch)) appendArrow(event, *found, correlation);
  return {};
}

void ExtractWriter::appendArrow(const EventRef& event, const SourceEvent& source, const std::string& correlation) {
  if (source.process.empty() || source.thread.empty()) return;
  const SubLane& row = m_trace.subLane(event);
  const bool end = isGpuEvent(row.kind(event.index));
  begin();
  m_text.append("{\"ph\":\"").append(end ? "f" : "s").append("\",\"id\":").append(correlation);
  m_text.append(",\"pid\":").append(source.process).append(",\"tid\":").append(source.thread);
  m_text.append(",\"ts\":").append(microseconds(row.start(event.index)));
  m_text.append(",\"cat\":\"ac2g\",\"name\":\"ac2g\"").append(end ? ",\"bp\":\"e\"}" : "}");
}

void ExtractWriter::appendLabels() {
  std::set<std::string> processes;
  std::set<std::pair<std::string, std::string>> threads;
  const auto label = [this](const char* what, const Place& place, bool ofThread, const char* key, const std::string& value) {
    begin();
    m_text.append("{\"ph\":\"M\",\"name\":\"").append(what).append("\",\"pid\":").append(place.process);
    if (ofThread) m_text.append(",\"tid\":").append(place.thread);
    m_text.append(",\"args\":{\"").append(key).append("\":").append(value).append("}}");
  };
  const auto quoted = [](std::string_view text) {
    std::string out;
    appendJsonString(out, text);
    return out;
  };
  std::int64_t order = 0;  // as the lanes stand, whatever else the source holds
  for (std::size_t l = 0; l < m_lanes.size(); ++l) {
    const Place& place = m_lanes[l];
    const Lane& lane = m_trace.lanes()[l];
    if (!place.used || place.process.empty()) continue;
    const bool gpu = isGpuLane(lane.key.kind);
    ++order;
    if (processes.insert(place.process).second) {
      std::string name = lane.processLabel;
      const std::string number = " " + scalarText(place.process);
      if (!gpu && name.size() > number.size() && name.ends_with(number)) name.resize(name.size() - number.size());
      label("process_name", place, false, "name", quoted(name));
      label("process_labels", place, false, "labels", quoted(gpu ? "GPU " + std::to_string(lane.key.device) : "CPU"));
      label("process_sort_index", place, false, "sort_index", std::to_string((gpu ? kGpuSortIndex : 0) + order));
    }
    if (place.thread.empty() || !threads.insert({place.process, place.thread}).second) continue;
    label("thread_name", place, true, "name", quoted(lane.label));
    label("thread_sort_index", place, true, "sort_index", std::to_string(order));
  }
}

}  // namespace

base::Result<void> writeExtract(const Trace& trace, std::vector<EventRef> events, const ExtractNote& note, OutputFile& out,
                                const base::Progress& progress) {
  return ExtractWriter(trace, note, out, progress).write(std::move(events));
}

}  // namespace threewalls::trace

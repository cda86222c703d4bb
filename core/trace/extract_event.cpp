#include "trace/extract_event.h"

#include "trace/strict_json.h"

#include <set>
#include <string_view>

namespace threewalls::trace {
namespace {

std::string_view categoryFor(EventKind kind, LaneKind lane) {
  switch (kind) {
    case EventKind::Kernel: return "kernel";
    case EventKind::MemoryCopy: return "gpu_memcpy";
    case EventKind::MemorySet: return "gpu_memset";
    case EventKind::GraphSpan: return "cuda_graph";
    case EventKind::GpuAnnotation: return "gpu_user_annotation";
    case EventKind::GpuSync: return "cuda_sync";
    case EventKind::RuntimeCall: return "cuda_runtime";
    case EventKind::DriverCall: return "cuda_driver";
    case EventKind::Operator: return "cpu_op";
    case EventKind::Annotation: return "user_annotation";
    case EventKind::PythonFunction: return "python_function";
    case EventKind::Overhead: return "overhead";
    case EventKind::Other: return lane == LaneKind::HostThread ? "" : "cuda_profiler_range";
  }
  return "";
}

void append(std::string& list, const std::string& key, std::string_view value) {
  if (!list.empty()) list += ',';
  appendJsonString(list, key);
  list += ':';
  appendStrictJson(list, value);
}

SourceEvent parse(std::string_view text) {
  SourceEvent event;
  std::set<std::string> seen;
  const auto strict = [](std::string_view value) {
    std::string out;
    appendStrictJson(out, value);
    return out;
  };
  forEachMember(text, [&](const std::string& key, std::string_view value) {
    if (key == "cat") {
      event.category = strict(value);
    } else if (key == "pid") {
      event.process = strict(value);
    } else if (key == "tid") {
      event.thread = strict(value);
    } else if (key == "ph" || key == "ts" || key == "dur" || key == "name" || !seen.insert(key).second) {
      return;
    } else if (key != "args") {
      event.further += ',';
      std::string member;
      append(member, key, value);
      event.further += member;
    } else if (!value.starts_with('{')) {
      append(event.arguments, "args", value);
    } else {
      std::set<std::string> names;
      forEachMember(value, [&](const std::string& name, std::string_view argument) {
        if (!names.insert(name).second) return;
        if (name == "correlation") {
          event.correlation = strict(argument);
        } else {
          append(event.arguments, name, argument);
        }
      });
    }
  });
  return event;
}

SourceEvent fromColumns(const Trace& trace, const EventRef& event) {
  const LaneKey& key = trace.lane(event.lane).key;
  SourceEvent out;
  if (const std::string_view category = categoryFor(trace.kind(event), key.kind); !category.empty()) {
    appendJsonString(out.category, category);
  }
  std::string process = key.process;
  if (isGpuLane(key.kind)) {
    process = key.device < 0 ? "GPU" : std::to_string(key.device);
    if (!key.process.empty()) process = "process " + key.process + ", GPU " + std::to_string(key.device);
    out.arguments = "\"device\":" + std::to_string(key.device) + ",\"stream\":";
    appendNumberOrString(out.arguments, key.thread);
  }
  appendNumberOrString(out.process, process);
  appendNumberOrString(out.thread, key.thread);
  return out;
}

}  // namespace

base::Result<SourceEvent> readSource(const Trace& trace, const EventRef& event) {
  const bool json = trace.info().format != "nsys" && trace.subLane(event).byteOffset(event.index) != kNoOffset;
  if (!json) return fromColumns(trace, event);
  const auto text = trace.rawJson(event);
  if (!text) return base::fail(text.error());
  return parse(*text);
}

}  // namespace threewalls::trace

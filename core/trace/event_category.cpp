#include "trace/event_category.h"

#include <array>

namespace threewalls::trace {
namespace {

struct Entry {
  std::string_view name;
  Category category;
};

constexpr Category known(EventKind kind, LaneKind lane) {
  return {kind, lane, true, false};
}

constexpr std::array kEntries = {
    Entry{"cpu_op", known(EventKind::Operator, LaneKind::HostThread)},
    Entry{"python_function", known(EventKind::PythonFunction, LaneKind::HostThread)},
    Entry{"cuda_runtime", known(EventKind::RuntimeCall, LaneKind::HostThread)},
    Entry{"kernel", known(EventKind::Kernel, LaneKind::GpuStream)},
    Entry{"cuda_driver", known(EventKind::DriverCall, LaneKind::HostThread)},
    Entry{"gpu_memcpy", known(EventKind::MemoryCopy, LaneKind::GpuStream)},
    Entry{"gpu_memset", known(EventKind::MemorySet, LaneKind::GpuStream)},
    Entry{"user_annotation", known(EventKind::Annotation, LaneKind::HostThread)},
    Entry{"gpu_user_annotation", known(EventKind::GpuAnnotation, LaneKind::GpuAnnotation)},
    Entry{"cuda_sync", known(EventKind::GpuSync, LaneKind::GpuSync)},
    Entry{"overhead", known(EventKind::Overhead, LaneKind::Overhead)},
    Entry{"cuda_graph", known(EventKind::GraphSpan, LaneKind::GpuStream)},  // of our own extracts of nsys exports
    Entry{"cuda_profiler_range", known(EventKind::Other, LaneKind::Other)},
    Entry{"Trace", {EventKind::Other, LaneKind::Other, true, true}},
    Entry{"Operator", known(EventKind::Operator, LaneKind::HostThread)},
    Entry{"Runtime", known(EventKind::RuntimeCall, LaneKind::HostThread)},
    Entry{"Kernel", known(EventKind::Kernel, LaneKind::GpuStream)},
    Entry{"Memcpy", known(EventKind::MemoryCopy, LaneKind::GpuStream)},
    Entry{"Memset", known(EventKind::MemorySet, LaneKind::GpuStream)},
};

}  // namespace

Category categoryOf(std::string_view category) {
  for (const Entry& entry : kEntries) {
    if (entry.name == category) return entry.category;
  }
  for (const std::string_view accelerator : {"mtia_", "xpu_", "hpu_"}) {
    if (category.starts_with(accelerator)) return known(EventKind::Other, LaneKind::Other);
  }
  return {};
}

}  // namespace threewalls::trace

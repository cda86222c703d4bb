#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace threewalls::trace {

/// Strong indices into a Trace. `index(id)` gives the plain number.
enum class NameId : std::uint32_t {};
enum class LaneId : std::uint32_t {};
constexpr std::size_t index(NameId id) {
  return static_cast<std::size_t>(id);
}
constexpr std::size_t index(LaneId id) {
  return static_cast<std::size_t>(id);
}

/// What an event is, from its category in the file, never from its name alone.
enum class EventKind : std::uint8_t {
  Kernel,
  MemoryCopy,
  MemorySet,
  GraphSpan,  ///< a whole graph launch whose kernels were not recorded one by one
  GpuAnnotation,
  GpuSync,
  RuntimeCall,  ///< CUDA or HIP runtime
  DriverCall,
  Operator,
  Annotation,  ///< user annotation or NVTX range on the host
  PythonFunction,
  Overhead,  ///< the profiler's own cost
  Other,
};

/// Kernel, memory operation or graph span: what a ledger counts (definitions.md, Events).
constexpr bool isGpuEvent(EventKind kind) {
  return kind <= EventKind::GraphSpan;
}
/// Calls that can launch GPU work.
constexpr bool isLaunchCall(EventKind kind) {
  return kind == EventKind::RuntimeCall || kind == EventKind::DriverCall;
}

/// Marks on an event, combined with |.
namespace event_flag {
constexpr std::uint8_t kStray = 1;     ///< its duration is not believable (definitions.md, Events); kept and counted
constexpr std::uint8_t kRepaired = 2;  ///< start or duration was missing or wrong in the file
}  // namespace event_flag

/// One event of a Trace: sub-lane and index within it.
struct EventRef {
  LaneId lane{0};
  std::uint32_t subLane = 0;
  std::uint32_t index = 0;
  auto operator<=>(const EventRef&) const = default;
};

}  // namespace threewalls::trace

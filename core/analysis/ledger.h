#pragma once

#include "analysis/interval_set.h"
#include "analysis/kernel_class.h"
#include "base/units.h"
#include "trace/trace.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::analysis {

/// Where the time of a stretch on one device went (definitions.md, The ledger of a step). Exactly
/// duration = compute + exposed + memory + idle and communication = hidden + exposed; graph is part of compute,
/// hostBoundIdle and profilerIdle are disjoint parts of idle.
struct Ledger {
  base::Nanoseconds duration{0};
  base::Nanoseconds compute{0};
  base::Nanoseconds graph{0};
  base::Nanoseconds communication{0};
  base::Nanoseconds hidden{0};
  base::Nanoseconds exposed{0};
  base::Nanoseconds memory{0};
  base::Nanoseconds idle{0};
  base::Nanoseconds hostBoundIdle{0};
  base::Nanoseconds profilerIdle{0};

  base::Nanoseconds otherIdle() const { return idle - hostBoundIdle - profilerIdle; }
  base::Nanoseconds gpuActive() const { return duration - idle; }
  Ledger& operator+=(const Ledger& other);
  bool operator==(const Ledger&) const = default;
};

/// The six parts that add up to a duration, in the order in which bars and waterfalls show them.
enum class LedgerPart : std::uint8_t { Compute, ExposedCommunication, Memory, IdleHost, IdleProfiler, IdleOther };
constexpr std::array<LedgerPart, 6> kLedgerParts = {LedgerPart::Compute,      LedgerPart::ExposedCommunication,
                                                    LedgerPart::Memory,       LedgerPart::IdleHost,
                                                    LedgerPart::IdleProfiler, LedgerPart::IdleOther};
/// "compute", "exposed_communication", "memory", "idle_host", "idle_profiler", "idle_other": the words of cli.md.
std::string_view id(LedgerPart part);
/// "compute", "exposed communication", "memory operations", "idle, waiting for the host", "idle, profiler", "idle, other".
std::string_view label(LedgerPart part);
base::Nanoseconds part(const Ledger& ledger, LedgerPart part);

/// What one device did when: disjoint sets whose clipped lengths are the ledger of any range, each in O(log n).
class DeviceOccupancy {
 public:
  DeviceOccupancy() = default;
  /// Of the GPU events of `streams` (lanes of kind GpuStream of one device) and the profiler's overhead rows of the trace.
  DeviceOccupancy(const trace::Trace& trace, const std::vector<trace::LaneId>& streams, const Classification& classes);

  Ledger ledger(base::Interval range) const;
  /// First start to last end of the device's GPU events.
  base::Interval span() const { return m_span; }

  const IntervalSet& compute() const { return m_compute; }              ///< K ∪ G
  const IntervalSet& graphOnly() const { return m_graphOnly; }          ///< G \ K
  const IntervalSet& communication() const { return m_communication; }  ///< N
  const IntervalSet& exposed() const { return m_exposed; }              ///< N \ (K ∪ G)
  const IntervalSet& memory() const { return m_memory; }                ///< M \ (K ∪ G ∪ N)
  const IntervalSet& hostBoundIdle() const { return m_hostBoundIdle; }
  const IntervalSet& profilerIdle() const { return m_profilerIdle; }
  /// Everything between the first start and the last end that no GPU event covers.
  const IntervalSet& idle() const { return m_idle; }

 private:
  IntervalSet m_compute, m_graphOnly, m_communication, m_exposed, m_memory, m_hostBoundIdle, m_profilerIdle, m_idle;
  base::Interval m_span;
};

}  // namespace threewalls::analysis

#pragma once

#include "trace/piece_events.h"
#include "trace/trace_builder.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace threewalls::trace {

/// Joins the pieces of an event list, given in the order of the file, and hands them to a TraceBuilder: names and lanes become
/// common ones, begin and end events become events, labels and sort orders find their lanes.
class TraceAssembly {
 public:
  void add(PieceEvents&& piece);

  bool kineto() const { return m_kineto; }
  /// Whether reading again with the launch flows would tie GPU events that are not tied now.
  bool needsFlows() const { return m_gpuWithoutCorrelation > 0 && m_sawFlows; }
  std::uint64_t eventCount() const { return m_eventCount; }
  Findings& findings() { return m_findings; }

  /// Moves all events into `builder`.
  void moveTo(TraceBuilder& builder);

 private:
  struct JoinedLane {
    LaneKind kind = LaneKind::Other;
    std::string process;
    std::string thread;
    std::vector<std::vector<RawEvent>> chunks;
  };
  struct ProcessWords {
    std::string name;
    std::string labels;
    std::int64_t order = 0;
  };
  struct ThreadWords {
    std::string name;
    std::int64_t order = 0;
  };

  std::uint32_t laneOf(const PieceLane& lane);
  void takeLabel(PieceLabel&& label);
  void pairMarks();
  void applyFlows();
  void describe(const JoinedLane& lane, std::uint32_t handle, TraceBuilder& builder) const;

  NameTable m_names;
  std::vector<JoinedLane> m_lanes;
  std::unordered_map<std::string, std::uint32_t> m_laneOf;  ///< by kind, process and thread
  std::vector<PieceMark> m_marks;
  std::vector<PieceFlow> m_flows;
  std::unordered_map<std::string, ProcessWords> m_processes;
  std::unordered_map<std::string, ThreadWords> m_threads;  ///< by process and thread
  Findings m_findings;
  bool m_kineto = false;
  bool m_sawFlows = false;
  std::uint64_t m_gpuWithoutCorrelation = 0;
  std::uint64_t m_eventCount = 0;
};

}  // namespace threewalls::trace

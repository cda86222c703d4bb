#pragma once

#include "trace/findings.h"
#include "trace/lane.h"
#include "trace/piece_names.h"

#include <cstdint>
#include <string>
#include <vector>

namespace threewalls::trace {

/// Events of one (kind, pid, tid) of a piece; pid and tid as they stand in the file, without quotes.
struct PieceLane {
  LaneKind kind = LaneKind::Other;
  std::string process;
  std::string thread;
  std::vector<RawEvent> events;
};

/// A begin or end event: pairs can reach over pieces, so they are joined when all are read.
struct PieceMark {
  std::int64_t time = 0;
  std::uint64_t byteOffset = 0;
  std::int64_t correlation = -1;
  std::uint32_t stack = 0;  ///< lane that stands for the thread whatever the category: an end event has none
  std::uint32_t lane = 0;   ///< where the event goes
  NameId name{0};
  EventKind kind = EventKind::Other;
  bool begin = false;
};

/// What a metadata event says about a process, or about a thread when `thread` is meant.
struct PieceLabel {
  enum class What : std::uint8_t { ProcessName, ProcessLabels, ProcessOrder, ThreadName, ThreadOrder };
  What what = What::ProcessName;
  std::string process;
  std::string thread;
  std::string value;
};

/// One end of a launch flow (category ac2g, in 2021 async).
struct PieceFlow {
  std::int64_t time = 0;
  std::int64_t id = 0;
  std::uint32_t stack = 0;  ///< lane that stands for (pid, tid)
};

/// All that was read from one piece of the event list. Name ids and lane numbers count within the piece.
struct PieceEvents {
  PieceNames names;
  std::vector<PieceLane> lanes;
  std::vector<PieceMark> marks;
  std::vector<PieceLabel> labels;
  std::vector<PieceFlow> flows;
  Findings findings;
  bool kineto = false;    ///< a category of the profiler was seen
  bool sawFlows = false;  ///< launch flows were seen, kept or not
  std::uint64_t gpuWithoutCorrelation = 0;
};

}  // namespace threewalls::trace

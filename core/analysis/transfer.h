#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace threewalls::analysis {

/// What a memory operation or a collective moved, by the event's own arguments.
struct Transfer {
  std::uint64_t bytes = 0;
  std::optional<double> bytesPerSecond;  ///< bytes by duration; none for an event without length
  std::string source;                    ///< where the bytes stand in the file: "args.bytes"
};

/// Of a copy or memset: its "bytes". Of a collective: the larger of "In msg nelems" and "Out msg nelems" times the size of its
/// dtype, so that the rate is what nccl-tests calls algbw (doc/PERFORMANCE.md), not busbw. None when the trace does not say.
std::optional<Transfer> transferOf(const trace::Trace& trace, const trace::EventRef& event);

/// As above from the text of an event of this kind and length.
std::optional<Transfer> transferIn(const std::string& json, trace::EventKind kind, base::Nanoseconds length);

}  // namespace threewalls::analysis

#pragma once

#include "common/document.h"
#include "common/selection.h"

#include <QString>

namespace threewalls::timeline {

/// What can be said about a slice at once, in words: the tooltip, the accessible text and the details panel share it.
struct SliceFacts {
  QString name;  ///< as in the file, on one line
  base::Interval interval;
  QString duration;  ///< "116.1 µs"
  QString start;     ///< "4.118 ms in step 61", or of the trace where no step holds it
  QString lane;      ///< "stream 7 · GPU 0"
  QString what;      ///< "dense GEMM (compute)", or "CUDA runtime call" for host events
};

/// Facts of a slice of an open run. The slice must exist.
SliceFacts factsOf(const analysis::Analysis& analysis, const trace::EventRef& event);

/// One sentence for screen readers: name, duration, start, lane, class.
QString accessibleText(const SliceFacts& facts, common::Side side);

/// What an event is, in words: "kernel", "memory copy", "runtime call", ...
QString kindText(trace::EventKind kind);

/// The step of the lane's device that holds a GPU time; null outside all steps.
const analysis::Step* stepAt(const analysis::Analysis& analysis, const trace::Lane& lane, base::Nanoseconds time);

}  // namespace threewalls::timeline

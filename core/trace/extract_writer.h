#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/output_file.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace threewalls::trace {

/// What an extract says about where it comes from.
struct ExtractNote {
  base::Interval range;  ///< ns on the trace's clock
  std::string program;   ///< name and version of the writing program
};

/// Writes `events` (each once, in any order) as a Chrome-trace document laid out as Kineto's, strictly valid whatever the source
/// holds: whole events with their times in µs to the ns, their arguments as in the source made strict, names and order of
/// processes and threads, rank, devices and base time, `ac2g` arrows from launch calls to GPU events, and the note as scalars
/// `threewalls_extract_*`. An event and its launch call keep one `correlation`. Sources without text (nsys) give the columns;
/// of a process' own GPU lanes the pid reads "process 415, GPU 0", which the reader knows.
///
/// What a Trace does not hold is not written: instants, counters, asynchronous events, other arrows, host and user names.
/// Fails with ErrorCode::Cancelled, CannotWrite, or what reading the source gives.
base::Result<void> writeExtract(const Trace& trace, std::vector<EventRef> events, const ExtractNote& note, OutputFile& out,
                                const base::Progress& progress = {});

}  // namespace threewalls::trace

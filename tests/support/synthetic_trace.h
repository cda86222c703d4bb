#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <memory>

namespace threewalls::test {

/// A made-up MoE recording of about `events` events on 64 lanes, the same for the same arguments: 32 GPU streams on 8 devices
/// (compute, copies, dispatch and combine), each driven by one of 32 host threads whose operators, annotations and launch calls
/// nest. Host thread 0 carries 20 ProfilerStep annotations. Says format "synthetic".
std::shared_ptr<const trace::Trace> syntheticTrace(std::uint64_t events, std::uint32_t seed = 1);

}  // namespace threewalls::test

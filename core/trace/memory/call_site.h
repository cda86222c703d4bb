#pragma once

#include "trace/memory/pickle_reader.h"

#include <compare>
#include <cstdint>
#include <string_view>

namespace threewalls::trace::memory {

/// A place in a program; texts point into the pickle's bytes.
struct Site {
  std::string_view function, file;  ///< empty where there is no call stack
  std::int64_t line = 0;
  auto operator<=>(const Site&) const = default;
};

/// The frame of a call stack (a snapshot's "frames", innermost first) that says for what memory was taken: the innermost one of
/// the user's own Python, else of any Python, else (the backward pass runs on a thread without Python) the autograd node, else
/// the innermost that is neither the recorder's nor the allocator's.
Site siteOf(const PickleData& data, PickleData::Ref frames);

}  // namespace threewalls::trace::memory

#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace threewalls::trace {

/// Fills `buffer` from `offset` of an open file; fewer bytes only at its end. Nothing is mapped: a file that shrinks meanwhile
/// ends early and does not end the program.
base::Result<std::size_t> readAt(int descriptor, std::uint64_t offset, char* buffer, std::size_t size);
/// Appends all of `buffer` at `offset`.
base::Result<std::size_t> writeAt(int descriptor, std::uint64_t offset, const char* buffer, std::size_t size);
/// A file in $TMPDIR (or /tmp) without a name: it vanishes with its descriptor, however the program ends.
base::Result<int> unnamedTemporaryFile();

}  // namespace threewalls::trace

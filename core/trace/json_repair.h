#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace threewalls::trace {

/// What was replaced in a text, and where the first of each kind stood.
struct TextRepairs {
  std::uint64_t controls = 0;
  std::optional<std::size_t> firstControl;
  std::uint64_t badBytes = 0;
  std::optional<std::size_t> firstBadByte;
};

/// Makes text acceptable to simdjson, byte for byte so that places stay true: control characters (inside strings also line ends
/// and tabs) become blanks, bytes that are no UTF-8 become '?'. `text` begins outside a string.
TextRepairs repairText(char* text, std::size_t size);

}  // namespace threewalls::trace

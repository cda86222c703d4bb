#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace threewalls::trace {

/// Place behind the first element of a JSON array's content, which `text` begins with (blanks before it are allowed), told by
/// strings and depth alone; none when it does not end within `text`.
std::optional<std::size_t> elementEnd(std::string_view text);

/// Where the content of a JSON array can be cut, told by strings and depth alone from a true start.
struct ElementScan {
  std::size_t lastEnd = 0;              ///< behind the last complete element; 0 when there is none
  std::optional<std::size_t> arrayEnd;  ///< of the array's own closing bracket
};
ElementScan scanElements(std::string_view text);

/// A likely cut, found without reading what lies before it: behind the last '}' that is followed by a comma and '{'. Names can
/// hold such text, so whoever parses up to it must verify it. None when there is no such place.
std::optional<std::size_t> guessLastEnd(std::string_view text);
/// Likewise the first place, as the start of the element behind the comma.
std::optional<std::size_t> guessNextStart(std::string_view text);

}  // namespace threewalls::trace

#pragma once

#include <string>
#include <string_view>

namespace threewalls::trace {

/// `text` as valid UTF-8 without NUL: every byte that is not part of a character becomes U+FFFD.
std::string validText(std::string_view text);

}  // namespace threewalls::trace

#pragma once

#include <string_view>

namespace threewalls::trace {

/// Compares as people read: runs of digits as numbers of any length, all else by byte. Negative, zero or positive; zero for equal
/// texts only.
int compareNatural(std::string_view a, std::string_view b);

}  // namespace threewalls::trace

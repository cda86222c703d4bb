#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace threewalls::cli {

using NumberRange = std::pair<std::int64_t, std::int64_t>;

/// "A:B", both included; none for anything else or when B is smaller than A.
std::optional<NumberRange> numberRange(std::string_view text);

}  // namespace threewalls::cli

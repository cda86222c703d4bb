#pragma once

#include <string_view>

namespace threewalls::base {

/// Text of a file of resources/facts that was built into the program, by its file name ("kernels.json"); empty when there is
/// no such file.
std::string_view embeddedFact(std::string_view name);

}  // namespace threewalls::base

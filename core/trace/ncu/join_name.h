#pragma once

#include <string>
#include <string_view>

namespace threewalls::trace::ncu {

/// A kernel's name in the form that Nsight Compute, Nsight Systems and Kineto share: they leave out other namespaces, write
/// templates, lambdas, casts and `const` in different ways, and list other arguments. Namespaces, argument lists, `const`, blanks
/// and literal suffixes go; "true" becomes "1". Linear in the name; for comparing only.
std::string joinName(std::string_view name);

}  // namespace threewalls::trace::ncu

#pragma once

#include <string>
#include <string_view>

namespace threewalls::timeline {

/// A name for narrow places: what a kernel does first, then the machinery that runs it.
struct SliceName {
  std::string brief;  ///< "FillFunctor"
  std::string full;   ///< "FillFunctor · vectorized_elementwise_kernel"; the same as brief where there is no more to say
};

/// Takes C++ names apart, demangled if need be; other names stay as they are. Never fails, whatever the text.
SliceName sliceName(std::string_view name);

}  // namespace threewalls::timeline

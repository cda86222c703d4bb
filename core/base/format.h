#pragma once

#include "base/units.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace threewalls::base {

/// Three to four significant digits with the unit that fits: "870 ns", "41.7 µs", "1.84 ms", "12.3 s". UTF-8, no locale.
std::string formatDuration(Nanoseconds duration);

/// As formatDuration with an explicit sign: "+3.34 ms", "−2.91 ms" (U+2212), "0".
std::string formatSignedDuration(Nanoseconds duration);

/// Binary units: "512 B", "78.3 MiB", "1.16 GiB".
std::string formatBytes(std::uint64_t bytes);

/// "243,107".
std::string formatCount(std::uint64_t count);

/// A ratio 0..1 as "14.2 %".
std::string formatPercent(double ratio);

/// A kernel name short enough to read: namespaces, argument lists and template noise stripped, the functors that tell kernels of
/// one template apart kept ("vectorized_elementwise_kernel<FillFunctor<BFloat16>>"), names that were left mangled read by their
/// words; then elided in the middle to at most `width` characters. Never throws on hostile text, in linear time.
std::string shortKernelName(std::string_view name, std::size_t width = 64);

}  // namespace threewalls::base

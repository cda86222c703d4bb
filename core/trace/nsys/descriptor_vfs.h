#pragma once

#include <cstdint>
#include <string>

namespace threewalls::trace::nsys {

/// Name of a SQLite file system that opens "file descriptors": read-only, no locks, no journals. It lets a database be read that
/// has no path any more (the unlinked file that a .gz was inflated into) and keeps hostile paths out of SQLite's URIs.
/// Registered on first use. The descriptor stays the caller's.
const char* descriptorVfs();

/// The "path" of a database behind a descriptor. `size` is what SQLite is told; reads behind the real end give zeros.
std::string descriptorPath(int descriptor, std::uint64_t size);

}  // namespace threewalls::trace::nsys

#pragma once

#include "base/diagnostics.h"
#include "base/progress.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::trace::memory {

/// A line of the user's program that holds memory.
struct AllocationSite {
  std::string function,
      file;  ///< of the first frame that is no library's; "(allocated before the recording)" and the like without
  std::int64_t line = 0;
  std::uint64_t bytes = 0;  ///< alive at the peak, as the allocator rounds it
  std::uint64_t count = 0;  ///< allocations alive at the peak
};

/// What the caching allocator of one device did while the recording ran.
struct DeviceMemory {
  int device = 0;
  std::uint64_t events = 0;
  /// Highest sum of live allocations, each rounded to 512 bytes as the allocator does: torch.cuda.max_memory_allocated() of the
  /// recorded stretch, short of blocks that the allocator did not split.
  std::uint64_t peakAllocated = 0;
  std::uint64_t reservedAtPeak = 0;
  std::uint64_t peakReserved = 0;
  std::uint64_t allocatedAtEnd = 0;  ///< by the list of blocks
  std::uint64_t reservedAtEnd = 0;
  std::optional<std::int64_t> peakTimeNs;  ///< Unix time of the event that reached the peak; none without events
  std::uint64_t outOfMemory = 0;           ///< failed allocations in the recording
  bool wholeHistory = false;               ///< the recording goes back to the first allocation
  std::vector<AllocationSite> sites;       ///< at the peak, largest first
};

struct MemorySnapshot {
  std::vector<DeviceMemory> devices;
  base::Diagnostics diagnostics;
};

/// True for a pickle that names what a PyTorch memory snapshot holds near its beginning.
bool recognised(std::string_view firstBytes);

/// Reads a snapshot of torch.cuda.memory._dump_snapshot() without running any of it (pickle_reader.h). `bytes` is the plain file.
base::Result<MemorySnapshot> readMemorySnapshot(std::string_view bytes, const std::string& file);

/// readMemorySnapshot() of a stored file, which may be a .gz.
base::Result<MemorySnapshot> openMemorySnapshot(const std::string& path, const base::Progress& progress = {});

}  // namespace threewalls::trace::memory

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace threewalls::trace::nsys {

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000", "cuMemcpyAsync" of "cuMemcpyAsync_v2_ptsz": the name that Kineto writes.
std::string_view apiName(std::string_view recorded);

/// PyTorch's NVTX ranges end in ", op_id = 317126" or ", seq = 4": nearly every name would be unique. Without that tail.
std::string_view rangeName(std::string_view recorded);

/// Words behind the numbers of the copy and memory columns, as Kineto writes them. Starts with CUPTI's own numbers; an export's
/// ENUM tables may say otherwise.
class MemoryWords {
 public:
  MemoryWords();
  void setCopyKind(std::int64_t id, std::string_view enumName);    ///< "CUDA_MEMCPY_KIND_HTOD" -> "HtoD"
  void setMemoryKind(std::int64_t id, std::string_view enumName);  ///< "CUDA_MEMOPR_MEMORY_KIND_PINNED" -> "Pinned"

  /// "Memcpy HtoD (Pageable -> Device)"; "Memcpy DtoD" where the memory kinds are not known.
  std::string copy(std::optional<std::int64_t> copyKind, std::optional<std::int64_t> from, std::optional<std::int64_t> to) const;
  /// "Memset (Device)".
  std::string set(std::optional<std::int64_t> memoryKind) const;

 private:
  static constexpr std::size_t kKinds = 32;
  std::array<std::string, kKinds> m_copyKinds;
  std::array<std::string, kKinds> m_memoryKinds;
};

/// "Stream Sync" and the like, as Kineto names them; none for a number that CUPTI does not define.
std::string_view syncName(std::optional<std::int64_t> syncType);

}  // namespace threewalls::trace::nsys

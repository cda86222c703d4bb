#pragma once

#include "base/content_hash.h"
#include "base/diagnostics.h"
#include "base/result.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace threewalls::trace {

/// Inflates a gzip file of any number of members from front to back. A damaged or cut stream gives what could be inflated and a
/// diagnostic; the rest of the stored bytes is still hashed by drain().
class GzipReader {
 public:
  GzipReader(std::string path, int descriptor);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  /// Fewer than `size` bytes only at the end.
  base::Result<std::size_t> read(char* buffer, std::size_t size, base::ContentHash& hash, base::Diagnostics& diagnostics);
  /// Hashes the next stored bytes without inflating; false at the end.
  base::Result<bool> drain(base::ContentHash& hash);
  std::uint64_t storedPosition() const { return m_position; }

 private:
  base::Result<bool> refill(base::ContentHash& hash);
  void end(base::Diagnostics& diagnostics, const char* code, const char* message);
  base::Result<bool> nextMember(base::ContentHash& hash, base::Diagnostics& diagnostics);

  std::string m_path;
  int m_descriptor;
  z_stream m_stream{};
  std::vector<unsigned char> m_input;
  std::uint64_t m_position = 0;  ///< stored bytes read
  std::uint64_t m_inflated = 0;
  bool m_ended = false;
};

}  // namespace threewalls::trace

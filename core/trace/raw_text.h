#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>

namespace threewalls::trace {

/// The plain text of a trace file, kept open for reading single events: the file itself, or the unlinked temporary file that a
/// .gz was inflated into. Reads go through pread, so a file that shrinks meanwhile gives an error, not a crash.
class RawText {
 public:
  RawText(int descriptor, std::uint64_t size) : m_descriptor(descriptor), m_size(size) {}
  ~RawText();
  RawText(const RawText&) = delete;
  RawText& operator=(const RawText&) = delete;

  std::uint64_t size() const { return m_size; }
  int descriptor() const { return m_descriptor; }
  /// Up to `size` bytes at `offset`; shorter at the end of the file.
  base::Result<std::string> read(std::uint64_t offset, std::size_t size) const;
  /// The whole JSON object that starts at `offset`, at most 16 MiB of it.
  base::Result<std::string> jsonObjectAt(std::uint64_t offset) const;

 private:
  int m_descriptor;
  std::uint64_t m_size;
};

}  // namespace threewalls::trace

#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace threewalls::trace {

/// A file that appears whole or not at all: written under another name in the same folder and renamed by commit(). What was not
/// committed is removed. A name that ends in ".gz" gives gzip.
class OutputFile {
 public:
  /// Fails with ErrorCode::CannotWrite, and with InvalidArgument when `path` is `source` (by whatever name) or no regular file.
  static base::Result<std::unique_ptr<OutputFile>> create(const std::string& path, const std::string& source);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  base::Result<void> write(std::string_view text);
  /// Ends the content; until commit() it can be read under temporaryPath().
  base::Result<void> finish();
  /// After finish().
  base::Result<void> commit();

  const std::string& temporaryPath() const { return m_temporary; }
  /// As stored.
  std::uint64_t bytes() const { return m_bytes; }

 private:
  struct Deflate;
  OutputFile(std::string path, std::string temporary, int descriptor);
  base::Result<void> store(const char* data, std::size_t size);
  base::Error failure(const std::string& what, int code) const;

  std::string m_path;
  std::string m_temporary;
  int m_descriptor;
  std::uint64_t m_bytes = 0;
  std::unique_ptr<Deflate> m_deflate;
};

}  // namespace threewalls::trace

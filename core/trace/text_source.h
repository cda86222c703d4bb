#pragma once

#include "base/content_hash.h"
#include "base/diagnostics.h"
#include "base/progress.h"
#include "base/result.h"
#include "trace/raw_text.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace threewalls::trace {

class GzipReader;

/// The plain text of a stored file, read from front to back. A gzip file (told by its first two bytes) is inflated as it is read,
/// into an unlinked temporary file in $TMPDIR, so that text once read can be read again. The stored bytes are hashed on the way.
class TextSource {
 public:
  static base::Result<std::unique_ptr<TextSource>> open(const std::string& path);
  ~TextSource();

  /// Fills `buffer` with the text at `offset`, which is not beyond what was read so far; fewer than `size` bytes only at the end.
  base::Result<std::size_t> read(std::uint64_t offset, char* buffer, std::size_t size);
  /// Reads what is left of the stored file, so that the hash is of all of it. False when `progress` asked to stop.
  base::Result<bool> drain(const base::Progress& progress);

  std::uint64_t storedBytes() const { return m_storedBytes; }  ///< size of the stored file
  std::uint64_t storedPosition() const;                        ///< how much of it was read
  std::uint64_t textBytes() const { return m_textBytes; }      ///< plain text seen so far
  std::string hash() const { return m_hash.hex(); }
  /// What was wrong with the compressed stream.
  const base::Diagnostics& diagnostics() const { return m_diagnostics; }
  /// The plain text, for reading single events later; the source must not be read any more.
  std::shared_ptr<const RawText> takeText();

 private:
  TextSource(std::string path, int descriptor, std::uint64_t storedBytes);
  base::Result<std::size_t> readPlain(std::uint64_t offset, char* buffer, std::size_t size);
  base::Result<std::size_t> inflate(char* buffer, std::size_t size);

  std::string m_path;
  int m_descriptor = -1;  ///< of the plain text: the file itself or the temporary file
  std::uint64_t m_storedBytes = 0;
  std::uint64_t m_textBytes = 0;
  base::ContentHash m_hash;
  base::Diagnostics m_diagnostics;
  std::unique_ptr<GzipReader> m_gzip;  ///< none for a plain file
};

}  // namespace threewalls::trace

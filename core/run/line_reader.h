#pragma once

#include "base/result.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::run {

/// What stands between two line ends: a line feed, CR LF, or a bare carriage return as progress bars use it. Colour codes and
/// other control characters are gone; bytes of any encoding may be left.
struct LogText {
  std::string_view text;   ///< valid until the next call
  std::uint64_t line = 1;  ///< physical line: counts line feeds only, from 1
  bool terminated = true;  ///< false for what stands after the last line end of the file
};

/// Reads a log of any size in one pass and constant memory: of a line beyond kLongest bytes only the beginning is kept.
class LineReader {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  static base::Result<LineReader> open(const std::string& path);

  /// The raw beginning of the file, to tell what it is; valid until the first next().
  std::string_view head();
  /// False at the end of the file.
  bool next(LogText& out);
  std::uint64_t bytesRead() const { return m_bytesRead; }
  std::uint64_t fileBytes() const { return m_fileBytes; }
  /// Lines that lost their end to kLongest.
  std::uint64_t linesCut() const { return m_linesCut; }
  /// True when reading stopped at an error of the disk, not at the end of the file.
  bool failed() const { return m_failed; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  LineReader(std::FILE* file, std::uint64_t fileBytes);
  bool fill();

  std::unique_ptr<std::FILE, Close> m_file;
  std::vector<char> m_buffer;
  std::size_t m_position = 0;
  std::size_t m_filled = 0;
  std::string m_text;
  std::uint64_t m_line = 1;
  std::uint64_t m_bytesRead = 0;
  std::uint64_t m_fileBytes = 0;
  std::uint64_t m_linesCut = 0;
  bool m_afterReturn = false;
  bool m_failed = false;
};

/// Without escape sequences (CSI, OSC, two-character ones) and control characters other than the tab.
void stripControls(std::string& text);

}  // namespace threewalls::run

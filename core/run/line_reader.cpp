#include "run/line_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace threewalls::run {
namespace {

bool isControl(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
}

/// One past the escape sequence that begins at `at`; a sequence that the line's end cuts reaches to that end.
std::size_t escapeEnd(const std::string& text, std::size_t at) {
  std::size_t i = at + 1;
  if (i >= text.size()) return text.size();
  const char kind = text[i++];
  if (kind == '[') {
    while (i < text.size() && (text[i] < 0x40 || text[i] > 0x7E) && static_cast<unsigned char>(text[i]) < 0x80) ++i;
    return std::min(i + 1, text.size());
  }
  if (kind == ']') {
    while (i < text.size() && text[i] != '\a' && text[i] != 0x1B) ++i;
    if (i < text.size() && text[i] == 0x1B) ++i;
    return std::min(i + 1, text.size());
  }
  return i;
}

}  // namespace

void stripControls(std::string& text) {
  if (std::none_of(text.begin(), text.end(), isControl)) return;
  std::size_t out = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == 0x1B) {
      i = escapeEnd(text, i);
    } else {
      if (!isControl(text[i])) text[out++] = text[i];
      ++i;
    }
  }
  text.resize(out);
}

LineReader::LineReader(std::FILE* file, std::uint64_t fileBytes)
    : m_file(file), m_buffer(std::size_t{1} << 18), m_fileBytes(fileBytes) {}

base::Result<LineReader> LineReader::open(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return base::fail({base::ErrorCode::CannotRead, "This is a folder, not a log.", path, {}, {}, "Name the log inside it."});
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return base::fail({base::ErrorCode::CannotRead,
                       std::string("The log cannot be opened: ") + std::strerror(errno) + ".",
                       path,
                       {},
                       {},
                       "Check the path and its permissions."});
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return LineReader(file, error ? 0 : size);
}

bool LineReader::fill() {
  m_position = 0;
  m_filled = std::fread(m_buffer.data(), 1, m_buffer.size(), m_file.get());
  m_bytesRead += m_filled;
  if (m_filled == 0 && std::ferror(m_file.get()) != 0) m_failed = true;
  return m_filled > 0;
}

std::string_view LineReader::head() {
  if (m_bytesRead == 0) fill();
  return {m_buffer.data(), m_filled};
}

bool LineReader::next(LogText& out) {
  m_text.clear();
  out.line = m_line;
  out.terminated = false;
  bool cut = false;
  bool any = false;
  while (m_position < m_filled || fill()) {
    const char* from = m_buffer.data() + m_position;
    const char* end = m_buffer.data() + m_filled;
    if (m_afterReturn) {  // the line feed of a CR LF ends nothing more
      m_afterReturn = false;
      if (*from == '\n') {
        ++m_position;
        out.line = ++m_line;
        continue;
      }
    }
    const char* stop = std::find_if(from, end, [](char c) { return c == '\n' || c == '\r'; });
    const std::size_t size = static_cast<std::size_t>(stop - from);
    const std::size_t room = kLongest - m_text.size();
    m_text.append(from, std::min(size, room));
    cut = cut || size > room;
    any = true;
    m_position += size;
    if (stop == end) continue;
    ++m_position;
    out.terminated = true;
    if (*stop == '\n') {
      ++m_line;
    } else {
      m_afterReturn = true;
    }
    break;
  }
  if (!any) return false;
  if (cut) ++m_linesCut;
  stripControls(m_text);
  out.text = m_text;
  return true;
}

}  // namespace threewalls::run

#include "trace/raw_text.h"

#include "trace/file_io.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace threewalls::trace {
namespace {

constexpr std::size_t kLargestObject = std::size_t{16} << 20;

/// Walks JSON text and tells where the object that it began with ends. Strings are skipped, so brackets in names do not count.
class ObjectScanner {
 public:
  /// Length of the object once it is complete; 0 while it is not.
  std::size_t scan(std::string_view text) {
    for (; m_at < text.size(); ++m_at) {
      const char c = text[m_at];
      if (m_escaped) {
        m_escaped = false;
      } else if (m_inString) {
        m_escaped = c == '\\';
        m_inString = c != '"';
      } else if (c == '"') {
        m_inString = true;
      } else if (c == '{' || c == '[') {
        ++m_depth;
      } else if ((c == '}' || c == ']') && --m_depth == 0) {
        return m_at + 1;
      }
    }
    return 0;
  }

 private:
  std::size_t m_at = 0;
  std::size_t m_depth = 0;
  bool m_inString = false;
  bool m_escaped = false;
};

}  // namespace

RawText::~RawText() {
  ::close(m_descriptor);
}

base::Result<std::string> RawText::read(std::uint64_t offset, std::size_t size) const {
  if (offset >= m_size) return std::string();
  std::string out(static_cast<std::size_t>(std::min<std::uint64_t>(size, m_size - offset)), '\0');
  const auto got = readAt(m_descriptor, offset, out.data(), out.size());
  if (!got) return base::fail(got.error());
  out.resize(*got);
  return out;
}

base::Result<std::string> RawText::jsonObjectAt(std::uint64_t offset) const {
  ObjectScanner scanner;
  std::string text;
  for (std::size_t want = 4096; text.size() < kLargestObject; want = std::min(want * 4, kLargestObject - text.size())) {
    const auto more = read(offset + text.size(), want);
    if (!more) return base::fail(more.error());
    text += *more;
    if (text.empty() || text.front() != '{') break;
    if (const std::size_t length = scanner.scan(text); length > 0) {
      text.resize(length);
      return text;
    }
    if (more->size() < want) break;
  }
  base::Error error{base::ErrorCode::BadData, "There is no complete JSON object at this place of the file."};
  error.byteOffset = offset;
  error.hint = "The file may have changed since it was opened; open it again.";
  return base::fail(std::move(error));
}

}  // namespace threewalls::trace

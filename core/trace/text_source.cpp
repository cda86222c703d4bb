#include "trace/text_source.h"

#include "trace/file_io.h"
#include "trace/gzip_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace threewalls::trace {
namespace {

base::Error cannotOpen(const std::string& path, const std::string& why) {
  base::Error error{base::ErrorCode::CannotRead, "The file cannot be opened: " + why + "."};
  error.file = path;
  return error;
}

tl::unexpected<base::Error> failedAt(base::Error error, const std::string& path) {
  error.file = path;
  return base::fail(std::move(error));
}

}  // namespace

TextSource::TextSource(std::string path, int descriptor, std::uint64_t storedBytes)
    : m_path(std::move(path)), m_descriptor(descriptor), m_storedBytes(storedBytes) {}

TextSource::~TextSource() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

base::Result<std::unique_ptr<TextSource>> TextSource::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not block before it is refused
  if (descriptor < 0) return base::fail(cannotOpen(path, std::strerror(errno)));
  struct stat status {};
  ::fstat(descriptor, &status);
  std::unique_ptr<TextSource> source(new TextSource(path, descriptor, static_cast<std::uint64_t>(status.st_size)));
  if (!S_ISREG(status.st_mode))
    return base::fail(cannotOpen(path, S_ISDIR(status.st_mode) ? "it is a folder" : "it is no regular file"));
  std::array<char, 2> magic{};
  const auto got = readAt(descriptor, 0, magic.data(), magic.size());
  if (!got) return failedAt(got.error(), path);
  if (magic[0] == '\x1F' && magic[1] == '\x8B') {
    const auto temporary = unnamedTemporaryFile();
    if (!temporary) return failedAt(temporary.error(), path);
    source->m_gzip = std::make_unique<GzipReader>(path, descriptor);
    source->m_descriptor = *temporary;
  }
  return source;
}

std::uint64_t TextSource::storedPosition() const {
  return m_gzip ? m_gzip->storedPosition() : m_textBytes;
}

base::Result<std::size_t> TextSource::read(std::uint64_t offset, char* buffer, std::size_t size) {
  std::size_t done = 0;
  if (offset < m_textBytes) {
    const auto again = static_cast<std::size_t>(std::min<std::uint64_t>(size, m_textBytes - offset));
    const auto got = readAt(m_descriptor, offset, buffer, again);
    if (!got) return failedAt(got.error(), m_path);
    done = *got;
    if (done < again) return done;
  }
  if (done == size) return done;
  const auto got = m_gzip ? inflate(buffer + done, size - done) : readPlain(offset + done, buffer + done, size - done);
  if (!got) return failedAt(got.error(), m_path);
  m_textBytes += *got;
  return done + *got;
}

base::Result<std::size_t> TextSource::readPlain(std::uint64_t offset, char* buffer, std::size_t size) {
  auto got = readAt(m_descriptor, offset, buffer, size);
  if (got) m_hash.add(buffer, *got);
  return got;
}

base::Result<std::size_t> TextSource::inflate(char* buffer, std::size_t size) {
  const auto got = m_gzip->read(buffer, size, m_hash, m_diagnostics);
  if (!got) return got;
  return writeAt(m_descriptor, m_textBytes, buffer, *got);
}

base::Result<bool> TextSource::drain(const base::Progress& progress) {
  std::vector<char> buffer(std::size_t{1} << 20);
  while (!progress.stopRequested()) {
    if (m_gzip) {
      const auto more = m_gzip->drain(m_hash);
      if (!more) return failedAt(more.error(), m_path);
      if (!*more) return true;
    } else {
      const auto got = read(m_textBytes, buffer.data(), buffer.size());
      if (!got) return base::fail(got.error());
      if (*got == 0) return true;
    }
  }
  return false;
}

std::shared_ptr<const RawText> TextSource::takeText() {
  m_gzip.reset();
  const int descriptor = m_descriptor;
  m_descriptor = -1;
  return std::make_shared<RawText>(descriptor, m_textBytes);
}

}  // namespace threewalls::trace

#include "trace/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>
#include <vector>

namespace threewalls::trace {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 100;

base::Error cannotWrite(const std::string& path, const std::string& what, int code) {
  base::Error error{base::ErrorCode::CannotWrite, what + ": " + std::strerror(code) + ".", path};
  if (code == EACCES || code == EPERM || code == EROFS) error.hint = "Choose a folder that you may write to.";
  if (code == ENOSPC || code == EDQUOT) error.hint = "Free some space, or choose another disk or a shorter range.";
  if (code == ENOENT || code == ENOTDIR) error.hint = "The folder must exist.";
  return error;
}

}  // namespace

struct OutputFile::Deflate {
  z_stream stream{};
  std::vector<unsigned char> buffer = std::vector<unsigned char>(std::size_t{1} << 16);

  Deflate() {
    constexpr int kGzip = 15 + 16;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  }
  ~Deflate() { deflateEnd(&stream); }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
};

base::Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path, const std::string& source) {
  struct stat there {};
  std::string target = path;
  if (::stat(path.c_str(), &there) == 0) {
    if (!S_ISREG(there.st_mode)) {
      return base::fail({base::ErrorCode::InvalidArgument, "This is no regular file, so nothing is written over it.", path});
    }
    struct stat own {};
    if (::stat(source.c_str(), &own) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino) {
      base::Error error{base::ErrorCode::InvalidArgument, "This is the trace itself: an extract never replaces its source.",
                        path};
      error.hint = "Choose another name.";
      return base::fail(std::move(error));
    }
    std::error_code ignored;
    if (const fs::path real = fs::canonical(path, ignored); !real.empty()) target = real.string();  // a link stays one
  }
  const fs::path whole(target);
  if (!whole.has_filename()) return base::fail(cannotWrite(path, "The file cannot be written", EISDIR));
  for (int i = 0; i < kTries; ++i) {
    const std::string name =
        "." + whole.filename().string().substr(0, 200) + "." + std::to_string(::getpid()) + "-" + std::to_string(i) + ".part";
    const std::string temporary = (whole.parent_path() / name).string();
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return base::fail(cannotWrite(path, "The file cannot be written", errno));
    auto file = std::unique_ptr<OutputFile>(new OutputFile(target, temporary, descriptor));
    if (target.ends_with(".gz")) file->m_deflate = std::make_unique<Deflate>();
    return file;
  }
  return base::fail(cannotWrite(path, "The file cannot be written", EEXIST));
}

OutputFile::OutputFile(std::string path, std::string temporary, int descriptor)
    : m_path(std::move(path)), m_temporary(std::move(temporary)), m_descriptor(descriptor) {}

OutputFile::~OutputFile() {
  if (m_descriptor >= 0) ::close(m_descriptor);
  if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
}

base::Error OutputFile::failure(const std::string& what, int code) const {
  return cannotWrite(m_path, what, code);
}

base::Result<void> OutputFile::store(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::write(m_descriptor, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return base::fail(failure("The file cannot be written to its end", errno));
    data += done;
    size -= static_cast<std::size_t>(done);
    m_bytes += static_cast<std::uint64_t>(done);
  }
  return {};
}

base::Result<void> OutputFile::write(std::string_view text) {
  if (m_deflate == nullptr) return store(text.data(), text.size());
  z_stream& stream = m_deflate->stream;
  while (!text.empty()) {
    const std::size_t part = std::min<std::size_t>(text.size(), std::size_t{1} << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads it
    stream.avail_in = static_cast<uInt>(part);
    while (stream.avail_in > 0) {
      stream.next_out = m_deflate->buffer.data();
      stream.avail_out = static_cast<uInt>(m_deflate->buffer.size());
      deflate(&stream, Z_NO_FLUSH);
      const std::size_t made = m_deflate->buffer.size() - stream.avail_out;
      if (auto stored = store(reinterpret_cast<const char*>(m_deflate->buffer.data()), made); !stored) return stored;
    }
    text.remove_prefix(part);
  }
  return {};
}

base::Result<void> OutputFile::finish() {
  if (m_deflate != nullptr) {
    z_stream& stream = m_deflate->stream;
    int state = Z_OK;
    while (state == Z_OK || state == Z_BUF_ERROR) {
      stream.next_out = m_deflate->buffer.data();
      stream.avail_out = static_cast<uInt>(m_deflate->buffer.size());
      state = deflate(&stream, Z_FINISH);
      const std::size_t made = m_deflate->buffer.size() - stream.avail_out;
      if (auto stored = store(reinterpret_cast<const char*>(m_deflate->buffer.data()), made); !stored) return stored;
    }
  }
  if (::fsync(m_descriptor) != 0 && errno != EINVAL) return base::fail(failure("The file cannot be written to its end", errno));
  const int descriptor = std::exchange(m_descriptor, -1);
  if (::close(descriptor) != 0) return base::fail(failure("The file cannot be written to its end", errno));
  return {};
}

base::Result<void> OutputFile::commit() {
  if (::rename(m_temporary.c_str(), m_path.c_str()) != 0) return base::fail(failure("The file cannot be put in place", errno));
  m_temporary.clear();
  return {};
}

}  // namespace threewalls::trace

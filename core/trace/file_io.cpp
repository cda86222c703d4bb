#include "trace/file_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace threewalls::trace {
namespace {

std::string temporaryFolder() {
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

}  // namespace

base::Result<std::size_t> readAt(int descriptor, std::uint64_t offset, char* buffer, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor, buffer + done, size - done, static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      base::Error error{base::ErrorCode::CannotRead, std::string("Reading the file failed: ") + std::strerror(errno) + "."};
      error.byteOffset = offset + done;
      return base::fail(std::move(error));
    }
  }
  return done;
}

base::Result<std::size_t> writeAt(int descriptor, std::uint64_t offset, const char* buffer, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t put = ::pwrite(descriptor, buffer + done, size - done, static_cast<off_t>(offset + done));
    if (put > 0) {
      done += static_cast<std::size_t>(put);
    } else if (put == 0 || errno != EINTR) {
      base::Error error{base::ErrorCode::CannotRead, "Keeping the inflated text in " + temporaryFolder() + " failed after " +
                                                         std::to_string(offset + done) + " bytes: " + std::strerror(errno) + "."};
      error.hint = "Free some space there, or name a folder with more room in TMPDIR.";
      return base::fail(std::move(error));
    }
  }
  return done;
}

base::Result<int> unnamedTemporaryFile() {
  const std::string folder = temporaryFolder();
  int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) {  // not every file system has O_TMPFILE
    std::string name = folder + "/threewalls-XXXXXX";
    descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(name.c_str());
  }
  if (descriptor >= 0) return descriptor;
  return base::fail({base::ErrorCode::CannotRead,
                     "No temporary file can be made in " + folder + ": " + std::strerror(errno) + ".",
                     {},
                     {},
                     {},
                     "Name a folder that can be written in TMPDIR."});
}

}  // namespace threewalls::trace

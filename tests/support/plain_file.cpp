#include "support/plain_file.h"

#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace threewalls::test {

std::string fileContents(const std::string& path) {
  std::string out;
  gzFile file = gzopen(path.c_str(), "rb");  // reads plain files as they are
  if (file == nullptr) return out;
  std::array<char, 65536> block;
  for (int got = 0; (got = gzread(file, block.data(), block.size())) > 0;)
    out.append(block.data(), static_cast<std::size_t>(got));
  gzclose(file);
  return out;
}

std::shared_ptr<const trace::RawText> rawText(std::string_view bytes) {
  char path[] = "/tmp/threewalls_test_XXXXXX";
  const int descriptor = mkstemp(path);
  if (descriptor < 0) std::abort();
  unlink(path);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t wrote = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (wrote <= 0) std::abort();
    done += static_cast<std::size_t>(wrote);
  }
  return std::make_shared<const trace::RawText>(descriptor, bytes.size());
}

}  // namespace threewalls::test

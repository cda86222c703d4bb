#include "trace/gzip_reader.h"

#include "trace/file_io.h"

#include <unistd.h>

#include <algorithm>
#include <new>

namespace threewalls::trace {
namespace {

constexpr std::size_t kInput = std::size_t{256} << 10;
constexpr int kGzipOnly = 15 + 16;
// Traces shrink 10 to 60 times. Far beyond that, and large, the file was made to fill the disk.
constexpr std::uint64_t kBelievableRatio = 250;
constexpr std::uint64_t kAlwaysFine = std::uint64_t{2} << 30;

}  // namespace

GzipReader::GzipReader(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor), m_input(kInput) {
  if (inflateInit2(&m_stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

GzipReader::~GzipReader() {
  inflateEnd(&m_stream);
  ::close(m_descriptor);
}

base::Result<bool> GzipReader::refill(base::ContentHash& hash) {
  const auto got = readAt(m_descriptor, m_position, reinterpret_cast<char*>(m_input.data()), m_input.size());
  if (!got) return base::fail(got.error());
  hash.add(m_input.data(), *got);
  m_position += *got;
  m_stream.next_in = m_input.data();
  m_stream.avail_in = static_cast<uInt>(*got);
  return *got > 0;
}

void GzipReader::end(base::Diagnostics& diagnostics, const char* code, const char* message) {
  m_ended = true;
  diagnostics.note({base::Severity::Warning, code, message, m_path, m_inflated});
}

base::Result<bool> GzipReader::nextMember(base::ContentHash& hash, base::Diagnostics& diagnostics) {
  if (m_stream.avail_in == 0) {
    const auto more = refill(hash);
    if (!more) return base::fail(more.error());
    if (!*more) return false;
  }
  if (*m_stream.next_in == 0x1F) {
    inflateReset(&m_stream);
    return true;
  }
  if (*m_stream.next_in != 0) {  // blocks of tapes and pipes end in zeros
    diagnostics.note({base::Severity::Info, "trailing_bytes", "Bytes behind the compressed stream were left aside.", m_path, {}});
  }
  return false;
}

base::Result<std::size_t> GzipReader::read(char* buffer, std::size_t size, base::ContentHash& hash,
                                           base::Diagnostics& diagnostics) {
  std::size_t done = 0;
  while (done < size && !m_ended) {
    if (m_stream.avail_in == 0) {
      const auto more = refill(hash);
      if (!more) return base::fail(more.error());
      if (!*more) {
        end(diagnostics, "truncated_gzip", "The compressed stream ends too early: the file was cut short.");
        break;
      }
    }
    const auto room = static_cast<uInt>(std::min<std::size_t>(size - done, std::size_t{1} << 30));
    m_stream.next_out = reinterpret_cast<Bytef*>(buffer + done);
    m_stream.avail_out = room;
    const int state = ::inflate(&m_stream, Z_NO_FLUSH);
    done += room - m_stream.avail_out;
    m_inflated += room - m_stream.avail_out;
    if (state == Z_STREAM_END) {
      const auto more = nextMember(hash, diagnostics);
      if (!more) return base::fail(more.error());
      m_ended = !*more;
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      end(diagnostics, "corrupt_gzip", "The compressed stream is damaged; what stands before the damage was read.");
    }
    if (m_inflated > kAlwaysFine && m_inflated / kBelievableRatio > m_position) {
      return base::fail({base::ErrorCode::BadData,
                         "The compressed file inflates to more than 250 times its size, which no trace does.",
                         m_path,
                         {},
                         {},
                         "If it is a trace all the same, inflate it with gunzip first."});
    }
  }
  return done;
}

base::Result<bool> GzipReader::drain(base::ContentHash& hash) {
  m_ended = true;
  return refill(hash);
}

}  // namespace threewalls::trace

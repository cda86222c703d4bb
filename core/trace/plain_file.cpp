#include "trace/plain_file.h"

#include "base/format.h"
#include "trace/text_source.h"

#include <vector>

namespace threewalls::trace {

base::Result<PlainFile> readPlainFile(const std::string& path, const base::Progress& progress) {
  auto source = TextSource::open(path);
  if (!source) return base::fail(source.error());
  std::vector<char> buffer(std::size_t{1} << 20);
  while (true) {
    if (progress.stopRequested()) return base::fail({base::ErrorCode::Cancelled, "Opening the file was cancelled.", path});
    const auto got = (*source)->read((*source)->textBytes(), buffer.data(), buffer.size());
    if (!got) return base::fail(got.error());
    if (*got == 0) break;
    progress.report((*source)->storedPosition(), 2 * (*source)->storedBytes());
  }
  if (const auto drained = (*source)->drain(progress); !drained) return base::fail(drained.error());
  PlainFile out;
  out.info.file = path;
  out.info.fileBytes = (*source)->storedBytes();
  out.info.textBytes = (*source)->textBytes();
  out.info.contentHash = (*source)->hash();
  out.diagnostics = (*source)->diagnostics();
  out.text = (*source)->takeText();
  return out;
}

base::Result<std::string> readHead(const std::string& path, std::size_t size) {
  auto source = TextSource::open(path);
  if (!source) return base::fail(source.error());
  std::string head(size, '\0');
  const auto got = (*source)->read(0, head.data(), head.size());
  if (!got) return base::fail(got.error());
  head.resize(*got);
  return head;
}

base::Result<std::string> wholeText(const PlainFile& file, std::uint64_t mostBytes) {
  if (file.text->size() > mostBytes) {
    return base::fail({base::ErrorCode::Unsupported,
                       "The file is larger than " + base::formatBytes(mostBytes) + " when unpacked.", file.info.file});
  }
  return file.text->read(0, static_cast<std::size_t>(file.text->size()));
}

}  // namespace threewalls::trace

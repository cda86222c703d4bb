#pragma once

#include "base/diagnostics.h"
#include "base/progress.h"
#include "base/result.h"
#include "trace/raw_text.h"
#include "trace/trace.h"

#include <cstdint>
#include <memory>
#include <string>

namespace threewalls::trace {

/// A stored file, read to its end: inflated where it is a .gz, and hashed.
struct PlainFile {
  std::shared_ptr<const RawText> text;
  TraceInfo info;                 ///< path, sizes and hash
  base::Diagnostics diagnostics;  ///< what was wrong with the compressed stream
};
base::Result<PlainFile> readPlainFile(const std::string& path, const base::Progress& progress = {});

/// The first `size` bytes of the plain text.
base::Result<std::string> readHead(const std::string& path, std::size_t size);

/// All of a plain text in memory; an error when it is larger than `mostBytes`.
base::Result<std::string> wholeText(const PlainFile& file, std::uint64_t mostBytes);

}  // namespace threewalls::trace

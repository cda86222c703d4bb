#include "trace/open.h"

#include "trace/kineto_reader.h"
#include "trace/nsys/nsys_importer.h"
#include "trace/nsys/sqlite_file.h"

namespace threewalls::trace {
namespace {

/// Reports are files of NVIDIA's own that only its programs read: says how to export them.
std::string exportHint(std::string_view path) {
  if (path.ends_with(".nsys-rep") || path.ends_with(".qdrep"))
    return "Export it first: nsys export --type sqlite " + std::string(path);
  if (path.ends_with(".ncu-rep"))
    return "Nsight Compute reports hold no timeline; their metrics are read from: ncu --csv --page raw -i " + std::string(path);
  return {};
}

}  // namespace

base::Result<std::shared_ptr<const Trace>> openTrace(const std::string& path, const base::Progress& progress, unsigned threads) {
  const auto head = readHead(path, 16);
  if (head && nsys::SqliteFile::recognised(*head)) {
    auto file = readPlainFile(path, progress);
    if (!file) return base::fail(file.error());
    return nsys::importNsys(std::move(*file), progress);
  }
  auto trace = readTrace(path, progress, {threads});
  if (trace || exportHint(path).empty()) return trace;
  base::Error error = trace.error();
  error.hint = exportHint(path);
  return base::fail(std::move(error));
}

}  // namespace threewalls::trace

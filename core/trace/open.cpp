#include "trace/open.h"

#include "trace/kineto_reader.h"

namespace threewalls::trace {

base::Result<std::shared_ptr<const Trace>> openTrace(const std::string& path, const base::Progress& progress, unsigned threads) {
  return readTrace(path, progress, {threads});
}

}  // namespace threewalls::trace

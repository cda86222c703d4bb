#pragma once

#include "common/document.h"
#include "support/test_files.h"
#include "trace/open.h"

#include <QtGlobal>

namespace threewalls::test {

/// A run of the sample study: "loop" or "grouped". Loaded once per program.
inline common::Run sampleRun(const char* name) {
  static std::map<std::string, common::Run> loaded;
  common::Run& run = loaded[name];
  if (run.analysis == nullptr) {
    const auto trace = trace::openTrace(repositoryFile(std::string("resources/sample/") + name + ".pt.trace.json.gz"));
    if (!trace) qFatal("%s", trace.error().text().c_str());
    run.name = QString::fromLatin1(name);
    run.analysis = analysis::analyze(*trace);
    run.alone = std::make_shared<const compare::Comparison>(compare::compare(run.analysis, run.analysis));
  }
  return run;
}

/// Opens the sample study in a document: the loop as A, grouped GEMM as B.
inline void openSample(common::Document& document) {
  const common::Run a = sampleRun("loop");
  const common::Run b = sampleRun("grouped");
  document.setRuns(a, b, std::make_shared<const compare::Comparison>(compare::compare(a.analysis, b.analysis)), "Sample study");
}

/// Opens one run alone.
inline void openAlone(common::Document& document, common::Side side, const char* name) {
  const common::Run run = sampleRun(name);
  document.setRuns(side == common::Side::A ? std::optional(run) : std::nullopt,
                   side == common::Side::B ? std::optional(run) : std::nullopt, nullptr, run.name);
}

}  // namespace threewalls::test

#pragma once

#include "support/test_files.h"

#include <nlohmann/json.hpp>

#include <QProcess>
#include <QStringList>

#include <set>
#include <string>

namespace threewalls::test {

/// One run of the built threewalls-cli.
struct Run {
  int code = -1;
  QByteArray out;
  QByteArray err;

  nlohmann::json object() const { return nlohmann::json::parse(out.toStdString(), nullptr, false); }
};

inline Run cli(const QStringList& arguments) {
  QProcess process;
  process.start(THREEWALLS_CLI, arguments);
  Run run;
  if (!process.waitForFinished(120'000)) return run;
  run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
  run.out = process.readAllStandardOutput();
  run.err = process.readAllStandardError();
  return run;
}

inline QString sample(const char* name) {
  return QString::fromStdString(repositoryFile(std::string("resources/sample/") + name + ".pt.trace.json.gz"));
}

using Keys = std::set<std::string>;

/// What of `wanted` is missing in `object`, for a message.
inline std::string missing(const nlohmann::json& object, const Keys& wanted) {
  std::string out;
  for (const std::string& key : wanted) out += object.contains(key) ? "" : key + " ";
  return out;
}

}  // namespace threewalls::test

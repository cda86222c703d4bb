#include "window/run_loader.h"

#include "common/text.h"
#include "run/training_log.h"
#include "trace/open.h"

#include <QDir>
#include <QFileInfo>

namespace threewalls::window {
namespace {

using common::Side;

/// The file name without the suffixes that traces and logs have.
QString stem(const QString& path) {
  QString name = QFileInfo(path).fileName();
  bool shorter = true;
  while (shorter) {
    shorter = false;
    for (const QString& suffix : {QStringLiteral(".gz"), QStringLiteral(".json"), QStringLiteral(".trace"), QStringLiteral(".pt"),
                                  QStringLiteral(".log")}) {
      if (name.size() > suffix.size() && name.endsWith(suffix, Qt::CaseInsensitive)) {
        name.chop(suffix.size());
        shorter = true;
      }
    }
  }
  return name;
}

/// Null when the file is no training log with iterations.
std::shared_ptr<const run::TrainingLog> readLog(const QString& path, const base::Progress& progress) {
  auto log = run::readTrainingLog({path.toStdString()}, progress);
  if (!log || log->iterations.empty()) return nullptr;
  return std::make_shared<const run::TrainingLog>(std::move(*log));
}

compare::RunSide sideOf(const common::Run& run) {
  return {run.analysis, run.log, {}};
}

void compareAlone(common::Run& run) {
  run.alone = std::make_shared<const compare::Comparison>(compare::compare(sideOf(run), sideOf(run)));
}

base::Result<common::Run> openRun(const QString& path, const base::Progress& progress) {
  auto trace = trace::openTrace(path.toStdString(), progress);
  if (!trace) return base::fail(trace.error());
  common::Run run;
  run.name = runName(path);
  run.analysis = analysis::analyze(*trace);
  const QString beside = QFileInfo(path).dir().filePath(stem(path) + QStringLiteral(".log"));
  if (QFileInfo(beside).isFile()) run.log = readLog(beside, progress);
  compareAlone(run);
  return run;
}

base::Error logWithoutRun(const QString& path) {
  base::Error error;
  error.code = base::ErrorCode::InvalidArgument;
  error.message = "This is a training log, and no trace is open that it could belong to.";
  error.file = path.toStdString();
  error.hint = "Open the run's trace first; a log of the same name beside it is found by itself.";
  return error;
}

base::Error tooMany(int files) {
  base::Error error;
  error.code = base::ErrorCode::InvalidArgument;
  error.message = std::to_string(files) + " files were given; two traces can be compared, as A and B.";
  error.hint = "The first two were opened. Replace one with the menu behind A or B.";
  return error;
}

}  // namespace

QString runName(const QString& path) {
  return common::toText(stem(path).toStdString());
}

RunLoader::RunLoader(common::Document* document, common::JobService* jobs, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs) {}

void RunLoader::open(const QStringList& paths, const QString& title) {
  if (paths.isEmpty()) return;
  if (paths.size() > 2) emit failed(tooMany(static_cast<int>(paths.size())));
  Request request;
  request.title = title;
  request.files = paths.mid(0, 2);
  add(std::move(request));
}

void RunLoader::openOn(Side side, const QString& path) {
  Request request;
  request.onSide[static_cast<std::size_t>(side)] = path;
  add(std::move(request));
}

void RunLoader::close(Side side) {
  Request request;
  request.close[static_cast<std::size_t>(side)] = true;
  add(std::move(request));
}

void RunLoader::closeAll() {
  Request request;
  request.close = {true, true};
  add(std::move(request));
}

void RunLoader::swap() {
  Request request;
  request.swap = true;
  add(std::move(request));
}

void RunLoader::add(Request request) {
  m_waiting.push_back(std::move(request));
  if (!m_busy) startNext();
}

void RunLoader::startNext() {
  if (m_waiting.empty()) {
    m_busy = false;
    return;
  }
  m_busy = true;
  Request request = std::move(m_waiting.front());
  m_waiting.pop_front();

  Runs runs = {m_document->run(Side::A), m_document->run(Side::B)};
  std::array<QString, 2> paths = request.onSide;
  if (request.files.size() == 2) paths = {request.files[0], request.files[1]};
  if (request.files.size() == 1) paths[runs[0] ? 1 : 0] = request.files[0];
  if (request.swap) std::swap(runs[0], runs[1]);
  for (std::size_t side = 0; side < 2; ++side) {
    if (request.close[side]) runs[side].reset();
  }

  QStringList names;
  for (const QString& path : paths) {
    if (!path.isEmpty()) names << runName(path);
  }
  const QString title = names.isEmpty() ? tr("Comparing") : tr("Loading %1").arg(names.join(QStringLiteral(", ")));
  m_jobs->submit<Loaded>(
      title, [runs, paths](const base::Progress& progress) { return load(runs, paths, progress); },
      [self = QPointer<RunLoader>(this), asked = request.title](base::Result<Loaded> result) {
        if (self == nullptr) return;
        if (result) {
          for (const base::Error& error : result->errors) emit self->failed(error);
          for (const QString& path : result->opened) emit self->opened(path);
          const auto& first = result->runs[0] ? result->runs[0] : result->runs[1];
          QString folder;
          if (first) folder = QFileInfo(QString::fromStdString(first->analysis->trace->info().file)).absoluteDir().dirName();
          QString documentTitle = asked;
          if (documentTitle.isEmpty()) {
            documentTitle = result->opened.isEmpty() ? self->m_document->title() : common::toText(folder.toStdString());
          }
          const bool changed = !result->opened.isEmpty() || result->errors.empty();
          if (changed)
            self->m_document->setRuns(result->runs[0], result->runs[1], result->comparison, first ? documentTitle : QString());
        } else if (result.error().code != base::ErrorCode::Cancelled) {
          emit self->failed(result.error());
        }
        self->startNext();
      });
}

base::Result<RunLoader::Loaded> RunLoader::load(Runs runs, const std::array<QString, 2>& paths, const base::Progress& progress) {
  std::uint64_t total = 0;
  for (const QString& path : paths) total += path.isEmpty() ? 0 : static_cast<std::uint64_t>(QFileInfo(path).size());
  Loaded loaded;
  std::vector<std::pair<std::size_t, std::shared_ptr<const run::TrainingLog>>> logs;  // by the side their file was given for
  std::uint64_t before = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (paths[side].isEmpty()) continue;
    const auto size = static_cast<std::uint64_t>(QFileInfo(paths[side]).size());
    auto run = openRun(paths[side], progress.part(before, before + size, total));
    before += size;
    if (progress.stopRequested()) return Loaded{};  // the service answers that it was cancelled
    if (run) {
      runs[side] = std::move(*run);
      loaded.opened << paths[side];
    } else if (auto log = readLog(paths[side], progress)) {
      logs.emplace_back(side, std::move(log));
    } else {
      loaded.errors.push_back(run.error());
    }
  }
  for (auto& [side, log] : logs) {
    const auto owns = [&, path = paths[side]](const std::optional<common::Run>& run) {
      return run && stem(QString::fromStdString(run->analysis->trace->info().file)) == stem(path);
    };
    const std::size_t owner = owns(runs[side]) ? side : owns(runs[1 - side]) || !runs[side] ? 1 - side : side;
    if (!runs[owner]) {
      loaded.errors.push_back(logWithoutRun(paths[side]));
      continue;
    }
    runs[owner]->log = std::move(log);
    compareAlone(*runs[owner]);
    loaded.opened << paths[side];
  }
  if (runs[0] && runs[1]) {
    loaded.comparison = std::make_shared<const compare::Comparison>(compare::compare(sideOf(*runs[0]), sideOf(*runs[1])));
  }
  loaded.runs = std::move(runs);
  return loaded;
}

}  // namespace threewalls::window

#pragma once

#include "base/result.h"
#include "common/document.h"
#include "common/job_service.h"

#include <array>
#include <deque>
#include <optional>

namespace threewalls::window {

/// "loop" of "/a/b/loop.pt.trace.json.gz": the file name without the suffixes that traces have.
QString runName(const QString& path);

/// Changes what the document holds, one request after the other, with all reading and comparing on workers. When a file cannot
/// be read, what was open stays open.
class RunLoader : public QObject {
  Q_OBJECT
 public:
  RunLoader(common::Document* document, common::JobService* jobs, QObject* parent = nullptr);

  /// One trace goes to side A when that is empty, else to B; two go to A and B in their order; more are refused by `failed`. A
  /// trace brings along the training log of its own name beside it ("loop.log" of "loop.pt.trace.json.gz"); a log that is opened
  /// itself goes to the run of its name, else to the side it would have filled.
  void open(const QStringList& paths, const QString& title = {});
  void openOn(common::Side side, const QString& path);
  void close(common::Side side);
  void closeAll();
  void swap();

  /// A request is being worked on or waits.
  bool busy() const { return m_busy; }

 signals:
  void failed(const threewalls::base::Error& error);
  void opened(const QString& path);

 private:
  using Runs = std::array<std::optional<common::Run>, 2>;
  /// What a worker brings back.
  struct Loaded {
    Runs runs;
    std::shared_ptr<const compare::Comparison> comparison;
    QStringList opened;
    std::vector<base::Error> errors;
  };
  struct Request {
    QString title;
    QStringList files;  ///< for the free sides
    std::array<QString, 2> onSide;
    std::array<bool, 2> close{};
    bool swap = false;
  };

  void add(Request request);
  void startNext();
  static base::Result<Loaded> load(Runs runs, const std::array<QString, 2>& paths, const base::Progress& progress);

  common::Document* m_document;
  common::JobService* m_jobs;
  std::deque<Request> m_waiting;
  bool m_busy = false;
};

}  // namespace threewalls::window

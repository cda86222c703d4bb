#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace threewalls::common {

/// A piece of work in progress, as the GUI thread sees it. It goes away after `finished`: keep it in a QPointer.
class Job : public QObject {
  Q_OBJECT
 public:
  QString title() const { return m_title; }
  QString key() const { return m_key; }
  /// 0..1; none until the work has said how much there is.
  std::optional<double> fraction() const;
  /// Rough time left from the speed so far; none in the first moments.
  std::optional<std::chrono::milliseconds> remaining() const;
  /// Completes the job as cancelled now; what the worker still brings is thrown away.
  void cancel();

 signals:
  void progressed();
  void finished();

 private:
  friend class JobService;
  /// Counters that a worker writes while the GUI thread reads.
  struct Counters {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};
  };

  Job(QString title, QString key, QObject* parent) : QObject(parent), m_title(std::move(title)), m_key(std::move(key)) {}
  base::Progress progress() const;

  QString m_title;
  QString m_key;
  std::shared_ptr<Counters> m_counters = std::make_shared<Counters>();
  std::stop_source m_stop;
  std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
  std::function<void()> m_onCancel;  ///< empty once the job is complete
};

/// Runs work off the GUI thread. Every job has exactly one completion, on the GUI thread, after submit() has returned.
class JobService : public QObject {
  Q_OBJECT
 public:
  explicit JobService(QObject* parent = nullptr);
  /// Cancels what runs and waits for the workers; completions are still called, as cancelled.
  ~JobService() override;

  /// Runs `work` on a worker and then `done` on the GUI thread with its result: an error with ErrorCode::Cancelled when it was
  /// cancelled, and whatever `work` threw as an error. A job with the non-empty `key` of one in progress replaces it: the older
  /// one completes as cancelled.
  template <class T>
  Job* submit(const QString& title, std::function<base::Result<T>(const base::Progress&)> work,
              std::function<void(base::Result<T>)> done, const QString& key = {});

  /// Jobs in progress, oldest first.
  std::vector<Job*> jobs() const;

 signals:
  void jobsChanged();

 private:
  Job* begin(const QString& title, const QString& key);
  void end(Job* job);
  static base::Error cancelled();
  static base::Error thrown(const char* what);

  QThreadPool m_pool;
  QTimer m_ticker;  ///< runs only while jobs do
  std::vector<QPointer<Job>> m_jobs;
};

template <class T>
Job* JobService::submit(const QString& title, std::function<base::Result<T>(const base::Progress&)> work,
                        std::function<void(base::Result<T>)> done, const QString& key) {
  Job* job = begin(title, key);
  auto finish = std::make_shared<std::function<void(base::Result<T>)>>(std::move(done));
  job->m_onCancel = [this, job, finish] {
    end(job);
    (*finish)(base::fail(cancelled()));
  };
  m_pool.start([this, job = QPointer<Job>(job), progress = job->progress(), work = std::move(work), finish] {
    // Shared, because a queued functor must be copyable and T need not be.
    auto result = std::make_shared<base::Result<T>>(base::fail(cancelled()));
    try {
      if (!progress.stopRequested()) *result = work(progress);
    } catch (const std::exception& error) {
      *result = base::fail(thrown(error.what()));
    }
    QMetaObject::invokeMethod(
        this,
        [this, job, finish, result] {
          if (job == nullptr || !std::exchange(job->m_onCancel, nullptr)) return;  // has completed as cancelled
          if (job->m_stop.stop_requested()) *result = base::fail(cancelled());
          end(job);
          (*finish)(std::move(*result));
        },
        Qt::QueuedConnection);
  });
  return job;
}

}  // namespace threewalls::common

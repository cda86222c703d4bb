#include "common/job_service.h"

#include <algorithm>
#include <utility>

namespace threewalls::common {
namespace {

constexpr int kTickMilliseconds = 100;
/// Before this the speed says nothing.
constexpr std::chrono::milliseconds kEstimateAfter{500};
constexpr double kEstimateFrom = 0.03;

}  // namespace

std::optional<double> Job::fraction() const {
  const std::uint64_t total = m_counters->total.load(std::memory_order_relaxed);
  if (total == 0) return std::nullopt;
  const std::uint64_t done = std::min(m_counters->done.load(std::memory_order_relaxed), total);
  return static_cast<double>(done) / static_cast<double>(total);
}

std::optional<std::chrono::milliseconds> Job::remaining() const {
  using std::chrono::milliseconds;
  const auto elapsed = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - m_started);
  const auto part = fraction();
  if (!part || *part < kEstimateFrom || elapsed < kEstimateAfter) return std::nullopt;
  return milliseconds(static_cast<std::int64_t>(static_cast<double>(elapsed.count()) * (1 - *part) / *part));
}

void Job::cancel() {
  m_stop.request_stop();
  // Completion is never called from inside the caller's own code.
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (const auto complete = std::exchange(m_onCancel, nullptr)) complete();
      },
      Qt::QueuedConnection);
}

base::Progress Job::progress() const {
  return base::Progress(m_stop.get_token(), [counters = m_counters](std::uint64_t done, std::uint64_t total) {
    counters->done.store(done, std::memory_order_relaxed);
    counters->total.store(total, std::memory_order_relaxed);
  });
}

JobService::JobService(QObject* parent) : QObject(parent) {
  // One more than the cores, so that a short question to a view never waits behind a long load.
  m_pool.setMaxThreadCount(QThread::idealThreadCount() + 1);
  m_ticker.setInterval(kTickMilliseconds);
  connect(&m_ticker, &QTimer::timeout, this, [this] {
    for (const QPointer<Job>& job : m_jobs) {
      if (job != nullptr) emit job->progressed();
    }
  });
}

JobService::~JobService() {
  // A completion may submit again: go on until nothing is left.
  while (!m_jobs.empty()) {
    Job* job = m_jobs.front();
    job->m_stop.request_stop();
    std::exchange(job->m_onCancel, nullptr)();
  }
  m_pool.waitForDone();
}

std::vector<Job*> JobService::jobs() const {
  std::vector<Job*> running;
  for (const QPointer<Job>& job : m_jobs) {
    if (job != nullptr) running.push_back(job);
  }
  return running;
}

Job* JobService::begin(const QString& title, const QString& key) {
  if (!key.isEmpty()) {
    for (Job* job : jobs()) {
      if (job->key() == key) job->cancel();
    }
  }
  auto* job = new Job(title, key, this);
  m_jobs.emplace_back(job);
  m_ticker.start();
  emit jobsChanged();
  return job;
}

void JobService::end(Job* job) {
  std::erase_if(m_jobs, [job](const QPointer<Job>& other) { return other == job || other == nullptr; });
  if (m_jobs.empty()) m_ticker.stop();
  emit job->finished();
  job->deleteLater();
  emit jobsChanged();
}

base::Error JobService::cancelled() {
  base::Error error;
  error.code = base::ErrorCode::Cancelled;
  error.message = "Cancelled.";
  return error;
}

base::Error JobService::thrown(const char* what) {
  base::Error error;
  error.message = std::string("It stopped with an internal error: ") + what;
  error.hint = "Please report this with the file that shows it.";
  return error;
}

}  // namespace threewalls::common

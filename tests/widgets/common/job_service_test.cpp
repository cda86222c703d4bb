#include "common/job_service.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <chrono>
#include <thread>

using namespace threewalls;
using common::Job;
using common::JobService;

namespace {

/// Work that goes on until it is told to stop.
base::Result<int> endless(const base::Progress& progress) {
  while (!progress.stopRequested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return 1;
}

}  // namespace

class JobServiceTest : public QObject {
  Q_OBJECT

 private slots:
  void workRunsElsewhereAndCompletesOnceOnTheGuiThread() {
    JobService service;
    std::thread::id worker;
    std::thread::id completion;
    int completions = 0;
    int value = 0;
    service.submit<int>(
        "count",
        [&](const base::Progress&) -> base::Result<int> {
          worker = std::this_thread::get_id();
          return 42;
        },
        [&](base::Result<int> result) {
          ++completions;
          completion = std::this_thread::get_id();
          value = result.value();
        });
    QCOMPARE(completions, 0);
    QTRY_COMPARE(completions, 1);
    QTest::qWait(50);
    QCOMPARE(completions, 1);
    QCOMPARE(value, 42);
    QVERIFY(worker != std::this_thread::get_id());
    QCOMPARE(completion, std::this_thread::get_id());
    QVERIFY(service.jobs().empty());
  }

  void cancelCompletesWithinATenthOfASecondEvenWhenTheWorkerIsDeaf() {
    JobService service;
    std::atomic<bool> release{false};
    int completions = 0;
    base::ErrorCode code{};
    Job* job = service.submit<int>(
        "deaf",
        [&](const base::Progress&) -> base::Result<int> {
          while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return 7;
        },
        [&](base::Result<int> result) {
          ++completions;
          code = result.error().code;
        });
    QTest::qWait(20);
    QElapsedTimer timer;
    timer.start();
    job->cancel();
    QCOMPARE(completions, 0);  // never from inside cancel()
    QTRY_COMPARE_WITH_TIMEOUT(completions, 1, 100);
    QVERIFY(timer.elapsed() <= 100);
    QCOMPARE(code, base::ErrorCode::Cancelled);
    release = true;
    QTest::qWait(50);
    QCOMPARE(completions, 1);
  }

  void cancelReachesTheWorker() {
    std::atomic<bool> left{false};
    JobService service;
    Job* job = service.submit<int>(
        "endless",
        [&](const base::Progress& progress) {
          auto result = endless(progress);
          left = true;
          return result;
        },
        [](const base::Result<int>&) {});
    job->cancel();
    job->cancel();  // twice does no harm
    QTRY_VERIFY(left || service.jobs().empty());
  }

  void theLatestJobOfAKeyWins() {
    JobService service;
    std::vector<QString> log;
    for (int i = 0; i < 5; ++i) {
      service.submit<int>(
          "query",
          [i](const base::Progress& progress) -> base::Result<int> {
            if (i < 4) return endless(progress);
            return i;
          },
          [&log, i](const base::Result<int>& result) {
            log.push_back(QString("%1 %2").arg(i).arg(result ? "done" : "cancelled"));
          },
          "view");
    }
    QTRY_COMPARE(log.size(), std::size_t{5});
    std::sort(log.begin(), log.end());
    QCOMPARE(log, (std::vector<QString>{"0 cancelled", "1 cancelled", "2 cancelled", "3 cancelled", "4 done"}));
  }

  void jobsOfDifferentKeysDoNotTouchEachOther() {
    JobService service;
    int done = 0;
    for (const char* key : {"a", "b", "", ""}) {
      service.submit<int>(
          "work", [](const base::Progress&) -> base::Result<int> { return 1; },
          [&done](const base::Result<int>& result) { done += result ? 1 : 0; }, key);
    }
    QTRY_COMPARE(done, 4);
  }

  void whatTheWorkThrowsIsAnError() {
    JobService service;
    QString text;
    service.submit<int>(
        "throws", [](const base::Progress&) -> base::Result<int> { throw std::runtime_error("out of ideas"); },
        [&](const base::Result<int>& result) { text = QString::fromStdString(result.error().text()); });
    QTRY_VERIFY(text.contains("out of ideas"));
  }

  void progressIsShownWithATimeEstimate() {
    JobService service;
    std::atomic<bool> release{false};
    Job* job = service.submit<int>(
        "half way",
        [&](const base::Progress& progress) -> base::Result<int> {
          progress.report(50, 100);
          while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return 0;
        },
        [](const base::Result<int>&) {});
    QVERIFY(!job->fraction());
    QSignalSpy progressed(job, &Job::progressed);
    QTRY_VERIFY(progressed.count() >= 8);
    QCOMPARE(job->fraction().value(), 0.5);
    // Half of the work took as long as the other half will: between 0.5 s (when estimates start) and this test's patience.
    QVERIFY(job->remaining().has_value());
    QVERIFY(job->remaining()->count() >= 500);
    QVERIFY(job->remaining()->count() < 5000);
    release = true;
    QTRY_VERIFY(service.jobs().empty());
  }

  void closingTheServiceCompletesWhatRuns() {
    int completions = 0;
    {
      JobService service;
      service.submit<int>("endless", endless, [&](const base::Result<int>& result) { completions += result ? 100 : 1; });
      QTest::qWait(10);
    }
    QCOMPARE(completions, 1);
  }

  void manyJobsFinishExactlyOnceEach() {
    JobService service;
    std::array<int, 300> completions{};
    for (std::size_t i = 0; i < completions.size(); ++i) {
      Job* job = service.submit<int>(
          "small", [](const base::Progress&) -> base::Result<int> { return 1; },
          [&completions, i](const base::Result<int>&) { ++completions[i]; });
      if (i % 3 == 0) job->cancel();
      if (i % 7 == 0) QCoreApplication::processEvents();
    }
    QTRY_VERIFY(service.jobs().empty());
    QTest::qWait(20);
    QVERIFY(std::all_of(completions.begin(), completions.end(), [](int count) { return count == 1; }));
  }
};

QTEST_MAIN(JobServiceTest)
#include "job_service_test.moc"

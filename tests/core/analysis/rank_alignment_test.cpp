#include "analysis/rank_alignment.h"
#include "support/test_files.h"
#include "trace/open.h"
#include "trace/rank_files.h"

#include <QtTest>

#include <random>

using namespace threewalls;
using namespace threewalls::analysis;
using base::Nanoseconds;
using namespace std::chrono_literals;

namespace {

/// What the generator makes of a job: true times, seen through each rank's clock.
struct Job {
  std::vector<std::int64_t> offsets;  ///< ns that a rank's clock is ahead of the truth
  std::vector<double> driftPpm;
  int collectives = 200;
  std::int64_t jitter = 2000;       ///< ns that ends and starts scatter by
  std::optional<std::size_t> slow;  ///< enters every collective 300 µs late
  bool sequenced = true;
  unsigned seed = 1;
};

std::vector<RankCollectives> record(const Job& job) {
  std::mt19937 random(job.seed);
  const auto jitter = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(2 * most + 1)) - most;
  };
  std::vector<RankCollectives> out(job.offsets.size());
  for (std::size_t r = 0; r < out.size(); ++r) out[r].rank = static_cast<int>(r);
  std::int64_t now = 1'700'000'000'000'000'000;
  const std::int64_t begin = now;
  for (int c = 0; c < job.collectives; ++c) {
    now += 5'000'000;
    std::vector<std::int64_t> starts;
    for (std::size_t r = 0; r < out.size(); ++r) starts.push_back(now + jitter(40'000) + (job.slow == r ? 300'000 : 0));
    const std::int64_t end = *std::max_element(starts.begin(), starts.end()) + 250'000;
    for (std::size_t r = 0; r < out.size(); ++r) {
      const auto seen = [&](std::int64_t time) {
        return time + job.offsets[r] + static_cast<std::int64_t>(job.driftPpm[r] * 1e-6 * static_cast<double>(time - begin));
      };
      CollectiveCall call;
      call.name = c % 3 == 0 ? "all_gather" : "all_reduce";
      if (job.sequenced) {
        call.group = "0";
        call.sequence = c;
      }
      call.interval = {Nanoseconds(seen(starts[r])), Nanoseconds(seen(end + jitter(job.jitter)))};
      out[r].calls.push_back(call);
    }
  }
  return out;
}

/// What is to be added to rank r's times at `middle` of rank 0's clock, by construction.
double trueOffset(const Job& job, std::size_t r, Nanoseconds middle) {
  const double elapsed = static_cast<double>(middle.count() - 1'700'000'000'000'000'000 - job.offsets[0]);
  return static_cast<double>(job.offsets[0] - job.offsets[r]) + (job.driftPpm[0] - job.driftPpm[r]) * 1e-6 * elapsed;
}

}  // namespace

class RankAlignmentTest : public QObject {
  Q_OBJECT

 private slots:
  void offsetsDriftAndTheSlowRankOfAGeneratedJobAreRecovered_data() {
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<bool>("sequenced");
    for (unsigned seed = 1; seed <= 6; ++seed) QTest::addRow("seed %u", seed) << seed << (seed % 2 == 0);
  }

  void offsetsDriftAndTheSlowRankOfAGeneratedJobAreRecovered() {
    QFETCH(unsigned, seed);
    QFETCH(bool, sequenced);
    Job job;
    job.offsets = {3'000'000, -7'123'456'789, 12'345, 900'000'000'000, -1, 55'555};
    job.driftPpm = {0, 30, -20, 0, 5, 100};
    job.slow = 4;
    job.seed = seed;
    job.sequenced = sequenced;
    const auto found = alignRanks(record(job));
    QVERIFY2(found.has_value(), found ? "" : found.error().text().c_str());
    QCOMPARE(found->basis, sequenced ? MatchBasis::GroupAndSequence : MatchBasis::NameAndOrder);
    QCOMPARE(found->collectives.size(), std::size_t{200});
    QVERIFY(found->errorBar <= 6us);
    for (std::size_t r = 0; r < job.offsets.size(); ++r) {
      const double error = static_cast<double>(found->clocks[r].offset.count()) - trueOffset(job, r, found->middle);
      QVERIFY2(std::abs(error) <= static_cast<double>(found->clocks[r].errorBar.count()) + (r == 0 ? 0.5 : 0),
               qPrintable(QString::number(error)));
      QVERIFY(std::abs(found->clocks[r].driftPpm - (job.driftPpm[0] - job.driftPpm[r])) < 1.0);
    }
    const Arrivals arrivals = arrivalsOf(*found);
    QCOMPARE(arrivals.straggler, std::optional<std::size_t>(4));
    QVERIFY(std::abs((arrivals.ranks[4].lateness - 300us).count()) < 20'000);
    QVERIFY(std::abs((arrivals.medianTransfer - 250us).count()) < 10'000);
  }

  void noRankIsNamedWhereNoneLags() {
    Job job;
    job.offsets = {0, 1000, 2000, 3000};
    job.driftPpm = {0, 0, 0, 0};
    const auto found = alignRanks(record(job));
    QVERIFY(found.has_value());
    QVERIFY(!arrivalsOf(*found).straggler.has_value());
    for (const RankClock& clock : found->clocks) QCOMPARE(clock.driftPpm, 0.0);
  }

  void ranksThatMeetOnlyThroughOthersAreAligned() {
    Job job;
    job.offsets = {0, 500'000, -800'000};
    job.driftPpm = {0, 0, 0};
    auto ranks = record(job);
    std::erase_if(ranks[0].calls, [](const CollectiveCall& call) { return call.sequence % 2 == 0; });  // 0 and 2 never meet
    std::erase_if(ranks[2].calls, [](const CollectiveCall& call) { return call.sequence % 2 == 1; });
    const auto found = alignRanks(ranks);
    QVERIFY2(found.has_value(), found ? "" : found.error().text().c_str());
    QVERIFY(std::abs(static_cast<double>(found->clocks[2].offset.count()) - 800'000) < 6000);
  }

  void setsThatCannotBeAlignedAreRefused() {
    Job job;
    job.offsets = {0, 1000};
    job.driftPpm = {0, 0};
    const auto refusal = [](const std::vector<RankCollectives>& ranks) {
      const auto found = alignRanks(ranks);
      return found ? QString("aligned") : QString::fromStdString(found.error().message);
    };
    QVERIFY(refusal({record(job)[0]}).contains("fewer than two ranks"));
    Job few = job;
    few.collectives = 2;
    QVERIFY(refusal(record(few)).contains("shares 2 collectives"));
    Job counts = job;  // no sequence, and one rank lacks a call of each name: nothing can be matched by order
    counts.sequenced = false;
    auto unequal = record(counts);
    unequal[1].calls.resize(unequal[1].calls.size() - 4);
    QVERIFY(refusal(unequal).contains("shares 0 collectives"));
    auto foreign = record(job);  // recordings of different moments: the ends have nothing to do with one another
    std::mt19937 random(5);
    for (CollectiveCall& call : foreign[1].calls) {
      const Nanoseconds shift(random() % 2'000'000'000U);
      call.interval = {call.interval.start + shift, call.interval.end + shift};
    }
    QVERIFY(refusal(foreign).contains("scatter"));
    auto disjoint = record(job);  // ends agree, but half of the collectives would be over on one rank before the other begins
    for (std::size_t i = 0; i < disjoint[1].calls.size(); i += 2) {
      auto& interval = disjoint[1].calls[i].interval;
      interval = {interval.end + 500us, interval.end + 750us};
    }
    QVERIFY(refusal(disjoint) != "aligned");
  }

  void theEightRanksOfTheSharedJobEndTogetherWithinMicroseconds() {
    const auto folder = test::sharedFile("traces/kineto/multirank_dlrm8");
    if (!folder) QSKIP("the shared traces are not here");
    const auto files = trace::findRankFiles(*folder);
    QVERIFY(files.has_value());
    std::vector<RankCollectives> ranks;
    for (const trace::RankFile& file : files->files) {
      const auto trace = trace::openTrace(file.path);
      QVERIFY(trace.has_value());
      ranks.push_back(collectivesOf(**trace, Classification(**trace, ClassTable::builtIn())));
      QCOMPARE(ranks.back().calls.size(), std::size_t{8});
    }
    const auto found = alignRanks(ranks);
    QVERIFY2(found.has_value(), found ? "" : found.error().text().c_str());
    QCOMPARE(found->basis, MatchBasis::NameAndOrder);
    QVERIFY(found->errorBar <=
            6us);  // by an independent script the ends of no collective differ by more than 5 µs from the median
    const Arrivals arrivals = arrivalsOf(*found);
    // Rank 7 enters five of the eight collectives last, by the same script.
    QCOMPARE(arrivals.straggler, std::optional<std::size_t>(7));
    QCOMPARE(arrivals.ranks[7].last, std::size_t{5});
  }
};

QTEST_GUILESS_MAIN(RankAlignmentTest)
#include "rank_alignment_test.moc"

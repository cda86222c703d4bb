#include "compare/compare.h"
#include "core/analysis/trace_maker.h"

#include <QtTest>

#include <numeric>
#include <random>

using namespace threewalls;
using base::Nanoseconds;
using compare::Claim;
using test::TraceMaker;

namespace {

using AnalysisPtr = std::shared_ptr<const analysis::Analysis>;

constexpr const char* kH200 = "NVIDIA H200";

struct Setup {
  std::string gpu = kH200;
  std::optional<int> worldSize = 1;
};

void describe(TraceMaker& maker, const Setup& setup) {
  maker.info().devices.push_back({0, setup.gpu, 0, 0});
  maker.info().worldSize = setup.worldSize;
}

/// Steps of the given durations, each one GEMM kernel followed by an idle tenth.
AnalysisPtr withSteps(const std::vector<std::int64_t>& durations, const Setup& setup = {}) {
  TraceMaker maker;
  describe(maker, setup);
  std::int64_t now = 0;
  int number = 1;
  for (const std::int64_t duration : durations) {
    maker.marker(number++, now, now + 1).kernel("nvjet_gemm", now, duration - duration / 10, now);
    now += duration;
  }
  maker.marker(number, now, now + 1);  // closes the last step; its own work is as long as a step that counts for nothing
  return analysis::analyze(maker.make());
}

/// A random recording with every part of the ledger in it.
AnalysisPtr randomSteps(std::mt19937& random) {
  TraceMaker maker;
  describe(maker, {});
  const auto below = [&](unsigned bound) { return static_cast<std::int64_t>(random() % bound); };
  std::int64_t now = 1000;
  const int steps = 1 + static_cast<int>(below(7));
  for (int step = 0; step < steps; ++step) {
    maker.marker(step, now, now + 10);
    for (int i = 0; i < 12; ++i) {
      static const std::vector<std::pair<trace::EventKind, std::string>> kKinds = {
          {trace::EventKind::Kernel, "nvjet_gemm"},          {trace::EventKind::Kernel, "ncclDevKernel_AllReduce_Sum"},
          {trace::EventKind::MemoryCopy, "Memcpy DtoD (x)"}, {trace::EventKind::Kernel, "fill_kernel"},
          {trace::EventKind::MemorySet, "Memset (Device)"},  {trace::EventKind::Kernel, "only " + std::to_string(below(3))}};
      const auto& [kind, name] = kKinds[static_cast<std::size_t>(below(6))];
      maker.gpu(kind, name, now + below(90), below(30), now + below(10), 7 + static_cast<int>(below(2)));
    }
    if (below(2) == 0) maker.overhead(now + below(90), below(20));
    now += 100 + below(50);
  }
  return analysis::analyze(maker.make());
}

std::vector<std::int64_t> around(std::int64_t middle, std::int64_t spread, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> out;
  for (int i = 0; i < count; ++i) out.push_back(middle - spread + static_cast<std::int64_t>(random() % (2 * spread + 1)));
  return out;
}

}  // namespace

class CompareTest : public QObject {
  Q_OBJECT

 private slots:
  void aTraceAgainstItselfShowsNoDifferenceAnywhere() {
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
      const AnalysisPtr a = randomSteps(random);
      const compare::Comparison self = compare::compare(a, a);
      QCOMPARE(self.waterfall.residue().count(), 0);
      for (const Nanoseconds part : self.waterfall.delta) QCOMPARE(part.count(), 0);
      for (const compare::KernelDelta& kernel : self.kernels) {
        QCOMPARE(kernel.delta().count(), 0);
        QCOMPARE(kernel.aCount, kernel.bCount);
      }
      QVERIFY(self.claim == Claim::TooFewSteps || self.claim == Claim::NoDifference);
    }
    const AnalysisPtr many = withSteps(around(10'000, 500, 12, 3));
    QCOMPARE(compare::compare(many, many).claim, Claim::NoDifference);
    QCOMPARE(*compare::compare(many, many).stepTime.ratio, 1.0);
  }

  void theWaterfallClosesExactlyAndTurnsItsSignWhenSidesAreSwapped() {
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round) {
      const AnalysisPtr a = randomSteps(random);
      const AnalysisPtr b = randomSteps(random);
      const compare::Comparison forward = compare::compare(a, b);
      const compare::Comparison back = compare::compare(b, a);
      QCOMPARE(forward.waterfall.residue().count(), 0);
      const auto& delta = forward.waterfall.delta;
      QCOMPARE(std::accumulate(delta.begin(), delta.end(), Nanoseconds{0}), forward.waterfall.meanB - forward.waterfall.meanA);
      QCOMPARE(forward.waterfall.meanA, back.waterfall.meanB);
      for (std::size_t i = 0; i < delta.size(); ++i) QCOMPARE(delta[i], -back.waterfall.delta[i]);
      QCOMPARE(forward.kernels.size(), back.kernels.size());
      for (std::size_t i = 0; i < forward.kernels.size(); ++i) {
        QCOMPARE(forward.kernels[i].name, back.kernels[i].name);
        QCOMPARE(forward.kernels[i].delta(), -back.kernels[i].delta());
      }
    }
  }

  void everyPartOfTheWaterfallIsWithinRoundingOfTheExactDifferenceOfMeans() {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
      const AnalysisPtr a = randomSteps(random);
      const AnalysisPtr b = randomSteps(random);
      const compare::Waterfall waterfall = compare::compare(a, b).waterfall;
      const auto exactMean = [](const AnalysisPtr& side, analysis::LedgerPart which) {
        long double sum = 0;
        int count = 0;
        for (const analysis::Step& step : side->lanes.at(0).steps) {
          if (!step.steady()) continue;
          sum += static_cast<long double>(part(step.ledger, which).count());
          ++count;
        }
        return sum / count;
      };
      long double off = 0;
      for (std::size_t i = 0; i < waterfall.delta.size(); ++i) {
        const analysis::LedgerPart which = analysis::kLedgerParts[i];
        const long double error =
            static_cast<long double>(waterfall.delta[i].count()) - (exactMean(b, which) - exactMean(a, which));
        QVERIFY(std::fabs(error) <= 4.5L);  // all rounding can land in one part: 6 x 0.5 and the means' 2 x 0.5, less its own
        off += std::fabs(error) > 0.5L ? 1 : 0;
      }
      QVERIFY(off <= 1);
    }
  }

  void kernelsAreJoinedByNameAndCountedPerStep() {
    TraceMaker a;
    describe(a, {});
    a.marker(1, 0, 10).marker(2, 100, 110);
    a.kernel("both", 0, 10, 0).kernel("both", 20, 20, 1).kernel("both", 100, 30, 100).kernel("only a", 130, 5, 101);
    TraceMaker b;
    describe(b, {});
    b.marker(1, 0, 10);
    b.kernel("only b", 0, 50, 0).kernel("both", 60, 40, 1);
    const AnalysisPtr analysisA = analysis::analyze(a.make());
    const AnalysisPtr analysisB = analysis::analyze(b.make());
    const compare::Comparison comparison = compare::compare(analysisA, analysisB);
    QCOMPARE(comparison.kernels.size(), std::size_t{3});
    QCOMPARE(comparison.kernels[0].name, std::string("only b"));
    QCOMPARE(comparison.kernels[0].delta().count(), 50);
    QVERIFY(!comparison.kernels[0].aName && comparison.kernels[0].bName);
    QCOMPARE(comparison.kernels[1].name, std::string("both"));
    QCOMPARE(comparison.kernels[1].a.count(), 30);
    QCOMPARE(comparison.kernels[1].aCount, 1.5);
    QCOMPARE(comparison.kernels[1].b.count(), 40);
    QCOMPARE(comparison.kernels[2].name, std::string("only a"));
    QCOMPARE(comparison.kernels[2].aCount, 0.5);
    QCOMPARE(std::string(analysisA->trace->names()[*comparison.kernels[2].aName]), std::string("only a"));
  }

  void markedStepsStayOutOfMeansMediansAndKernels() {
    std::vector<std::int64_t> durations(6, 1000);
    durations[2] = 5000;  // an outlier
    const compare::Comparison comparison = compare::compare(withSteps(durations), withSteps(std::vector<std::int64_t>(6, 1000)));
    QCOMPARE(comparison.stepTime.countA, std::size_t{5});
    QCOMPARE(comparison.stepTime.countB, std::size_t{6});
    for (const compare::KernelDelta& kernel : comparison.kernels) QCOMPARE(kernel.delta().count(), 0);
  }

  void claimsFollowTheIntervalOfTheRatio_data() {
    QTest::addColumn<int>("middleB");
    QTest::addColumn<int>("claim");
    QTest::addColumn<QString>("words");
    QTest::newRow("half") << 50'000 << int(Claim::Faster) << "a step faster";
    QTest::newRow("double") << 200'000 << int(Claim::Slower) << "a step slower";
    QTest::newRow("0.5 % less") << 99'500 << int(Claim::BelowThreshold) << "smaller than 1 %";
    QTest::newRow("same") << 100'000 << int(Claim::NoDifference) << "No difference shown";
  }
  void claimsFollowTheIntervalOfTheRatio() {
    QFETCH(int, middleB);
    QFETCH(int, claim);
    QFETCH(QString, words);
    const compare::Comparison comparison =
        compare::compare(withSteps(around(100'000, 100, 20, 7)), withSteps(around(middleB, 100, 20, 8)));
    QCOMPARE(int(comparison.claim), claim);
    QVERIFY2(comparison.headline.find(words.toStdString()) != std::string::npos, comparison.headline.c_str());
    QVERIFY(comparison.headline.find('-') == std::string::npos);  // never "faster by -4"
    QVERIFY(!comparison.mayClaimCause);
    const auto [low, high] = *comparison.stepTime.ratioCi95;
    QVERIFY(low <= *comparison.stepTime.ratio && *comparison.stepTime.ratio <= high);
  }

  void aNoisyDifferenceIsNotShown() {
    const compare::Comparison comparison =
        compare::compare(withSteps(around(100'000, 30'000, 10, 5)), withSteps(around(97'000, 30'000, 10, 6)));
    QCOMPARE(comparison.claim, Claim::NoDifference);
  }

  void underFiveStepsASideNothingIsClaimed() {
    const std::vector<std::int64_t> four(4, 1000);
    const std::vector<std::int64_t> five(5, 400);
    const compare::Comparison comparison = compare::compare(withSteps(four), withSteps(five));
    QCOMPARE(comparison.claim, Claim::TooFewSteps);
    QVERIFY(!comparison.stepTime.ratioCi95);
    QCOMPARE(compare::compare(withSteps(five), withSteps(std::vector<std::int64_t>(5, 800))).claim, Claim::Slower);
  }

  void anotherGpuModelOrCountCannotBeCompared() {
    const std::vector<std::int64_t> steps(6, 1000);
    const auto claim = [&](const Setup& b) { return compare::compare(withSteps(steps), withSteps(steps, b)).claim; };
    QCOMPARE(claim({"NVIDIA B200", 1}), Claim::NotComparable);
    QCOMPARE(claim({kH200, 8}), Claim::NotComparable);
    QCOMPARE(claim({kH200, 1}), Claim::NoDifference);
    // What a file does not say is no obstacle, but is said.
    const compare::Comparison unknown = compare::compare(withSteps(steps), withSteps(steps, {"", std::nullopt}));
    QCOMPARE(unknown.claim, Claim::NoDifference);
    const auto mentions = [&](const char* words) {
      return std::any_of(unknown.reasons.begin(), unknown.reasons.end(),
                         [&](const std::string& reason) { return reason.find(words) != std::string::npos; });
    };
    QVERIFY(mentions("GPU model of B"));
    QVERIFY(mentions("world size of B"));
    QVERIFY(mentions("no cause may be claimed"));
  }

  void aSideWithoutGpuWorkIsComparedWithNothing() {
    TraceMaker empty;
    empty.marker(1, 0, 10);
    const compare::Comparison comparison = compare::compare(analysis::analyze(empty.make()), withSteps({1000, 1000}));
    QCOMPARE(comparison.waterfall.residue().count(), 0);
    QCOMPARE(comparison.claim, Claim::NotComparable);  // no GPU against one
    QVERIFY(!comparison.stepTime.ratio);
  }
};

QTEST_GUILESS_MAIN(CompareTest)
#include "compare_test.moc"

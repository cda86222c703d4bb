// Every pair of the shared traces with GPU work: the waterfall closes, whatever the traces are.
#include "compare/compare.h"
#include "support/test_files.h"
#include "trace/open.h"

#include <QtTest>

#include <cstdlib>

using namespace threewalls;

class PairsTest : public QObject {
  Q_OBJECT

 private slots:
  void theWaterfallOfEveryPairOfSharedTracesClosesExactly() {
    std::vector<std::shared_ptr<const analysis::Analysis>> all;
    for (const std::string folder : {"traces", "samples"}) {
      for (const std::string& path : test::sharedFilesBelow(folder)) {
        const auto trace = trace::openTrace(path);
        if (!trace || (*trace)->gpuEventCount() == 0) continue;
        all.push_back(analysis::analyze(*trace));
      }
    }
    if (all.empty()) QSKIP("the shared material is not there");
    QVERIFY(all.size() > 40);
    std::size_t pairs = 0;
    for (const auto& a : all) {
      const auto stepsA = compare::steadySteps(*a);
      QVERIFY(!stepsA.empty());
      for (const auto& b : all) {
        const auto stepsB = compare::steadySteps(*b);
        const compare::Waterfall forward = compare::waterfall(stepsA, stepsB);
        const compare::Waterfall back = compare::waterfall(stepsB, stepsA);
        QCOMPARE(forward.residue().count(), 0);
        for (std::size_t i = 0; i < forward.delta.size(); ++i) {
          QCOMPARE(forward.delta[i], -back.delta[i]);
          if (a == b) QCOMPARE(forward.delta[i].count(), 0);
        }
        ++pairs;
      }
    }
    qInfo("%zu traces, %zu ordered pairs", all.size(), pairs);
  }

  void groupedGemmMakesTheStudysStepsFaster() {
    const auto open = [](const char* name) {
      return analysis::analyze(*trace::openTrace(test::repositoryFile(std::string("resources/sample/") + name)));
    };
    const auto loop = open("loop.pt.trace.json.gz");
    const auto grouped = open("grouped.pt.trace.json.gz");
    const compare::Comparison comparison = compare::compare(loop, grouped);
    QCOMPARE(comparison.claim, compare::Claim::Faster);
    QVERIFY2(comparison.headline.starts_with("B is 102.6 ms a step faster"), comparison.headline.c_str());
    QCOMPARE(compare::compare(grouped, loop).claim, compare::Claim::Slower);
    QCOMPARE(comparison.stepTime.countA, std::size_t{10});
    QVERIFY(!comparison.kernels.empty());
    QVERIFY(!comparison.mayClaimCause);
  }
};

QTEST_GUILESS_MAIN(PairsTest)
#include "pairs_test.moc"

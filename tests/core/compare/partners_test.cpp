#include "compare/partners.h"
#include "core/analysis/trace_maker.h"
#include "support/test_files.h"
#include "trace/open.h"

#include <QtTest>

#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace threewalls;
using compare::findPartners;
using compare::MatchLevel;
using compare::StepPartners;
using test::TraceMaker;
using trace::EventRef;

namespace {

constexpr const char* kGemm = "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_TNT";
constexpr const char* kOtherGemm = "nvjet_sm90_tst_64x128_64x4_1x2_h_bz_coopA_NNT";
constexpr const char* kFill = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)";
constexpr const char* kReduce = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
constexpr const char* kStrange = "frobnicate_v2";

using Analysis = std::shared_ptr<const analysis::Analysis>;

Analysis analysed(TraceMaker& maker) {
  return analysis::analyze(maker.make());
}

/// One GPU event as a reader of the trace would write it down.
struct Seen {
  EventRef event;
  std::int64_t start = 0;
  std::int64_t length = 0;
  std::string name;
  std::string kernelClass;
  bool communication = false;
  bool memory = false;
  std::string role;
};

/// Events of the main lane that start in a step, by start.
std::vector<Seen> eventsOf(const analysis::Analysis& side, const analysis::Step& step) {
  std::vector<Seen> out;
  for (const trace::LaneId id : compare::mainLane(side)->streams) {
    const trace::Lane& lane = side.trace->lane(id);
    for (std::uint32_t k = 0; k < lane.subLanes.size(); ++k) {
      for (std::uint32_t i = 0; i < lane.subLanes[k].size(); ++i) {
        const trace::SubLane& row = lane.subLanes[k];
        if (row.start(i) < step.interval.start || row.start(i) >= step.interval.end) continue;
        const analysis::KernelClass& kernelClass = side.classes.classOf(row.name(i));
        out.push_back({{id, k, i},
                       row.start(i).count(),
                       row.duration(i).count(),
                       std::string(side.trace->names()[row.name(i)]),
                       kernelClass.id,
                       kernelClass.isCommunication,
                       kernelClass.isMemory,
                       {}});
      }
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Seen& x, const Seen& y) { return x.start < y.start; });
  return out;
}

/// Fills in roles from the events of all compared steps of a side.
void giveRoles(std::vector<std::vector<Seen>>& steps) {
  std::map<trace::LaneId, std::array<std::int64_t, 3>> times;
  for (const auto& step : steps) {
    for (const Seen& seen : step) times[seen.event.lane][seen.communication ? 1 : seen.memory ? 2 : 0] += seen.length;
  }
  for (auto& step : steps) {
    for (Seen& seen : step) {
      const auto& [compute, communication, memory] = times[seen.event.lane];
      seen.role = communication > compute + memory ? "communication" : memory > compute + communication ? "memory" : "compute";
    }
  }
}

struct NaivePair {
  EventRef a, b;
  MatchLevel level;
  auto operator<=>(const NaivePair&) const = default;
};

/// By the words of the header, one event after the other, with no thought for time.
std::set<NaivePair> naivePairs(const std::vector<Seen>& a, const std::vector<Seen>& b, const std::string& unclassified) {
  std::set<NaivePair> pairs;
  std::set<const Seen*> settled;
  for (const MatchLevel level : {MatchLevel::Stream, MatchLevel::Name, MatchLevel::Class}) {
    const auto key = [&](const Seen& seen) {
      switch (level) {
        case MatchLevel::Stream: return seen.role + "|" + seen.name;
        case MatchLevel::Name: return seen.name;
        case MatchLevel::Class: return seen.kernelClass == unclassified ? std::string() : seen.role + "|" + seen.kernelClass;
      }
      return std::string();
    };
    const auto open = [&](const std::vector<Seen>& side, const std::string& wanted) {
      std::vector<const Seen*> out;
      for (const Seen& seen : side) {
        if (!settled.contains(&seen) && !wanted.empty() && key(seen) == wanted) out.push_back(&seen);
      }
      return out;
    };
    std::set<std::string> keys;
    for (const Seen& seen : a) keys.insert(key(seen));
    for (const std::string& wanted : keys) {
      const auto inA = open(a, wanted);
      const auto inB = open(b, wanted);
      if (inA.empty() || inB.empty()) continue;
      for (std::size_t i = 0; i < std::min(inA.size(), inB.size()); ++i) pairs.insert({inA[i]->event, inB[i]->event, level});
      settled.insert(inA.begin(), inA.end());
      settled.insert(inB.begin(), inB.end());
    }
  }
  return pairs;
}

/// What findPartners says of a step, asked from A, from B and as lists, which must all agree.
std::set<NaivePair> foundPairs(const StepPartners& step, const std::vector<Seen>& a, const std::vector<Seen>& b) {
  std::set<NaivePair> pairs, back;
  for (const std::size_t side : {0, 1}) {
    std::uint64_t alone = 0;
    for (const Seen& seen : side == 0 ? a : b) {
      if (!step.holds(side, seen.event)) return {};
      const auto listed = step.sides[side].unmatchedIn(seen.event.lane, seen.event.subLane);
      const bool isListed = std::binary_search(listed.begin(), listed.end(), seen.event.index);
      const auto partner = step.partnerOf(side, seen.event);
      if (partner.has_value() == isListed) return {};
      if (!partner) {
        ++alone;
      } else if (side == 0) {
        pairs.insert({seen.event, partner->event, partner->level});
      } else {
        back.insert({partner->event, seen.event, partner->level});
      }
    }
    if (alone != step.sides[side].unmatched) return {};
  }
  if (pairs != back || pairs.size() != step.pairs()) return {};
  return pairs;
}

/// Events per step of two runs against the naive matcher; answers how many pairs there were by level.
std::array<std::uint64_t, 3> compareWithNaive(const Analysis& a, const Analysis& b) {
  std::array<std::uint64_t, 3> counts{};
  const auto found = findPartners(*a, *b);
  const auto& stepsA = compare::mainLane(*a)->steps;
  const auto& stepsB = compare::mainLane(*b)->steps;
  const auto pairs = compare::pairSteps(stepsA, stepsB);
  if (!found || found->size() != pairs.size()) qFatal("one entry for each pair of steps");
  std::array<std::vector<std::vector<Seen>>, 2> seen;
  std::vector<std::size_t> compared;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (!pairs[p].both()) {
      if ((*found)[p].pairs() != 0 || !(*found)[p].sides[0].runs.empty()) qFatal("a step of one side has no partners");
      continue;
    }
    compared.push_back(p);
    seen[0].push_back(eventsOf(*a, stepsA[*pairs[p].index[0]]));
    seen[1].push_back(eventsOf(*b, stepsB[*pairs[p].index[1]]));
  }
  for (auto& side : seen) giveRoles(side);
  const std::string unclassified = a->classes.table()[a->classes.table().unclassified()].id;
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const auto expected = naivePairs(seen[0][i], seen[1][i], unclassified);
    const StepPartners& step = (*found)[compared[i]];
    if (foundPairs(step, seen[0][i], seen[1][i]) != expected) qFatal("step %zu differs from the naive matcher", compared[i]);
    for (const NaivePair& pair : expected) ++counts[static_cast<std::size_t>(pair.level)];
    if (step.sides[0].unmatched != seen[0][i].size() - expected.size()) qFatal("unmatched of A");
    if (step.sides[1].unmatched != seen[1][i].size() - expected.size()) qFatal("unmatched of B");
  }
  return counts;
}

/// Three steps of a run that has some of the names only, each mostly on a stream of its own choice.
Analysis random(std::mt19937_64& dice, int firstNumber) {
  const std::vector<std::string> all{kGemm,
                                     kOtherGemm,
                                     kFill,
                                     kReduce,
                                     kStrange,
                                     "another_strange_one",
                                     "Memcpy HtoD (Pinned -> Device)",
                                     "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"};
  const auto roll = [&](int most) { return std::uniform_int_distribution<>(0, most)(dice); };
  std::vector<std::pair<std::string, int>> names;
  for (const std::string& name : all) {
    if (name == kStrange || roll(1) > 0) names.emplace_back(name, 7 + (name.starts_with("nccl") ? 1 : roll(3) / 3));
  }
  TraceMaker maker;
  for (int step = 0; step < 3; ++step) {
    const std::int64_t at = 1000 + step * 100'000;
    maker.marker(firstNumber + step, at, at + 100'000);
    const int events = 5 + roll(40);
    for (int i = 0; i < events; ++i) {
      const auto& [name, stream] = names[static_cast<std::size_t>(roll(static_cast<int>(names.size()) - 1))];
      const auto kind = name.starts_with("Memcpy") ? trace::EventKind::MemoryCopy : trace::EventKind::Kernel;
      maker.gpu(kind, name, at + 100 + roll(90'000), roll(3000), at + 10 + i, roll(9) == 0 ? 9 : stream);
    }
  }
  return analysed(maker);
}

}  // namespace

class PartnersTest : public QObject {
  Q_OBJECT

 private slots:
  void theSameNameOnTheSameKindOfStreamIsMatchedByItsPlace() {
    TraceMaker a, b;
    // B's streams have other numbers, and its second GEMM comes after the fill.
    a.marker(3, 0, 1000)
        .kernel(kGemm, 100, 50, 10)
        .kernel(kGemm, 200, 50, 20)
        .kernel(kFill, 300, 10, 30)
        .kernel(kReduce, 120, 200, 15, 20);
    b.marker(3, 0, 1000)
        .kernel(kGemm, 100, 40, 10, 1)
        .kernel(kFill, 200, 10, 20, 1)
        .kernel(kGemm, 300, 70, 30, 1)
        .kernel(kReduce, 150, 99, 15, 2);
    const Analysis left = analysed(a), right = analysed(b);
    const auto found = findPartners(*left, *right);
    QVERIFY(found && found->size() == 1);
    const StepPartners& step = found->front();
    QCOMPARE(step.matched, (std::array<std::uint64_t, 3>{4, 0, 0}));
    QCOMPARE(step.sides[0].unmatched + step.sides[1].unmatched, std::uint64_t{0});
    const auto events = eventsOf(*left, compare::mainLane(*left)->steps[0]);
    const auto startOfPartner = [&](std::size_t i) {
      return right->trace->interval(step.partnerOf(0, events[i].event)->event).start.count();
    };
    QCOMPARE(startOfPartner(0), 100);  // first GEMM
    QCOMPARE(startOfPartner(1), 150);  // collective
    QCOMPARE(startOfPartner(2), 300);  // second GEMM
    QCOMPARE(startOfPartner(3), 200);  // fill
  }

  void surplusOccurrencesStayUnmatchedAndAreListed() {
    TraceMaker a, b;
    a.marker(3, 0, 1000).kernel(kGemm, 100, 50, 10).kernel(kGemm, 200, 50, 20).kernel(kGemm, 300, 50, 30);
    // A GEMM of another name: of the same class, but A's third GEMM has namesakes in B.
    b.marker(3, 0, 1000).kernel(kGemm, 100, 50, 10).kernel(kGemm, 200, 50, 20).kernel(kOtherGemm, 300, 50, 30);
    const Analysis left = analysed(a), right = analysed(b);
    const auto found = findPartners(*left, *right);
    const StepPartners& step = found->front();
    QCOMPARE(step.pairs(), std::uint64_t{2});
    for (const std::size_t side : {0, 1}) {
      QCOMPARE(step.sides[side].unmatched, std::uint64_t{1});
      const auto& run = step.sides[side].runs.front();
      QCOMPARE(run.unmatched, std::vector<std::uint32_t>{2});
      QVERIFY(!step.partnerOf(side, {run.lane, run.subLane, 2}));
    }
  }

  void anotherNameOfTheClassIsMatchedAndSaysSo() {
    TraceMaker a, b;
    a.marker(3, 0, 1000).kernel(kGemm, 100, 50, 10).kernel(kFill, 200, 50, 20).kernel(kStrange, 300, 5, 30);
    b.marker(3, 0, 1000).kernel(kOtherGemm, 100, 50, 10).kernel(kFill, 200, 50, 20).kernel("other_unknown", 300, 5, 30);
    const Analysis left = analysed(a), right = analysed(b);
    const auto found = findPartners(*left, *right);
    const StepPartners& step = found->front();
    // Two kernels that nobody knows have nothing in common.
    QCOMPARE(step.matched, (std::array<std::uint64_t, 3>{1, 0, 1}));
    QCOMPARE(step.sides[0].unmatched, std::uint64_t{1});
    const auto events = eventsOf(*left, compare::mainLane(*left)->steps[0]);
    QCOMPARE(step.partnerOf(0, events[0].event)->level, MatchLevel::Class);
    QCOMPARE(step.partnerOf(0, events[1].event)->level, MatchLevel::Stream);
    QVERIFY(!step.partnerOf(0, events[2].event));
  }

  void aKernelThatMovedToAnotherStreamIsMatchedByItsName() {
    TraceMaker a, b;
    a.marker(3, 0, 1000).kernel(kGemm, 100, 300, 10).kernel(kFill, 500, 50, 20).kernel(kReduce, 120, 200, 15, 20);
    b.marker(3, 0, 1000).kernel(kGemm, 100, 300, 10).kernel(kFill, 500, 50, 20, 20).kernel(kReduce, 120, 200, 15, 20);
    const Analysis left = analysed(a), right = analysed(b);
    const auto found = findPartners(*left, *right);
    QCOMPARE(found->front().matched, (std::array<std::uint64_t, 3>{2, 1, 0}));
  }

  void eventsOutsideThePairedStepsHaveNoPlace() {
    TraceMaker a, b;
    a.marker(3, 0, 1000).kernel(kGemm, 100, 50, 10).marker(4, 1000, 2000).kernel(kGemm, 1100, 50, 1010);
    b.marker(4, 0, 1000).kernel(kGemm, 100, 50, 10).marker(5, 1000, 2000).kernel(kGemm, 1100, 50, 1010);
    const Analysis left = analysed(a), right = analysed(b);
    const auto found = findPartners(*left, *right);
    QCOMPARE(found->size(), std::size_t{3});  // 3, 4, 5
    QCOMPARE((*found)[0].pairs() + (*found)[2].pairs(), std::uint64_t{0});
    QCOMPARE((*found)[1].pairs(), std::uint64_t{1});
    const auto third = eventsOf(*left, compare::mainLane(*left)->steps[0]).front().event;
    const auto fourth = eventsOf(*left, compare::mainLane(*left)->steps[1]).front().event;
    QVERIFY(!(*found)[1].holds(0, third));
    QCOMPARE(right->trace->interval((*found)[1].partnerOf(0, fourth)->event).start.count(), 100);
  }

  void generatedTracesAgreeWithTheNaiveMatcher() {
    std::mt19937_64 dice(20);
    std::array<std::uint64_t, 3> total{};
    for (int round = 0; round < 120; ++round) {
      const Analysis a = random(dice, 3);
      const Analysis b = random(dice, round % 3 == 0 ? 4 : 3);
      const auto counts = compareWithNaive(a, b);
      for (std::size_t i = 0; i < 3; ++i) total[i] += counts[i];
    }
    qInfo("by stream and name %llu, by name %llu, by class %llu", static_cast<unsigned long long>(total[0]),
          static_cast<unsigned long long>(total[1]), static_cast<unsigned long long>(total[2]));
    for (const std::uint64_t level : total) QVERIFY(level > 50);
  }

  void theSampleStudyAgreesWithTheNaiveMatcher() {
    const auto open = [](const char* name) {
      return analysis::analyze(*trace::openTrace(test::repositoryFile(std::string("resources/sample/") + name)));
    };
    const Analysis loop = open("loop.pt.trace.json.gz");
    const Analysis grouped = open("grouped.pt.trace.json.gz");
    const auto counts = compareWithNaive(loop, grouped);
    qInfo("by stream and name %llu, by name %llu, by class %llu", static_cast<unsigned long long>(counts[0]),
          static_cast<unsigned long long>(counts[1]), static_cast<unsigned long long>(counts[2]));
    QVERIFY(counts[0] > 1000);
    // A run has no differences to itself.
    const auto itself = findPartners(*loop, *loop);
    for (const StepPartners& step : *itself) {
      QCOMPARE(step.sides[0].unmatched + step.sides[1].unmatched, std::uint64_t{0});
      for (std::uint32_t i = 0; i < step.sides[0].partner.size(); ++i) QCOMPARE(step.sides[0].partner[i], i);
    }
  }

  void stoppingEndsItAsCancelled() {
    TraceMaker maker;
    maker.marker(1, 0, 1'000'000);
    for (int i = 0; i < 40'000; ++i) maker.kernel(kFill, 10 + i * 10, 5, 5 + i * 10);
    const Analysis side = analysed(maker);
    std::stop_source stop;
    QVERIFY(findPartners(*side, *side, base::Progress(stop.get_token(), {})).has_value());
    stop.request_stop();
    const auto stopped = findPartners(*side, *side, base::Progress(stop.get_token(), {}));
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().code, base::ErrorCode::Cancelled);
  }
};

QTEST_GUILESS_MAIN(PartnersTest)
#include "partners_test.moc"

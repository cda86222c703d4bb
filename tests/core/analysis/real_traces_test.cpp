// Figures of real recordings against computations that share no code with the program: the table of samples/README.md, the
// ledgers that tests/data/samples/independent_ledger.py made of our own recordings, and the interval unions of
// oracles_traces/hta.json.
#include "analysis/analysis.h"
#include "support/test_files.h"
#include "trace/open.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <QFile>

#include <cmath>
#include <fstream>

using namespace threewalls;
using analysis::Ledger;
using nlohmann::json;

namespace {

std::shared_ptr<const analysis::Analysis> analysed(const std::string& path, bool whole = false) {
  const auto trace = trace::openTrace(path);
  if (!trace) {
    qWarning("%s", trace.error().text().c_str());
    return nullptr;
  }
  analysis::AnalysisOptions options;
  options.whole = whole;
  return analysis::analyze(*trace, analysis::ClassTable::builtIn(), options);
}

struct Expected {
  const char* name;
  std::int64_t duration, compute, memory, idle, hostBound, profiler;
};

// samples/README.md, "Why steps must be bounded on the GPU", ns.
const std::map<std::string, std::vector<Expected>> kReadmeTable = {
    {"moe_loop",
     {{"ProfilerStep#61", 498'739'014, 374'098'801, 4'903'573, 119'736'640, 105'121'437, 5'268'869},
      {"ProfilerStep#62", 620'858'830, 372'964'891, 4'933'201, 242'960'738, 233'438'596, 796'276},
      {"ProfilerStep#63", 494'455'161, 373'077'565, 4'919'632, 116'457'964, 107'330'586, 0}}},
    {"moe_grouped",
     {{"ProfilerStep#61", 72'030'850, 65'858'856, 762'688, 5'409'306, 3'589'391, 50'048},
      {"ProfilerStep#62", 71'923'584, 65'874'171, 767'404, 5'282'009, 3'510'415, 0},
      {"ProfilerStep#63", 71'505'984, 65'859'503, 761'920, 4'884'561, 3'048'005, 0}}}};

// The same file, medians of the study's ten steps in ms: duration, compute, idle, host-bound.
const std::map<std::string, std::array<double, 4>> kStudyMedians = {
    {"loop", {127.4, 98.4, 27.8, 25.0}}, {"grouped", {24.8, 21.2, 3.5, 2.8}}, {"grouped_fused", {25.0, 20.9, 3.9, 3.2}}};

double medianMilliseconds(const analysis::DeviceLane& lane, base::Nanoseconds Ledger::*figure) {
  std::vector<std::int64_t> values;
  for (const analysis::Step& step : lane.steps) values.push_back((step.ledger.*figure).count());
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return static_cast<double>(values[(n - 1) / 2] + values[n / 2]) / 2e6;
}

/// What the oracle's figures can be off by: nothing in files of whole microseconds, else 1 ns for each boundary of an event.
/// One file has fractions on absolute times of 1.6e15 µs, where the doubles that the oracle was computed in are 0.25 µs apart.
double toleranceNs(const json& expected) {
  bool fractions = false;
  for (const auto& [key, value] : expected.items()) {
    if (key.ends_with("_us") && value.is_number_float())
      fractions = fractions || value.get<double>() != std::floor(value.get<double>());
  }
  if (!fractions) return 0.0;
  const double first = expected.at("first_start").get<double>();
  const double spacing = std::nextafter(first, 2 * first) - first;
  return std::max(1.0, spacing * 1000.0 / 2.0) * 2.0 * expected.at("gpu_events").get<double>();
}

}  // namespace

class RealTracesTest : public QObject {
  Q_OBJECT

 private slots:
  void ourRecordingsHaveTheLedgersOfTheIndependentScript() {
    std::ifstream file(test::repositoryFile("tests/data/samples/sample_ledgers.json"));
    const json ledgers = json::parse(file);
    QCOMPARE(ledgers.size(), std::size_t{2});
    for (const auto& [name, steps] : ledgers.items()) {
      const auto analysis = analysed(test::repositoryFile("resources/sample/" + name));
      QVERIFY(analysis);
      QCOMPARE(analysis->lanes.size(), std::size_t{1});
      QCOMPARE(analysis->lanes[0].steps.size(), steps.size());
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const analysis::Step& step = analysis->lanes[0].steps[i];
        const json& expected = steps[i];
        QCOMPARE(step.name, expected.at("name").get<std::string>());
        const auto ns = [&](const char* key) { return expected.at(key).get<std::int64_t>(); };
        QCOMPARE(step.ledger.duration.count(), ns("duration_ns"));
        QCOMPARE(step.hostDuration.count(), ns("host_duration_ns"));
        QCOMPARE(step.ledger.compute.count(), ns("compute_ns"));
        QCOMPARE(step.ledger.memory.count(), ns("memory_ns"));
        QCOMPARE(step.ledger.idle.count(), ns("idle_ns"));
        QCOMPARE(step.ledger.hostBoundIdle.count(), ns("host_bound_idle_ns"));
        QCOMPARE(step.ledger.profilerIdle.count(), ns("profiler_idle_ns"));
        QCOMPARE(step.ledger.communication.count(), 0);
        QVERIFY(step.boundary == analysis::StepBoundary::GpuLaunch);
      }
    }
  }

  void theLargerRecordingsHaveTheLedgersOfTheSamplesReadme() {
    for (const auto& [name, steps] : kReadmeTable) {
      const auto path = test::sharedFile("samples/" + name + ".pt.trace.json.gz");
      if (!path) QSKIP("the shared material is not there");
      const auto analysis = analysed(*path);
      QVERIFY(analysis);
      QCOMPARE(analysis->lanes.at(0).steps.size(), steps.size());
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const analysis::Step& step = analysis->lanes[0].steps[i];
        QCOMPARE(step.name, std::string(steps[i].name));
        QCOMPARE(step.ledger.duration.count(), steps[i].duration);
        QCOMPARE(step.ledger.compute.count(), steps[i].compute);
        QCOMPARE(step.ledger.memory.count(), steps[i].memory);
        QCOMPARE(step.ledger.idle.count(), steps[i].idle);
        QCOMPARE(step.ledger.hostBoundIdle.count(), steps[i].hostBound);
        QCOMPARE(step.ledger.profilerIdle.count(), steps[i].profiler);
      }
    }
  }

  void theStudysMediansAreThoseOfTheSamplesReadme() {
    for (const auto& [name, medians] : kStudyMedians) {
      const auto path = test::sharedFile("samples/study/" + name + ".pt.trace.json.gz");
      if (!path) QSKIP("the shared material is not there");
      const auto analysis = analysed(*path);
      QVERIFY(analysis);
      const analysis::DeviceLane& lane = analysis->lanes.at(0);
      QCOMPARE(lane.steps.size(), std::size_t{10});
      // The README rounds to 0.1 ms.
      QVERIFY(std::fabs(medianMilliseconds(lane, &Ledger::duration) - medians[0]) <= 0.05001);
      QVERIFY(std::fabs(medianMilliseconds(lane, &Ledger::compute) - medians[1]) <= 0.05001);
      QVERIFY(std::fabs(medianMilliseconds(lane, &Ledger::idle) - medians[2]) <= 0.05001);
      QVERIFY(std::fabs(medianMilliseconds(lane, &Ledger::hostBoundIdle) - medians[3]) <= 0.05001);
    }
  }

  void theMangledGroupedGemmOfTheSampleIsAnExpertGemm() {
    const auto analysis = analysed(test::repositoryFile("resources/sample/grouped.pt.trace.json.gz"));
    QVERIFY(analysis);
    std::size_t longest = 0;
    for (const analysis::KernelRow& row : analysis->kernels) {
      const std::string_view name = analysis->trace->names()[row.name];
      if (name.size() > 1200 && analysis->classes.classOf(row.name).id == "gemm.grouped")
        longest = std::max(longest, name.size());
    }
    QVERIFY(longest > 1200);
  }

  void theLoopsWallIsComputeAndThenTheHost() {
    const auto analysis = analysed(test::repositoryFile("resources/sample/loop.pt.trace.json.gz"));
    QVERIFY(analysis);
    QVERIFY(analysis->wall.dominant == analysis::WallKind::Compute);
    QVERIFY(analysis->wall.runnerUp == analysis::WallKind::HostLaunch);
    QCOMPARE(analysis->wall.reasons.at(0).intervals.size(), analysis::kReasonIntervals);
  }

  // HTA's figures are not compared but the oracle's own unions over every GPU event ("all_events_wide_rule"), whose
  // definitions of span, busy, compute, communication and exposed communication are ours. Not the same, and so left out:
  // memory_union_us is |M| there and |M \ (K ∪ N)| here (busy time checks it instead), HTA's windows, its rounding to whole
  // microseconds and its idle categories per stream.
  void wholeTracesHaveTheUnionsOfTheHtaOracle() {
    const auto oracle = test::sharedFile("oracles_traces/hta.json");
    if (!oracle) QSKIP("the shared material is not there");
    QFile file(QString::fromStdString(*oracle));
    QVERIFY(file.open(QIODevice::ReadOnly));
    // Python wrote it: bare NaN is no JSON.
    const json traces = json::parse(file.readAll().replace(": NaN", ": null").toStdString()).at("traces");
    int checked = 0;
    double worst = 0.0;
    for (const auto& [name, entry] : traces.items()) {
      for (const auto& [rank, path] : entry.at("files").items()) {
        const json& expected = entry.at("independent").at(rank).at("all_events_wide_rule");
        const auto analysis = analysed(*test::sharedFile("traces/" + path.get<std::string>()), true);
        QVERIFY(analysis);
        QCOMPARE(analysis->lanes.size(), std::size_t{1});
        QCOMPARE(analysis->trace->gpuEventCount(), expected.at("gpu_events").get<std::uint64_t>());
        const Ledger& totals = analysis->totals;
        const double tolerance = toleranceNs(expected);
        const auto near = [&](base::Nanoseconds got, const char* key) {
          const double off = static_cast<double>(got.count()) - expected.at(key).get<double>() * 1000.0;
          worst = std::max(worst, tolerance > 0.0 && tolerance < 1e5 ? std::fabs(off) : 0.0);
          if (std::fabs(off) > tolerance) qWarning("%s %s: off by %.0f ns", path.get<std::string>().c_str(), key, off);
          return std::fabs(off) <= tolerance;
        };
        QVERIFY(near(totals.duration, "span_us"));
        QVERIFY(near(totals.gpuActive(), "busy_union_us"));
        QVERIFY(near(totals.idle, "idle_us"));
        QVERIFY(near(totals.compute, "compute_union_us"));
        QVERIFY(near(totals.communication, "comm_union_us"));
        QVERIFY(near(totals.exposed, "exposed_comm_us"));
        QVERIFY(near(totals.hidden, "comm_compute_overlap_us"));
        ++checked;
      }
    }
    qInfo("%d recordings, largest deviation %.0f ns where the oracle's doubles hold nanoseconds", checked, worst);
    QCOMPARE(checked, 35);
  }

  // Here times are integers, so every figure is exact. The oracle's idle whose "next launch call began after gpu went idle" still
  // holds what the profiler's own rows cover, which is profiler_idle here: it is compared where there is none of that.
  void nsightSystemsExportsHaveTheUnionsOfTheNsysOracle() {
    const auto oracle = test::sharedFile("oracles_traces/nsys.json");
    if (!oracle) QSKIP("the shared material is not there");
    std::ifstream file(*oracle);
    const json files = json::parse(file).at("files");
    int checked = 0;
    for (const auto& [name, entry] : files.items()) {
      const auto analysis = analysed(*test::sharedFile("traces/" + name), true);
      QVERIFY(analysis);
      for (const analysis::DeviceLane& lane : analysis->lanes) {
        const std::string key = "pid" + (lane.process.empty() ? "0" : lane.process) + "/device" + std::to_string(lane.device);
        QVERIFY2(entry.at("lanes").contains(key), key.c_str());
        const json& expected = entry.at("lanes").at(key);
        const auto ns = [&](const char* figure) { return expected.at(figure).get<std::int64_t>(); };
        QCOMPARE(lane.totals.duration.count(), ns("span_ns"));
        QCOMPARE(lane.totals.gpuActive().count(), ns("busy_union_ns"));
        QCOMPARE(lane.totals.idle.count(), ns("idle_ns"));
        QCOMPARE(lane.totals.communication.count(), ns("comm_union_ns"));
        if (lane.totals.graph.count() == 0) QCOMPARE(lane.totals.compute.count(), ns("compute_union_ns"));
        if (lane.totals.profilerIdle.count() == 0) {
          QCOMPARE(lane.totals.hostBoundIdle.count(), ns("idle_ns_where_next_launch_call_began_after_gpu_went_idle"));
        }
        ++checked;
      }
    }
    QVERIFY(checked >= 7);
  }
};

QTEST_GUILESS_MAIN(RealTracesTest)
#include "real_traces_test.moc"

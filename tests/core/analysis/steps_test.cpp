#include "analysis/analysis.h"
#include "core/analysis/trace_maker.h"

#include <QtTest>

using namespace threewalls;
using analysis::Step;
using analysis::StepBoundary;
using test::TraceMaker;
namespace step_mark = analysis::step_mark;

namespace {

std::shared_ptr<const analysis::Analysis> analysed(TraceMaker& maker, const analysis::AnalysisOptions& options = {}) {
  return analysis::analyze(maker.make(), analysis::ClassTable::builtIn(), options);
}

/// "61 [100,220) gpu_launch": what a step is, on one line.
std::string shown(const Step& step) {
  return (step.number ? std::to_string(*step.number) : step.name) + " [" + std::to_string(step.interval.start.count()) + "," +
         std::to_string(step.interval.end.count()) + ") " + std::string(toText(step.boundary));
}

std::vector<std::string> shown(const analysis::Analysis& analysis, std::size_t lane = 0) {
  std::vector<std::string> out;
  for (const Step& step : analysis.lanes.at(lane).steps) out.push_back(shown(step));
  return out;
}

using Lines = std::vector<std::string>;

}  // namespace

class StepsTest : public QObject {
  Q_OBJECT

 private slots:
  void aStepSpansFromItsFirstLaunchedWorkToThatOfTheNext() {
    TraceMaker maker;
    // The host runs ahead: work of step 1 ends after the marker of step 2 began.
    maker.marker(1, 0, 100).marker(2, 100, 200);
    maker.kernel("k", 50, 100, 10).kernel("k", 160, 40, 90).kernel("k", 210, 30, 110).kernel("k", 300, 50, 150);
    const auto analysis = analysed(maker);
    QCOMPARE(shown(*analysis), (Lines{"1 [50,210) gpu_launch", "2 [210,350) gpu_launch"}));
    QCOMPARE(analysis->lanes[0].steps[0].hostDuration.count(), 100);
    QCOMPARE(int(analysis->lanes[0].steps[0].marks), 0);
    QCOMPARE(analysis->lanes[0].steps[1].marks, step_mark::kOpenEnd);
  }

  void startsNeverDecreaseWhenLaterWorkStartsEarlyOnASideStream() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200).marker(3, 200, 300);
    maker.kernel("k", 500, 100, 10).kernel("k", 450, 10, 110, 20).kernel("k", 700, 10, 210);
    QCOMPARE(shown(*analysed(maker)), (Lines{"1 [500,500) gpu_launch", "2 [500,700) gpu_launch", "3 [700,710) gpu_launch"}));
  }

  void workLaunchedBeforeTheFirstMarkerIsOutsideEveryStep() {
    TraceMaker maker;
    maker.marker(1, 100, 200);
    maker.kernel("k", 20, 30, 10).kernel("k", 120, 30, 110);
    const auto analysis = analysed(maker);
    QCOMPARE(shown(*analysis), (Lines{"1 [120,150) gpu_launch"}));
    QCOMPARE(analysis->lanes[0].eventsOutsideSteps, std::uint64_t{1});
    QCOMPARE(analysis->diagnostics.count("events_outside_steps"), std::uint64_t{1});
    QCOMPARE(analysis->kernels.at(0).count, std::uint64_t{1});
  }

  void workWithoutALaunchCallGoesByTimeAndBoundsNothing() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200);
    maker.kernel("u", 10, 5);  // before the first launched work: outside
    maker.kernel("k", 50, 100, 10).kernel("k", 210, 30, 110);
    maker.kernel("u", 195, 10).kernel("u", 235, 15);  // in step 1 and, running past the last launched work, step 2
    maker.kernel("u", 900, 10);                       // after the last: outside
    const auto analysis = analysed(maker);
    QCOMPARE(shown(*analysis), (Lines{"1 [50,210) gpu_launch", "2 [210,250) gpu_launch"}));
    QCOMPARE(analysis->lanes[0].eventsOutsideSteps, std::uint64_t{2});
  }

  void theLastMarkerHoldsEverythingLaunchedAfterIt() {
    TraceMaker maker;
    maker.marker(1, 0, 100);
    maker.kernel("k", 50, 10, 10).kernel("k", 400, 10, 350);
    QCOMPARE(shown(*analysed(maker)), (Lines{"1 [50,410) gpu_launch"}));
  }

  void aMarkerWithoutGpuWorkGivesNoStep() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200).marker(3, 200, 300);
    maker.kernel("k", 50, 10, 10).kernel("k", 250, 10, 210);
    QCOMPARE(shown(*analysed(maker)), (Lines{"1 [50,250) gpu_launch", "3 [250,260) gpu_launch"}));
  }

  void withoutLaunchCallsMarkersOnTheDeviceBoundSteps() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200);
    maker.gpuMarker(1, 60, 210).gpuMarker(2, 220, 300);
    maker.kernel("k", 70, 100).kernel("k", 230, 100);
    const auto analysis = analysed(maker);
    QCOMPARE(shown(*analysis), (Lines{"1 [60,220) gpu_marker", "2 [220,330) gpu_marker"}));
    QCOMPARE(analysis->lanes[0].steps[1].hostDuration.count(), 100);
  }

  void withNothingOnTheDeviceTheHostMarkersStartsBoundSteps() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200);
    maker.kernel("k", 70, 100).kernel("k", 230, 100);
    QCOMPARE(shown(*analysed(maker)), (Lines{"1 [0,100) cpu_marker", "2 [100,330) cpu_marker"}));
  }

  void withoutMarkersTheWholeRecordingIsOneStep() {
    TraceMaker maker;
    maker.kernel("k", 70, 100).kernel("k", 230, 100);
    const auto analysis = analysed(maker);
    QCOMPARE(shown(*analysis), (Lines{"all [70,330) whole"}));
    QCOMPARE(analysis->diagnostics.count("no_step_markers"), std::uint64_t{1});
  }

  void wholeIgnoresMarkers() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200);
    maker.kernel("k", 50, 100, 10).kernel("k", 210, 30, 110);
    analysis::AnalysisOptions options;
    options.whole = true;
    const auto analysis = analysed(maker, options);
    QCOMPARE(shown(*analysis), (Lines{"all [50,240) whole"}));
    QCOMPARE(analysis->diagnostics.count("no_step_markers"), std::uint64_t{0});
  }

  void everyDeviceHasItsOwnSteps() {
    TraceMaker maker;
    maker.marker(1, 0, 100).marker(2, 100, 200);
    maker.kernel("k", 50, 10, 10, 7, 0).kernel("k", 150, 10, 110, 7, 0);
    maker.kernel("k", 70, 10, 20, 7, 1).kernel("k", 190, 10, 120, 7, 1);
    const auto analysis = analysed(maker);
    QCOMPARE(analysis->lanes.size(), std::size_t{2});
    QCOMPARE(shown(*analysis, 0), (Lines{"1 [50,150) gpu_launch", "2 [150,160) gpu_launch"}));
    QCOMPARE(shown(*analysis, 1), (Lines{"1 [70,190) gpu_launch", "2 [190,200) gpu_launch"}));
  }

  void onlyWholeNamesOfTheProfilersFormAreMarkers() {
    TraceMaker maker;
    maker.marker(1, 0, 100);
    trace::TraceBuilder builder;
    const auto host = builder.lane({trace::LaneKind::HostThread, "1", "1", -1});
    const auto stream = builder.lane({trace::LaneKind::GpuStream, "", "7", 0});
    const auto event = [&](std::int64_t start, std::string_view name, trace::EventKind kind) {
      return trace::RawEvent{start, 10, trace::kNoOffset, -1, builder.intern(name), kind, 0};
    };
    for (const char* name :
         {"ProfilerStep#", "ProfilerStep#1x", "ProfilerStep#-1", "ProfilerStep#99999999999999999999", "step 3"}) {
      builder.add(host, event(0, name, trace::EventKind::Annotation));
    }
    builder.add(host, event(0, "ProfilerStep#5", trace::EventKind::PythonFunction));
    builder.add(stream, event(50, "k", trace::EventKind::Kernel));
    const auto analysis = analysis::analyze(std::move(builder).build());
    QCOMPARE(shown(*analysis), (Lines{"all [50,60) whole"}));
  }

  void stepsOverOneAndAHalfTimesTheMedianAreOutliers() {
    TraceMaker maker;
    // Starts 0, 100, 200, 350, 501, 601: durations 100, 100, 150, 151, 100, 10.
    const std::vector<int> starts = {0, 100, 200, 350, 501, 601};
    for (std::size_t i = 0; i < starts.size(); ++i) {
      maker.marker(int(i), starts[i], starts[i] + 1).kernel("k", starts[i], 10, starts[i]);
    }
    const auto analysis = analysed(maker);
    const auto& steps = analysis->lanes[0].steps;
    QCOMPARE(steps.size(), std::size_t{6});
    for (std::size_t i = 0; i < steps.size(); ++i) QCOMPARE((steps[i].marks & step_mark::kOutlier) != 0, i == 3);
    QCOMPARE(analysis->lanes[0].steadySteps().size(), std::size_t{5});
  }

  void whenAllStepsAreMarkedAllAreUsed() {
    analysis::DeviceLane lane;
    lane.steps.resize(2);
    lane.steps[0].marks = step_mark::kWarmup;
    lane.steps[1].marks = step_mark::kOutlier;
    QCOMPARE(lane.steadySteps().size(), std::size_t{2});
  }

  void stepsCanBeChosenByTheirNumbers() {
    TraceMaker maker;
    for (int i = 0; i < 5; ++i) maker.marker(60 + i, i * 100, i * 100 + 90).kernel("k", i * 100 + 10, 50, i * 100 + 5);
    const auto trace = maker.make();
    analysis::AnalysisOptions options;
    options.steps = {61, 62};
    const auto analysis = analysis::analyze(trace, analysis::ClassTable::builtIn(), options);
    QCOMPARE(shown(*analysis), (Lines{"61 [110,210) gpu_launch", "62 [210,310) gpu_launch"}));
    QCOMPARE(analysis->kernels.at(0).count, std::uint64_t{2});
    QCOMPARE(analysis->totals.compute.count(), 100);
    options.steps = {90, 95};
    const auto none = analysis::analyze(trace, analysis::ClassTable::builtIn(), options);
    QVERIFY(none->lanes.at(0).steps.empty());
    QVERIFY(!none->wall.dominant && !none->wall.lane);
    QCOMPARE(none->diagnostics.count("no_step_selected"), std::uint64_t{1});
  }

  void aTraceWithoutGpuWorkHasNoStepsAndSaysSo() {
    TraceMaker maker;
    maker.marker(1, 0, 100);
    const auto analysis = analysed(maker);
    QVERIFY(analysis->lanes.empty());
    QCOMPARE(analysis->diagnostics.count("no_gpu_events"), std::uint64_t{1});
    QVERIFY(!analysis->wall.verdict.empty());
  }
};

QTEST_GUILESS_MAIN(StepsTest)
#include "steps_test.moc"

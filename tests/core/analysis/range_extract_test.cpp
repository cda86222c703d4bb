#include "analysis/range_extract.h"
#include "analysis/range_stats.h"
#include "core/trace/trace_text.h"
#include "support/plain_file.h"
#include "support/synthetic_trace.h"
#include "support/test_files.h"
#include "trace/open.h"
#include "trace_maker.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <fstream>
#include <set>

using namespace threewalls;
using base::Interval;
using base::Nanoseconds;
using nlohmann::json;
using test::TraceMaker;

namespace {

using AnalysisPtr = std::shared_ptr<const analysis::Analysis>;

Interval ns(std::int64_t from, std::int64_t to) {
  return {Nanoseconds(from), Nanoseconds(to)};
}

AnalysisPtr analyzed(const std::string& path) {
  const auto trace = trace::openTrace(path);
  if (!trace) qWarning("%s", trace.error().text().c_str());
  return trace ? analysis::analyze(*trace) : nullptr;
}

/// Of the document; a discarded value when a strict parser refuses it.
json strict(const std::string& path) {
  return json::parse(test::fileContents(path), nullptr, false);
}

std::size_t count(const json& document, const char* key, const char* value) {
  const auto& events = document.at("traceEvents");
  return static_cast<std::size_t>(
      std::count_if(events.begin(), events.end(), [&](const json& event) { return event.value(key, "") == value; }));
}

bool has(const json& document, const std::string& name) {
  const auto& events = document.at("traceEvents");
  return std::any_of(events.begin(), events.end(), [&](const json& event) { return event.value("name", "") == name; });
}

/// Every figure of a range that core gives.
void compareFigures(const analysis::Analysis& whole, const analysis::Analysis& part, Interval range) {
  QCOMPARE(part.lanes.size(), whole.lanes.size());
  for (std::size_t i = 0; i < whole.lanes.size(); ++i) {
    QCOMPARE(part.lanes[i].process, whole.lanes[i].process);
    QCOMPARE(part.lanes[i].device, whole.lanes[i].device);
    QVERIFY(part.lanes[i].occupancy.ledger(range) == whole.lanes[i].occupancy.ledger(range));
    const auto x = analysis::classRows(*whole.trace, whole.classes, whole.lanes[i].streams, {range});
    const auto y = analysis::classRows(*part.trace, part.classes, part.lanes[i].streams, {range});
    const auto sum = [](const auto& rows) {
      std::array<std::int64_t, 3> out{};
      for (const auto& row : rows) {
        out[0] += static_cast<std::int64_t>(row.count);
        out[1] += row.sum.count();
        out[2] += row.unionTime.count();
      }
      return out;
    };
    QVERIFY(sum(x) == sum(y));
  }
  QVERIFY(analysis::rangeStats(part, range).ledger == analysis::rangeStats(whole, range).ledger);
  QCOMPARE(analysis::rangeStats(part, range).count, analysis::rangeStats(whole, range).count);
}

}  // namespace

class RangeExtractTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string path(const char* name = "out.json") const { return m_folder.filePath(name).toStdString(); }

  /// Writes the range, checks the text, reads it again and compares all figures; the extract.
  AnalysisPtr checked(const analysis::Analysis& whole, Interval range, const char* name = "out.json") {
    const auto result = analysis::extractRange(whole, range, path(name), "threewalls test");
    if (!result) {
      QTest::qFail(result.error().text().c_str(), __FILE__, __LINE__);
      return nullptr;
    }
    [&] { QVERIFY(result->sameLedger); }();
    [&] { QVERIFY(!strict(path(name)).is_discarded()); }();
    [&] { QCOMPARE(result->bytes, std::uint64_t(QFile(m_folder.filePath(name)).size())); }();
    auto part = analyzed(path(name));
    if (part == nullptr) return nullptr;
    [&] { QCOMPARE(part->trace->eventCount(), result->events); }();
    compareFigures(whole, *part, range);
    return part;
  }

 private slots:
  void figuresOfEveryRangeStayTheSame() {
    const auto whole = analysis::analyze(test::syntheticTrace(6000));
    const Interval span = whole->trace->span();
    const std::int64_t length = span.length().count();
    std::uint32_t state = 11;
    const auto random = [&state](std::int64_t limit) {
      state = state * 1664525 + 1013904223;
      return static_cast<std::int64_t>(static_cast<double>(state) / 4294967296.0 * static_cast<double>(limit));
    };
    for (int i = 0; i < 12; ++i) {
      const Nanoseconds from = span.start + Nanoseconds(random(length));
      checked(*whole, {from, from + Nanoseconds(1 + random(length / 6))});
      if (QTest::currentTestFailed()) return;
    }
    checked(*whole, span);
  }

  void eventsThatCrossAnEdgeStayWhole() {
    TraceMaker maker;
    maker.kernel("before", 0, 50, 0).kernel("crossesStart", 90, 30, 80).kernel("inside", 150, 10, 100);
    maker.kernel("crossesEnd", 195, 40, 110).kernel("touchesEnd", 300, 10, 250).kernel("after", 400, 10, 390);
    const auto whole = analysis::analyze(maker.make());
    const auto part = checked(*whole, ns(100, 200));
    QVERIFY(part != nullptr);
    const auto interval = [&](const char* name) { return part->trace->interval(test::eventsNamed(*part->trace, name).at(0)); };
    QVERIFY(interval("crossesStart") == ns(90, 120));
    QVERIFY(interval("crossesEnd") == ns(195, 235));
    QVERIFY(interval("inside") == ns(150, 160));
    const json document = strict(path());
    QVERIFY(has(document, "before"));      // the GPU was idle before it: its end bounds that gap
    QVERIFY(has(document, "touchesEnd"));  // and this one says whose fault the idle time at the end is
    QVERIFY(!has(document, "after"));
  }

  void launchCallsBeforeTheRangeComeWithTheirKernels() {
    TraceMaker maker;
    for (int i = 0; i < 10; ++i) maker.kernel("k" + std::to_string(i), 1000 + i * 100, 90, 10 * i);
    const auto whole = analysis::analyze(maker.make());
    const auto result = analysis::extractRange(*whole, ns(1300, 1500), path(), "t");
    QVERIFY(result.has_value());
    QCOMPARE(result->selection.gpuEvents, std::uint64_t{2});
    QCOMPARE(result->selection.launchesBefore, std::uint64_t{4});  // of k3 and k4, and of their neighbours
    const auto part = analyzed(path());
    for (const char* name : {"k3", "k4"}) {
      const trace::EventRef event = test::eventsNamed(*part->trace, name).at(0);
      QVERIFY(part->trace->launchOf(event).has_value());
      const int i = name[1] - '0';
      QVERIFY(part->trace->interval(*part->trace->launchOf(event)).start == Nanoseconds(10 * i));
    }
    // Arrows: one end each, with one id.
    const json document = strict(path());
    std::multiset<std::int64_t> starts, ends;
    for (const json& event : document.at("traceEvents")) {
      if (event.value("cat", "") != "ac2g") continue;
      (event.at("ph") == "s" ? starts : ends).insert(event.at("id").get<std::int64_t>());
    }
    QCOMPARE(starts.size(), std::size_t{4});
    QVERIFY(starts == ends);
  }

  void idleAtTheEdgesKeepsItsCause() {
    // Idle at both edges, once because of the host and once not.
    for (const std::int64_t launch : {60, 20}) {
      TraceMaker maker;
      maker.kernel("first", 0, 50, 0).kernel("second", 200, 50, launch).kernel("third", 400, 50, launch == 60 ? 300 : 100);
      maker.overhead(120, 15).overhead(290, 200);
      const auto whole = analysis::analyze(maker.make());
      checked(*whole, ns(100, 350));
      checked(*whole, ns(60, 90));
    }
  }

  void severalGpusKeepTheirPlace() {
    TraceMaker maker;
    for (int device = 0; device < 4; ++device) {
      for (int i = 0; i < 20; ++i) {
        maker.kernel(i % 3 == 0 ? "nccl_all" : "gemm", i * 100 + device * 7, 60 + 10 * (i % 5), i * 90, 7 + i % 2, device);
      }
    }
    maker.kernel("only", 5000, 10, 4990, 7, 5);  // a GPU with nothing in the range still counts in the mean
    maker.info().rank = 3;
    maker.info().worldSize = 8;
    maker.info().baseTimeNanoseconds = 1'700'000'000'000'000'000;
    maker.info().devices = {{0, "H\"200", 1000, 132}, {1, "", 0, 0}};
    maker.info().metadata = {{"cupti_version", "26"}, {"trace_id", "0A"}, {"traceName", "/home/alice/x"}, {"backend", "nccl"}};
    const auto whole = analysis::analyze(maker.make());
    const auto part = checked(*whole, ns(433, 1377));
    const trace::TraceInfo& info = part->trace->info();
    QCOMPARE(info.rank, std::optional<int>(3));
    QCOMPARE(info.worldSize, std::optional<int>(8));
    QCOMPARE(info.baseTimeNanoseconds, whole->trace->info().baseTimeNanoseconds);
    QCOMPARE(info.devices.size(), std::size_t{2});
    QCOMPARE(info.devices[0].name, std::string("H\"200"));
    QCOMPARE(info.devices[0].multiprocessors, 132);
    QCOMPARE(info.metadata.at("cupti_version"), std::string("26"));
    QCOMPARE(info.metadata.at("backend"), std::string("nccl"));
    QVERIFY(!info.metadata.contains("traceName"));
    QCOMPARE(info.metadata.at("threewalls_extract_of"), std::string("made-up"));
    QCOMPARE(info.metadata.at("threewalls_extract_from_ns"), std::string("433"));
    QCOMPARE(info.metadata.at("threewalls_extract_written_by"), std::string("threewalls test"));
    const auto& notes = part->diagnostics.entries();
    QVERIFY(std::any_of(notes.begin(), notes.end(), [](const auto& note) { return note.code == "range_extract"; }));
  }

  void aStepGivesTheSameStep() {
    TraceMaker maker;
    for (int step = 0; step < 5; ++step) {
      maker.marker(step, step * 1000, step * 1000 + 950);
      for (int i = 0; i < 8; ++i) maker.kernel("k", step * 1000 + 700 + i * 110, 80, step * 1000 + 100 + i * 40, 7 + i % 2);
    }
    const auto whole = analysis::analyze(maker.make());
    for (int number = 0; number < 5; ++number) {
      const auto range = analysis::stepRange(*whole, number);
      QVERIFY(range.has_value());
      const auto part = checked(*whole, *range);
      const auto find = [number](const analysis::Analysis& analysis) {
        const auto& steps = analysis.lanes.front().steps;
        return *std::find_if(steps.begin(), steps.end(), [&](const auto& step) { return step.number == number; });
      };
      QVERIFY(find(*part).interval == find(*whole).interval);
      QVERIFY(find(*part).ledger == find(*whole).ledger);
      QCOMPARE(find(*part).hostDuration, find(*whole).hostDuration);
    }
    QVERIFY(!analysis::stepRange(*whole, 7).has_value());
  }

  void hostileTextSurvivesTheWayThere_data() {
    QTest::addColumn<bool>("gz");
    QTest::newRow("plain") << false;
    QTest::newRow("gzip") << true;
  }
  void hostileTextSurvivesTheWayThere() {
    QFETCH(bool, gz);
    const test::Folder folder;
    std::vector<std::string> events = test::awkwardEvents(400);
    events.push_back(
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"nan\",\"pid\":0,\"tid\":7,\"ts\":1100,\"dur\":5,\"args\":{\"x\":NaN,\"y\":["
        "Infinity],"
        "\"raw\":\"a\nb\x01\",\"bad\":\"\xff\xfe\",\"correlation\":99991,\"x\":2}}");
    events.push_back(test::completeEvent("cuda_runtime", "cudaGraphLaunch", "41", "41", "900", "1", "\"correlation\": 99991"));
    const std::string text = test::document(events, "\"distributedInfo\": {\"rank\": 0, \"world_size\": 1}, ");
    const auto whole = analyzed(folder.write("in.json", gz ? test::gzip(text) : text));
    QVERIFY(whole != nullptr);
    const Interval span = whole->trace->span();
    const Interval range{span.start + Nanoseconds(90'000), span.start + Nanoseconds(2'500'000)};
    const auto part = checked(*whole, range, gz ? "out.json.gz" : "out.json");
    QVERIFY(part != nullptr);
    const json document = strict(path(gz ? "out.json.gz" : "out.json"));
    bool seen = false;
    for (const json& event : document.at("traceEvents")) {
      if (event.value("name", "") != "nan") continue;
      seen = true;
      QCOMPARE(event.at("args").at("x").get<std::string>(), std::string("NaN"));
      QCOMPARE(event.at("args").at("raw").get<std::string>(), std::string("a\nb\x01"));
      QCOMPARE(event.at("args").at("bad").get<std::string>(), std::string("\xEF\xBF\xBD\xEF\xBF\xBD"));
    }
    QVERIFY(seen);
    // Everything that overlaps the range is there under its own name.
    for (const trace::Lane& lane : whole->trace->lanes()) {
      for (const trace::SubLane& row : lane.subLanes) {
        for (std::uint32_t i = 0; i < row.size(); ++i) {
          if (row.start(i) >= range.end || row.end(i) <= range.start) continue;
          const std::string name(whole->trace->names()[row.name(i)]);
          const auto same = test::eventsNamed(*part->trace, name);
          QVERIFY2(std::any_of(same.begin(), same.end(),
                               [&](const auto& event) {
                                 return part->trace->interval(event) == Interval{row.start(i), row.end(i)};
                               }),
                   name.c_str());
        }
      }
    }
  }

  void arrowsAloneTieAsWell() {
    // As writers of 2021: kernels without a correlation of their own, tied by arrows only.
    std::vector<std::string> events;
    for (int i = 0; i < 40; ++i) {
      const std::string call = std::to_string(1000 + i * 20);
      const std::string start = std::to_string(1500 + i * 20 + (i % 4) * 3);
      const std::string id = std::to_string(700 + i);
      events.push_back(test::completeEvent("cuda_runtime", "cudaLaunchKernel", "1", "1", call, "5",
                                           i % 2 == 0 ? "\"correlation\": " + id : ""));
      events.push_back(test::completeEvent("kernel", "k" + std::to_string(i), "0", "7", start, "8"));
      const std::string ends = ", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": " + id + ", \"pid\": ";
      events.push_back("{\"ph\": \"s\"" + ends + "1, \"tid\": 1, \"ts\": " + call + "}");
      events.push_back("{\"ph\": \"f\"" + ends + "0, \"tid\": 7, \"ts\": " + start + ", \"bp\": \"e\"}");
    }
    const test::Folder folder;
    const auto whole = analyzed(folder.write("in.json", test::document(events)));
    QVERIFY(whole->trace->launchOf(test::eventsNamed(*whole->trace, "k20").at(0)).has_value());
    QVERIFY(whole->trace->launchOf(test::eventsNamed(*whole->trace, "k21").at(0)).has_value());
    const auto part = checked(*whole, ns(1'850'000, 2'050'500));
    for (const char* name : {"k20", "k21"}) {
      const auto call = part->trace->launchOf(test::eventsNamed(*part->trace, name).at(0));
      QVERIFY2(call.has_value(), name);
      QCOMPARE(part->trace->interval(*call).start.count(), 1'000'000 + (name[2] == '0' ? 20 : 21) * 20'000);
    }
  }

  void whatIsNotTiedStaysSo() {
    // Two processes launch, and nothing says whose the kernels are: the reader ties none. The range holds calls of one only.
    std::vector<std::string> events;
    for (int i = 0; i < 20; ++i) {
      const std::string process = i < 10 ? "1" : "2";
      const std::string id = "\"correlation\": " + std::to_string(i);
      events.push_back(
          test::completeEvent("cuda_runtime", "cudaLaunchKernel", process, "1", std::to_string(100 + i * 50), "5", id));
      events.push_back(test::completeEvent("kernel", "k", "0", "7", std::to_string(130 + i * 50), "10", id));
    }
    const test::Folder folder;
    const auto whole = analyzed(folder.write("in.json", test::document(events)));
    QVERIFY(whole->trace->launches().empty());
    const auto part = checked(*whole, ns(200'000, 400'000));
    QVERIFY(part->trace->launches().empty());
  }

  void processesOnOneGpuStayApart() {
    trace::TraceBuilder builder;
    builder.info.file = "report.sqlite";
    builder.info.format = "nsys";
    for (const std::string process : {"111", "112"}) {
      const auto host = builder.lane({trace::LaneKind::HostThread, process, process, -1});
      const auto stream = builder.lane({trace::LaneKind::GpuStream, process, "15", 0});
      const auto overhead = builder.lane({trace::LaneKind::Overhead, process, "0", -1});
      builder.setLabels(host, "thread " + process + " (python3)", "python3 " + process);
      builder.setLabels(stream, "stream 15", "GPU 0, python3 " + process);
      const std::int64_t shift = process == "111" ? 0 : 37;
      const auto add = [&](std::uint32_t lane, std::int64_t start, std::int64_t length, std::int64_t correlation,
                           const char* name, trace::EventKind kind) {
        trace::RawEvent event;
        event.start = start;
        event.duration = length;
        event.byteOffset = trace::kNoOffset;
        event.correlation = correlation;
        event.name = builder.intern(name);
        event.kind = kind;
        builder.add(lane, event);
      };
      for (int i = 0; i < 30; ++i) {
        // The same correlation in both: they are unique within a process only.
        add(host, i * 100 + shift, 20, i, "cudaLaunchKernel", trace::EventKind::RuntimeCall);
        add(stream, i * 100 + 30 + shift, 40 + i % 7, i, "k",
            i % 5 == 0 ? trace::EventKind::GraphSpan : trace::EventKind::Kernel);
      }
      add(overhead, 300 + 2 * shift, 60, -1, "CUPTI", trace::EventKind::Overhead);
    }
    const auto whole = analysis::analyze(std::move(builder).build());
    QCOMPARE(whole->lanes.size(), std::size_t{2});
    const auto part = checked(*whole, ns(280, 1640));
    QCOMPARE(part->lanes[1].process, std::string("112"));
    QVERIFY(part->lanes[0].occupancy.ledger(ns(280, 1640)).graph.count() > 0);
    for (const trace::Lane& lane : part->trace->lanes()) {
      if (lane.key.kind == trace::LaneKind::GpuStream) QCOMPARE(lane.processLabel, "GPU 0, python3 " + lane.key.process);
      if (lane.key.kind == trace::LaneKind::HostThread) QCOMPARE(lane.processLabel, "python3 " + lane.key.process);
    }
  }

  void anExtractOfAnExtractIsTheSame() {
    const auto whole = analyzed(test::repositoryFile("resources/sample/grouped.pt.trace.json.gz"));
    const auto range = analysis::stepRange(*whole, 65);
    QVERIFY(range.has_value());
    const auto part = checked(*whole, *range, "one.json");
    const auto again = checked(*part, *range, "two.json");
    QVERIFY(again != nullptr);
    json one = strict(path("one.json"));
    json two = strict(path("two.json"));
    QCOMPARE(two.at("threewalls_extract_of").get<std::string>(), std::string("one.json"));
    QCOMPARE(two.at("threewalls_extract_content_hash").get<std::string>(), part->trace->info().contentHash);
    QVERIFY(one.at("traceEvents") == two.at("traceEvents"));
  }

  void labelsAndOrderOfLanesStay() {
    const auto whole = analyzed(test::repositoryFile("resources/sample/loop.pt.trace.json.gz"));
    const auto part = checked(*whole, *analysis::stepRange(*whole, 66));
    std::vector<std::string> before, after;
    std::set<std::string> kept;
    const auto text = [](const trace::Lane& lane) {
      return std::to_string(static_cast<int>(lane.key.kind)) + lane.processLabel + "/" + lane.label;
    };
    for (const trace::Lane& lane : part->trace->lanes()) after.push_back(text(lane));
    kept.insert(after.begin(), after.end());
    for (const trace::Lane& lane : whole->trace->lanes()) {
      if (kept.contains(text(lane))) before.push_back(text(lane));
    }
    QCOMPARE(after, before);
  }

  void realTracesOfEveryKindGiveTheSameFigures_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("needed");
    QTest::newRow("loop") << QString::fromStdString(test::repositoryFile("resources/sample/loop.pt.trace.json.gz")) << true;
    for (const char* folder : {"samples", "traces/nsys", "traces/derived", "traces/kineto"}) {
      for (const std::string& file : test::sharedFilesBelow(folder)) {
        const bool trace = file.ends_with(".trace.json.gz") || file.find(".sqlite") != std::string::npos ||
                           (file.find("derived") != std::string::npos && file.find(".json") != std::string::npos);
        const bool small = QFileInfo(QString::fromStdString(file)).size() < 6'000'000;
        if (trace && small)
          QTest::newRow(QFileInfo(QString::fromStdString(file)).fileName().toUtf8()) << QString::fromStdString(file) << false;
      }
    }
  }
  void realTracesOfEveryKindGiveTheSameFigures() {
    QFETCH(QString, file);
    const auto whole = analyzed(file.toStdString());
    if (whole == nullptr || whole->trace->span().empty()) QSKIP("no trace with events");
    const Interval span = whole->trace->span();
    const Nanoseconds part = span.length() / 7;
    checked(*whole, {span.start + part * 3, span.start + part * 4 + Nanoseconds(1)});
  }

  void pythonReadsItAsStrictJson() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("no python3");
    const auto whole = analyzed(test::repositoryFile("resources/sample/grouped.pt.trace.json.gz"));
    checked(*whole, *analysis::stepRange(*whole, 63));
    QProcess process;
    process.start(python, {"-c",
                           "import json,sys\n"
                           "def bad(x): raise ValueError(x)\n"
                           "d=json.load(open(sys.argv[1],encoding='utf-8'),parse_constant=bad)\n"
                           "print(sum(e['ph']=='X' for e in d['traceEvents']))",
                           QString::fromStdString(path())});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.readAllStandardOutput().trimmed().toULongLong(), quint64(count(strict(path()), "ph", "X")));
  }

  void whatCannotBeWrittenIsSaidAndLeavesNothing() {
    const test::Folder folder;
    const std::string source = folder.write("in.json", test::document(test::awkwardEvents(50)));
    const auto whole = analyzed(source);
    const Interval span = whole->trace->span();
    const auto fails = [&](Interval range, const std::string& to) {
      const auto result = analysis::extractRange(*whole, range, to, "t");
      return result ? std::string() : result.error().text();
    };
    const QByteArray before = QByteArray::fromStdString(test::fileContents(source));
    QVERIFY(fails(span, source).find("never replaces its source") != std::string::npos);
    const std::string link = folder.path() + "/link.json";
    QVERIFY(QFile::link(QString::fromStdString(source), QString::fromStdString(link)));
    QVERIFY(fails(span, link).find("never replaces its source") != std::string::npos);
    QCOMPARE(QByteArray::fromStdString(test::fileContents(source)), before);
    QVERIFY(fails(span, folder.path()).find("no regular file") != std::string::npos);
    QVERIFY(fails(span, "/dev/full").find("no regular file") != std::string::npos);
    QVERIFY(fails(span, folder.path() + "/none/out.json").find("folder must exist") != std::string::npos);
    QVERIFY(fails({span.start, span.start}, folder.path() + "/o.json").find("empty") != std::string::npos);
    QVERIFY(fails({span.end, span.end + Nanoseconds(5)}, folder.path() + "/o.json").find("outside") != std::string::npos);

    std::stop_source stop;
    stop.request_stop();
    const auto cancelled =
        analysis::extractRange(*whole, span, folder.path() + "/o.json", "t", base::Progress(stop.get_token(), {}));
    QVERIFY(!cancelled && cancelled.error().code == base::ErrorCode::Cancelled);

    // The source shrinks after it was opened: an error, no half of a file.
    QFile(QString::fromStdString(source)).resize(300);
    QVERIFY(!fails(span, folder.path() + "/o.json").empty());
    QCOMPARE(QDir(QString::fromStdString(folder.path())).entryList(QDir::Files | QDir::Hidden),
             QStringList({"in.json", "link.json"}));
  }
};

QTEST_GUILESS_MAIN(RangeExtractTest)
#include "range_extract_test.moc"

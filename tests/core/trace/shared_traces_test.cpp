// Real recordings of other people, which are not part of the repository: against the counts that their collection states.
#include "support/test_files.h"
#include "trace/open.h"
#include "trace_text.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <limits>
#include <set>

using namespace threewalls;

namespace {

/// The manifest's entry of every file in these folders.
std::vector<QJsonObject> manifestBelow(const QStringList& folders) {
  std::vector<QJsonObject> found;
  const auto path = test::sharedFile("traces/manifest.json");
  if (!path) return found;
  QFile file(QString::fromStdString(*path));
  if (!file.open(QIODevice::ReadOnly)) return found;
  for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).object()["files"].toArray()) {
    const QString name = value.toObject()["file"].toString();
    for (const QString& folder : folders) {
      if (name.startsWith(folder)) found.push_back(value.toObject());
    }
  }
  return found;
}

std::shared_ptr<const trace::Trace> openedShared(const QString& name) {
  const auto path = test::sharedFile("traces/" + name.toStdString());
  if (!path) return nullptr;
  const auto result = trace::openTrace(*path);
  if (!result) qWarning("%s", result.error().text().c_str());
  return result ? *result : nullptr;
}

/// Time covered by GPU events on any stream, by sorting all of them.
qint64 busyUnion(const trace::Trace& trace) {
  std::vector<std::pair<qint64, qint64>> spans;
  for (const trace::Lane& lane : trace.lanes()) {
    for (const trace::SubLane& row : lane.subLanes) {
      for (std::uint32_t i = 0; i < row.size(); ++i) {
        if (trace::isGpuEvent(row.kind(i))) spans.emplace_back(row.start(i).count(), row.end(i).count());
      }
    }
  }
  std::sort(spans.begin(), spans.end());
  qint64 busy = 0;
  qint64 until = std::numeric_limits<qint64>::min();
  for (const auto& [start, end] : spans) {
    busy += std::max<qint64>(0, end - std::max(start, until));
    until = std::max(until, end);
  }
  return busy;
}

}  // namespace

class SharedTracesTest : public QObject {
  Q_OBJECT

 private slots:
  void countsEventsAsTheManifestDoes_data() {
    QTest::addColumn<QJsonObject>("entry");
    for (const QJsonObject& entry : manifestBelow({"kineto/", "no_licence/"})) {
      QTest::newRow(qPrintable(entry["file"].toString())) << entry;
    }
    if (manifestBelow({"kineto/"}).empty()) QTest::newRow("none") << QJsonObject();
  }

  void countsEventsAsTheManifestDoes() {
    QFETCH(QJsonObject, entry);
    if (entry.isEmpty()) QSKIP("shared traces are not here");
    const auto trace = openedShared(entry["file"].toString());
    QVERIFY(trace != nullptr);
    const int complete = entry["phases"].toObject()["X"].toInt();
    const int recordingSpans = entry["categories"].toObject()["Trace"].toInt();
    QCOMPARE(static_cast<int>(trace->eventCount()), complete - recordingSpans);
    QCOMPARE(static_cast<int>(trace->gpuEventCount()), entry["gpu_events"].toInt());
    QCOMPARE(trace->info().format, std::string("kineto"));
    for (const trace::Lane& lane : trace->lanes()) {
      for (const trace::SubLane& row : lane.subLanes) {
        for (std::uint32_t i = 1; i < row.size(); ++i) QVERIFY(row.start(i) >= row.end(i - 1));
      }
    }
    for (const char* damage : {"damaged_event", "truncated_text", "trailing_text", "unknown_phase", "missing_bracket"}) {
      QCOMPARE(trace->diagnostics().count(damage), std::uint64_t{0});
    }
  }

  void loadsDamagedVariantsAsTheManifestExpects_data() {
    QTest::addColumn<QJsonObject>("entry");
    for (const QJsonObject& entry : manifestBelow({"derived/"})) {
      QTest::newRow(qPrintable(entry["file"].toString())) << entry;
    }
    if (manifestBelow({"derived/"}).empty()) QTest::newRow("none") << QJsonObject();
  }

  void loadsDamagedVariantsAsTheManifestExpects() {
    QFETCH(QJsonObject, entry);
    if (entry.isEmpty()) QSKIP("shared traces are not here");
    const QJsonObject expected = entry["expected"].toObject();
    const auto trace = openedShared(entry["file"].toString());
    QVERIFY(trace != nullptr);
    const auto known = [&](const char* key) { return expected.contains(QString(key)); };
    if (known("gpu_busy_union_us")) QCOMPARE(busyUnion(*trace), qRound64(expected["gpu_busy_union_us"].toDouble() * 1000));
    if (known("gpu_busy_union_us_of_valid_events")) {
      QCOMPARE(busyUnion(*trace), qRound64(expected["gpu_busy_union_us_of_valid_events"].toDouble() * 1000));
    }
    // Taken as microseconds, as the format says, what is in nanoseconds lasts a thousand times as long, with a warning.
    if (known("gpu_busy_union_ns")) {
      QCOMPARE(busyUnion(*trace), qRound64(expected["gpu_busy_union_ns"].toDouble() * 1000));
      QCOMPARE(trace->diagnostics().count("implausible_time"), std::uint64_t{1});
    }
    if (expected["events"].toInt() == 1408 || known("pairs")) QCOMPARE(trace->eventCount(), std::uint64_t{867});
    if (known("negative"))
      QCOMPARE(static_cast<int>(trace->diagnostics().count("negative_duration")), expected["negative"].toInt());
    if (known("missing")) QCOMPARE(static_cast<int>(trace->diagnostics().count("missing_duration")), expected["missing"].toInt());
    if (known("distinct_streams")) {
      std::set<std::string> streams;
      for (const trace::Lane& lane : trace->lanes()) {
        if (lane.key.kind == trace::LaneKind::GpuStream) streams.insert(lane.key.thread);
      }
      QCOMPARE(static_cast<int>(streams.size()), expected["distinct_streams"].toInt());
    }
    if (known("complete_events_before_cut") || known("complete_events_in_decodable_part")) {
      QCOMPARE(trace->diagnostics().count("truncated_text"), std::uint64_t{1});
      QVERIFY(trace->eventCount() > 600 && trace->eventCount() < 867);
    }
    if (known("decodable_bytes")) {
      QCOMPARE(static_cast<int>(trace->info().textBytes), expected["decodable_bytes"].toInt());
      QCOMPARE(trace->diagnostics().count("truncated_gzip"), std::uint64_t{1});
    }
    if (known("events") && expected["events"].toInt() == 0) QCOMPARE(trace->diagnostics().count("no_events"), std::uint64_t{1});
  }

  void refusesOtherFormatsInWords_data() {
    QTest::addColumn<QString>("file");
    for (const char* folder : {"ncu", "megatron", "memory", "nccl_tests", "other"}) {
      for (const std::string& file : test::sharedFilesBelow(std::string("traces/") + folder)) {
        QTest::newRow(file.c_str()) << QString::fromStdString(file);
      }
    }
    if (!test::sharedFile("traces")) QTest::newRow("none") << QString();
  }

  void refusesOtherFormatsInWords() {
    QFETCH(QString, file);
    if (file.isEmpty()) QSKIP("shared traces are not here");
    const auto result = trace::openTrace(file.toStdString());
    QVERIFY(!result);
    QVERIFY(result.error().code == base::ErrorCode::Unsupported || result.error().code == base::ErrorCode::UnknownFormat);
    QVERIFY(!result.error().message.empty() && !result.error().hint.empty());
  }

  void readsTheChromeConversionOfAnNsysReport() {
    const auto trace = openedShared("nsys/t4_cupy_chrome_conversion_by_nsightful.json.gz");
    if (trace == nullptr) QSKIP("shared traces are not here");
    QCOMPARE(trace->eventCount(), std::uint64_t{12590});
    QCOMPARE(trace->info().format, std::string("chrome"));
  }

  void keepsOverlappingKernelsOnFurtherRows() {
    const auto trace = openedShared("kineto/b200_fsdp_rank0of8.json.gz");
    if (trace == nullptr) QSKIP("shared traces are not here");
    QCOMPARE(trace->diagnostics().count("same_stream_overlap"), std::uint64_t{74});  // FORMATS.md, Overlap inside one stream
  }
};

QTEST_GUILESS_MAIN(SharedTracesTest)
#include "shared_traces_test.moc"

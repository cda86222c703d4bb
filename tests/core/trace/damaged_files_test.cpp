#include "trace/kineto_reader.h"
#include "trace/open.h"
#include "trace_text.h"

#include <QtTest>

#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>

using namespace threewalls;
using base::Nanoseconds;
using test::completeEvent;
using test::document;
using test::json;
using test::lengthOf;
using test::op;
using test::opened;
using test::openedText;
using test::startOf;

class DamagedFilesTest : public QObject {
  Q_OBJECT

 private slots:
  void cutShortItKeepsAllCompleteEventsWhereverTheCutIs() {
    const test::Folder folder;
    const std::vector<std::string> events = test::awkwardEvents(28);
    const std::string text = document(events);
    std::vector<std::size_t> ends;
    for (std::size_t at = text.find('['), i = 0; i < events.size(); ++i) {
      at = text.find(events[i], at) + events[i].size();
      ends.push_back(at);
    }
    for (std::size_t size = text.find('[') + 1; size < ends.back(); size += 7) {
      const auto trace = opened(folder.write("t.json", text.substr(0, size)), {1, 700});
      QVERIFY(trace != nullptr);
      const auto complete =
          static_cast<std::size_t>(std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= size; }));
      std::uint64_t expected = 0;  // B counts with or without its E
      for (std::size_t i = 0; i < complete; ++i) expected += i % 7 < 4 ? 1 : 0;
      QCOMPARE(trace->eventCount(), expected);
      QVERIFY(trace->diagnostics().count("truncated_text") + trace->diagnostics().count("missing_bracket") == 1);
    }
  }

  void repairsAndCounts_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("offset");
    QTest::addColumn<int>("events");
    const auto row = [](const char* tag, const std::string& text, const char* code, int count, std::size_t offset, int events) {
      QTest::newRow(tag) << QByteArray(text.data(), static_cast<qsizetype>(text.size())) << QByteArray(code) << count
                         << static_cast<int>(offset) << events;
    };
    const std::string a = op("a", 0, 5);
    const std::string b = op("b", 10, 5);
    const std::string good = document({a, b});
    const auto with = [&](const std::string& event) { return document({a, event, b}); };
    const std::size_t second = document({a}).find(a) + a.size() + 4;  // of an event behind a
    row("byte order mark", "\xEF\xBB\xBF" + good, "byte_order_mark", 1, 0, 2);
    row("trailing text", good + "// the end", "trailing_text", 1, good.rfind('}') + 1, 2);
    row("missing duration", with(completeEvent("cpu_op", "x", "1", "1", "6", "")), "missing_duration", 1, second, 3);
    row("negative duration", with(op("x", 6, -2)), "negative_duration", 1, second, 3);
    row("text numbers", with(completeEvent("cpu_op", "x", "1", "1", "\"6\"", "\"1.5\"")), "text_number", 2, second, 3);
    row("NaN time", with(completeEvent("cpu_op", "x", "1", "1", "NaN", "1")), "bad_number", 1, second, 2);
    row("NaN duration", with(completeEvent("cpu_op", "x", "1", "1", "6", "NaN")), "bad_number", 1, second, 3);
    row("time out of range", with(completeEvent("cpu_op", "x", "1", "1", "1e300", "1")), "time_out_of_range", 1, second, 2);
    row("duration out of range", with(completeEvent("cpu_op", "x", "1", "1", "6", "99999999999999999999999")),
        "time_out_of_range", 1, second, 3);
    const std::string noTime = json("{'ph':'X','cat':'cpu_op','name':'x','dur':1}");
    row("missing time", with(noTime), "missing_time", 1, second, 2);
    const std::string twice = json("{'ph':'X','cat':'cpu_op','name':'x','name':'y','pid':1,'tid':1,'ts':6,'dur':1}");
    row("duplicate key", with(twice), "duplicate_key", 1, second + twice.rfind("\"name\""), 3);
    row("NaN argument", with(completeEvent("gpu_memcpy", "x", "0", "7", "6", "0", "\"bandwidth\": -Infinity")),
        "not_a_number_token", 1,
        with(completeEvent("gpu_memcpy", "x", "0", "7", "6", "0", "\"bandwidth\": -Infinity")).find("-Inf"), 3);
    const std::string control = with(op("x\ny\x01z", 6, 1));
    row("control characters", control, "control_character", 2, control.find("x\ny") + 1, 3);
    const std::string bytes = with(op("x\xFF\xC3(", 6, 1));
    row("bad UTF-8", bytes, "invalid_utf8", 2, bytes.find('\xFF'), 3);
    row("number in the list", with("17"), "not_an_event", 1, second, 2);
    row("counter", with(json("{'ph':'C','name':'x','pid':1,'ts':6,'args':{'v':1}}")), "counter_event", 1, second, 2);
    row("async", with(json("{'ph':'b','id':1,'name':'x','pid':1,'ts':6}")), "async_event", 1, second, 2);
    row("instant", with(json("{'ph':'i','s':'t','name':'[memory]','pid':1,'tid':1,'ts':6}")), "instant_event", 1, second, 2);
    row("unknown phase", with(json("{'ph':'?','name':'x'}")), "unknown_phase", 1, second, 2);
    row("damaged event", with("{\"ph\": \"X\", nonsense}"), "damaged_event", 1, second, 2);
    row("open string", with("{\"ph\": \"X, \"name\": \"x\"}"), "damaged_event", 1, second, 2);
    row("missing bracket of a list", "[" + a + "," + b, "missing_bracket", 1, 1 + a.size() + 1 + b.size(), 2);
    row("comma at the end of a list", "[" + a + "," + b + ",\n", "missing_bracket", 1, 1 + a.size() + 1 + b.size() + 2, 2);
    row("no events", document({}), "no_events", 1, 0, 0);
    row("empty list", "[]", "no_events", 1, 0, 0);
    const std::string nanoseconds = document({completeEvent("cpu_op", "a", "1", "1", "1695835542514261000", "5"),
                                              completeEvent("cpu_op", "b", "1", "1", "1695835542514271000", "5")});
    row("nanoseconds", nanoseconds, "implausible_time", 1, nanoseconds.find("\"ts\""), 2);
  }

  void repairsAndCounts() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    QFETCH(int, count);
    QFETCH(int, offset);
    QFETCH(int, events);
    const test::Folder folder;
    const std::string path = folder.write("t.json", text.toStdString());
    for (const std::size_t piece : {std::size_t{20}, std::size_t{4} << 20}) {
      const auto trace = opened(path, {2, piece});
      QVERIFY(trace != nullptr);
      QCOMPARE(trace->eventCount(), static_cast<std::uint64_t>(events));
      std::vector<base::Diagnostic> found = trace->diagnostics().entries();
      std::erase_if(found, [](const base::Diagnostic& d) { return d.code == "gpu_event_without_launch"; });
      QCOMPARE(found.size(), std::size_t{1});
      QCOMPARE(QByteArray::fromStdString(found.front().code), code);
      QCOMPARE(found.front().count, static_cast<std::uint64_t>(count));
      QCOMPARE(static_cast<int>(found.front().byteOffset.value_or(0)), offset);
      QCOMPARE(found.front().file, path);
      QVERIFY(!found.front().message.empty());
      if (events < 2) continue;
      QVERIFY(startOf(*trace, "a") == Nanoseconds(0));
      QCOMPARE(startOf(*trace, "b") - startOf(*trace, "a"), Nanoseconds(code == "implausible_time" ? 10'000'000 : 10'000));
      QCOMPARE(lengthOf(*trace, "b"), Nanoseconds(5000));
    }
  }

  void takesTheLastOfTwoEqualKeys() {
    const auto trace =
        openedText("[" + json("{'ph':'X','cat':'cpu_op','name':'x','name':'y','pid':1,'tid':1,'ts':6,'ts':7,'dur':1}]"));
    QCOMPARE(startOf(*trace, "y"), Nanoseconds(7000));
    QCOMPARE(trace->diagnostics().count("duplicate_key"), std::uint64_t{2});
  }

  void neverCountsARepairedDuration() {
    const auto trace = openedText(document({op("x", 6, -2), completeEvent("cpu_op", "y", "1", "1", "6", "")}));
    for (const char* name : {"x", "y"}) {
      const auto event = test::eventsNamed(*trace, name).front();
      QCOMPARE(trace->interval(event).length(), Nanoseconds(0));
      QCOMPARE(trace->subLane(event).flags(event.index), trace::event_flag::kRepaired);
    }
  }

  void survivesAHoleInTheMiddleOfTheFile() {
    std::vector<std::string> events;
    for (int i = 0; i < 2000; ++i) events.push_back(op("event " + std::to_string(i), i * 10, 5));
    std::string text = document(events);
    const std::size_t middle = text.find("event 1000");
    text.replace(middle, 400, std::string(400, '\0'));
    const test::Folder folder;
    const std::string path = folder.write("t.json", text);
    for (const std::size_t piece : {std::size_t{3000}, std::size_t{4} << 20}) {
      const auto trace = opened(path, {2, piece});
      QVERIFY2(trace->eventCount() >= 1990, qPrintable(QString::number(trace->eventCount())));
      QVERIFY(!test::eventsNamed(*trace, "event 1999").empty());
      QVERIFY(!test::eventsNamed(*trace, "event 998").empty());
      QVERIFY(trace->diagnostics().count("damaged_event") > 0);
    }
  }

  void readsGzipOfSeveralMembersAndCutOrDamagedOnes() {
    const test::Folder folder;
    std::vector<std::string> events;
    for (int i = 0; i < 3000; ++i) events.push_back(op("event " + std::to_string(i * 7919 % 3001), i * 10, 5));
    const std::string text = document(events);
    const std::string first = test::gzip(text.substr(0, 1000));
    const std::string second = test::gzip(text.substr(1000));
    const auto whole = opened(folder.write("misnamed.json", first + second), {2, 5000});
    QCOMPARE(whole->eventCount(), std::uint64_t{3000});
    QCOMPARE(whole->info().textBytes, static_cast<std::uint64_t>(text.size()));
    QVERIFY(whole->diagnostics().empty());
    QCOMPARE(whole->rawJson(test::eventsNamed(*whole, "event 0").front()).value(), events[0]);

    const std::string all = first + second;
    const auto cut = opened(folder.write("cut.gz", all.substr(0, all.size() / 2)), {2, 5000});
    QVERIFY(cut->eventCount() > 500 && cut->eventCount() < 3000);
    QCOMPARE(cut->diagnostics().count("truncated_gzip"), std::uint64_t{1});
    QCOMPARE(cut->diagnostics().count("truncated_text"), std::uint64_t{1});

    std::string bad = all;
    for (std::size_t i = all.size() / 2; i < all.size() / 2 + 50; ++i) bad[i] = static_cast<char>(~bad[i]);
    const auto damaged = opened(folder.write("bad.gz", bad), {2, 5000});
    QVERIFY(damaged->eventCount() > 500);
    QCOMPARE(damaged->diagnostics().count("corrupt_gzip"), std::uint64_t{1});

    const auto padded = opened(folder.write("padded.gz", all + std::string(512, '\0')));
    QVERIFY(padded->diagnostics().empty());
    QVERIFY(padded->info().contentHash != whole->info().contentHash);
  }

  void saysWhatAFileIsThatIsNoTrace_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* tag, const std::string& content, const char* word) {
      QTest::newRow(tag) << QByteArray(content.data(), static_cast<qsizetype>(content.size())) << QString(word);
    };
    row("empty", "", "empty");
    row("SQLite", std::string("SQLite format 3\0\x10", 17), "SQLite");
    row("SQLite in gzip", test::gzip("SQLite format 3"), "SQLite");
    row("pickle", "\x80\x04\x95", "pickle");
    row("zip", "PK\x03\x04", "zip");
    row("zstd", "\x28\xB5\x2F\xFD\x24", "zstd");
    row("Nsight Compute", "==PROF== Connected\n\"ID\",\"Process ID\"\n", "Nsight Compute");
    row("Megatron log", " [2024-01-01] iteration 1/ 2 | elapsed time per iteration (ms): 3.0 |", "Megatron");
    row("Megatron log with a bracket first", "[2024-01-01] iteration 1/ 2 | elapsed time per iteration (ms): 3.0 |", "Megatron");
    row("nccl-tests", "[1,0]<stdout>:#  size  time   algbw   busbw #wrong", "nccl-tests");
    row("rocprofv3", json("{'rocprofiler-sdk-tool': [{}]}"), "rocprofv3");
    row("execution trace", json("{'schema': '1.0', 'nodes': []}"), "execution trace");
    row("other JSON", json("{'a': 1}"), "no list of trace events");
    row("memory timeline", "[[-1, \"x\", 3, 4]]", "no trace events");
    row("list of other objects", json("[{'a': 1}]"), "no trace events");
    row("HTML", "<!DOCTYPE html>", "HTML");
    row("XPlane", std::string("\x0A\x10\0/host:CPU", 12), "XPlane");
    row("UTF-16", std::string("\xFF\xFE{\0", 4), "UTF-16");
    row("text", "hello", "text");
    row("binary",
        std::string("\x7F"
                    "ELF\x02\x01\0",
                    7),
        "binary");
    row("cut before the events", json("{'schemaVersion': 1, 'deviceProp"), "no list of trace events");
  }

  void saysWhatAFileIsThatIsNoTrace() {
    QFETCH(QByteArray, content);
    QFETCH(QString, word);
    const test::Folder folder;
    const std::string path = folder.write("trace.json", content.toStdString());
    const auto result = trace::readTrace(path, {}, {});
    QVERIFY(!result);
    QVERIFY2(QString::fromStdString(result.error().message).contains(word), result.error().message.c_str());
    QCOMPARE(result.error().file, path);
    QVERIFY(!result.error().hint.empty());
  }

  void saysWhyAFileCannotBeOpened() {
    const test::Folder folder;
    QCOMPARE(trace::openTrace(folder.path() + "/none").error().code, base::ErrorCode::CannotRead);
    const auto folderError = trace::openTrace(folder.path()).error();
    QVERIFY(folderError.message.find("folder") != std::string::npos);
  }

  void stopsWhenAskedAndLeavesNothingBehind() {
    const test::Folder folder;
    const test::Folder temporary;
    const std::string path = folder.write("t.json.gz", test::gzip(document(test::awkwardEvents(7000))));
    qputenv("TMPDIR", QByteArray::fromStdString(temporary.path()));
    std::stop_source stop;
    std::atomic<int> reports = 0;
    const base::Progress progress(stop.get_token(), [&](std::uint64_t done, std::uint64_t total) {
      QVERIFY(done <= total);
      if (++reports == 3) stop.request_stop();
    });
    const auto result = trace::readTrace(path, progress, {2, 1000});
    qunsetenv("TMPDIR");
    QVERIFY(!result);
    QCOMPARE(result.error().code, base::ErrorCode::Cancelled);
    QCOMPARE(result.error().file, path);
    QVERIFY(std::filesystem::is_empty(temporary.path()));
  }

  void saysThatThereIsNoRoomForTheInflatedText() {
    const test::Folder folder;
    const std::string path = folder.write("t.json.gz", test::gzip(document(test::awkwardEvents(7000))));
    qputenv("TMPDIR", "/nonexistent");
    const auto nowhere = trace::openTrace(path);
    qunsetenv("TMPDIR");
    QVERIFY(!nowhere && nowhere.error().hint.find("TMPDIR") != std::string::npos);

    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{20'000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto full = trace::openTrace(path);
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!full && full.error().hint.find("TMPDIR") != std::string::npos);
    QCOMPARE(full.error().file, path);
  }
};

QTEST_GUILESS_MAIN(DamagedFilesTest)
#include "damaged_files_test.moc"

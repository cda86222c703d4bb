#include "trace/memory/memory_snapshot.h"
#include "support/plain_file.h"
#include "support/test_files.h"
#include "trace/memory/pickle_reader.h"

#include <QtTest>

#include <algorithm>
#include <string>

using namespace threewalls;
using namespace threewalls::trace::memory;
using namespace std::string_literals;

namespace {

/// A pickle writer of our own: protocol 4 without a memo.
std::string text(const std::string& value) {
  return "\x8c"s + static_cast<char>(value.size()) + value;
}
std::string number(std::int64_t value) {
  std::string out = "\x8a\x08"s;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}
std::string list(const std::vector<std::string>& items) {
  std::string out = "]("s;
  for (const auto& item : items) out += item;
  return out + "e";
}
std::string dict(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string out = "}("s;
  for (const auto& [key, value] : pairs) out += text(key) + value;
  return out + "u";
}
std::string pickle(const std::string& value) {
  return "\x80\x04"s + value + ".";
}
std::string frame(const std::string& name, const std::string& file, int line) {
  return dict({{"name", text(name)}, {"filename", text(file)}, {"line", number(line)}});
}
std::string entry(const std::string& action, std::int64_t address, std::int64_t size, std::int64_t time,
                  const std::string& frames) {
  return dict({{"action", text(action)},
               {"addr", number(address)},
               {"size", number(size)},
               {"time_us", number(time)},
               {"frames", frames}});
}
std::string snapshot(const std::vector<std::string>& events, const std::vector<std::string>& segments) {
  return pickle(dict({{"segments", list(segments)}, {"device_traces", list({list(events)})}}));
}
std::string segment(std::int64_t total, const std::vector<std::int64_t>& active) {
  std::vector<std::string> blocks;
  for (const auto size : active) blocks.push_back(dict({{"size", number(size)}, {"state", text("active_allocated")}}));
  blocks.push_back(dict({{"size", number(4096)}, {"state", text("inactive")}}));
  return dict({{"device", number(0)}, {"total_size", number(total)}, {"blocks", list(blocks)}});
}

}  // namespace

class MemorySnapshotTest : public QObject {
  Q_OBJECT

 private slots:
  void thePeakOfTheSampleIsWhatTheTrainingLogPrinted() {
    const auto path = test::sharedFile("samples/moe_grouped_memory_snapshot.pickle.gz");
    if (!path) QSKIP("the shared samples are not here");
    const std::string bytes = test::fileContents(*path);
    QVERIFY(recognised(bytes));
    const auto read = openMemorySnapshot(*path);
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QCOMPARE(read->devices.size(), std::size_t{1});
    const DeviceMemory& device = read->devices[0];
    QCOMPARE(device.events, std::uint64_t{2649});
    // study/grouped.log of the same model: "max allocated: 7537.56 | reserved: 8154.00", in MiB.
    QCOMPARE(device.peakAllocated, std::uint64_t{7903700992});
    QCOMPARE(QString::number(static_cast<double>(device.peakAllocated) / (1 << 20), 'f', 2), QString("7537.56"));
    QCOMPARE(QString::number(static_cast<double>(device.peakReserved) / (1 << 20), 'f', 2), QString("8154.00"));
    QCOMPARE(device.reservedAtPeak, std::uint64_t{8550088704});
    QCOMPARE(device.allocatedAtEnd, std::uint64_t{67108864});
    QCOMPARE(device.peakTimeNs, std::optional<std::int64_t>(1796110473732323000));
    QVERIFY(device.wholeHistory);
    QCOMPARE(device.sites[0].function + ":" + std::to_string(device.sites[0].line), std::string("step:132"));
    QCOMPARE(device.sites[0].count, std::uint64_t{51});
    const auto backward =
        std::find_if(device.sites.begin(), device.sites.end(), [](const AllocationSite& site) { return site.file.empty(); });
    QVERIFY(backward != device.sites.end());
    QVERIFY2(backward->function.find("Backward0::apply") != std::string::npos, backward->function.c_str());
    std::uint64_t sum = 0;
    for (const AllocationSite& site : device.sites) sum += site.bytes;
    QCOMPARE(sum, device.peakAllocated);
  }

  void freedMemoryLeavesThePeakAndSitesAreOfTheUsersOwnLines() {
    const std::string own =
        list({frame("malloc", "??", 0), frame("linear", "/x/site-packages/torch/nn.py", 3), frame("forward", "model.py", 7)});
    const std::string library =
        list({frame("torch::unwind::unwind()", "a.cpp", 0), frame("step", "/x/site-packages/adam.py", 9)});
    const auto read =
        readMemorySnapshot(snapshot({entry("segment_alloc", 1, 1 << 20, 1, list({})), entry("alloc", 1000, 1000, 2, own),
                                     entry("alloc", 5000, 512, 3, library), entry("free_requested", 1000, 1000, 4, list({})),
                                     entry("free_completed", 1000, 1000, 5, list({})), entry("alloc", 9000, 700, 6, own),
                                     entry("alloc", 1000, 1, 7, list({}))},
                                    {segment(1 << 20, {512, 1024, 512})}),
                           "x");
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    const DeviceMemory& device = read->devices.at(0);
    QCOMPARE(device.peakAllocated, std::uint64_t{512 + 1024 + 512});
    QCOMPARE(device.peakTimeNs, std::optional<std::int64_t>(7000));
    QVERIFY(device.wholeHistory);
    QCOMPARE(device.sites.size(), std::size_t{3});
    QCOMPARE(device.sites[0].function, std::string("forward"));
    QCOMPARE(device.sites[0].bytes, std::uint64_t{1024});
    std::vector<std::string> names;
    for (const AllocationSite& site : device.sites) names.push_back(site.function);
    std::sort(names.begin(), names.end());
    QCOMPARE(names, (std::vector<std::string>{"(no call stack)", "forward", "step"}));
  }

  void aRecordingThatBeganLateCountsWhatWasThereBefore() {
    // Before: 10240 bytes alive in two blocks; the first is freed while recording. At the end the other and a new one are alive.
    const auto read =
        readMemorySnapshot(snapshot({entry("alloc", 50, 2048, 1, list({})), entry("free_requested", 7, 4096, 2, list({}))},
                                    {segment(1 << 20, {6144, 2048})}),
                           "x");
    QVERIFY(read.has_value());
    const DeviceMemory& device = read->devices.at(0);
    QVERIFY(!device.wholeHistory);
    QCOMPARE(device.peakAllocated, std::uint64_t{10240 + 2048});
    QCOMPARE(device.peakReserved, std::uint64_t{1 << 20});
    QCOMPARE(device.sites[0].function, std::string("(allocated before the recording)"));
    QCOMPARE(device.sites[0].bytes, std::uint64_t{10240});
    QCOMPARE(read->diagnostics.count("history_incomplete"), std::uint64_t{1});
  }

  void nothingThatRunsCodeIsRead_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("opcode");
    const auto row = [](const char* name, const std::string& body) {
      QTest::newRow(name) << QByteArray::fromStdString("\x80\x04"s + body) << QString(name);
    };
    row("GLOBAL", "cos\nsystem\n(S'touch /tmp/owned'\ntR.");
    row("STACK_GLOBAL", text("os") + text("system") + "\x93."s);
    row("REDUCE", text("x") + ")R."s);
    row("BUILD", "}}b.");
    row("INST", "(ios\nsystem\n.");
    row("OBJ", "(o.");
    row("NEWOBJ", "))\x81."s);
    row("NEWOBJ_EX", "))}\x92."s);
    row("EXT1", "\x82\x01."s);
    row("PERSID", "Pabc\n.");
    row("BINPERSID", text("x") + "Q."s);
  }

  void nothingThatRunsCodeIsRead() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, opcode);
    const auto data = PickleData::read(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    QVERIFY(!data.has_value());
    QCOMPARE(data.error().code, base::ErrorCode::Unsupported);
    QVERIFY2(QString::fromStdString(data.error().message).contains(opcode), data.error().message.c_str());
  }

  void valuesAreReadAsPythonMeansThem() {
    const std::string bytes =
        pickle("("s + "K\xff" + "M\x01\x02"s + "J\xff\xff\xff\xff" + "\x8a\x00"s + "\x8a\x01\x80"s +
               "\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00"s + "N\x88\x89" + "X\x02\x00\x00\x00hi"s + "]\x94" + "h\x00"s + "t");
    const auto data = PickleData::read(bytes);
    QVERIFY2(data.has_value(), data ? "" : data.error().text().c_str());
    const auto& items = data->items(data->root());
    QCOMPARE(items.size(), std::size_t{12});
    QCOMPARE(data->integer(items[0]), std::optional<std::int64_t>(255));
    QCOMPARE(data->integer(items[1]), std::optional<std::int64_t>(513));
    QCOMPARE(data->integer(items[2]), std::optional<std::int64_t>(-1));
    QCOMPARE(data->integer(items[3]), std::optional<std::int64_t>(0));
    QCOMPARE(data->integer(items[4]), std::optional<std::int64_t>(-128));
    QVERIFY(!data->integer(items[5]).has_value());
    QCOMPARE(data->kind(items[6]), PickleData::Kind::None);
    QCOMPARE(data->text(items[9]), std::string_view("hi"));
    QCOMPARE(items[10], items[11]);
  }

  void damagedPicklesAreErrors() {
    const std::string good = snapshot({entry("alloc", 1, 5, 1, list({}))}, {segment(4096, {512})});
    QVERIFY(readMemorySnapshot(good, "x").has_value());
    for (std::size_t size = 0; size < good.size(); ++size)
      QVERIFY(!readMemorySnapshot(std::string_view(good).substr(0, size), "x").has_value());
    for (const std::string& body :
         {"e."s, "u."s, "}K\x01s."s, "](K\x01u."s, "h\x05."s, "r\xff\xff\xff\x7f."s, "N\x94r\xff\xff\xff\xff."s, "."s, "0."s,
          "1."s, "\x85."s, "X\xff\xff\xff\xffhi."s, "\x8d\xff\xff\xff\xff\xff\xff\xff\xffhi."s, "\xffN."s, "](}(K\x01u."s}) {
      const auto data = PickleData::read("\x80\x04"s + body);
      QVERIFY2(!data.has_value(), body.c_str());
    }
    const auto other = readMemorySnapshot(pickle(dict({{"hello", number(5)}})), "x");
    QVERIFY(!other.has_value());
    QCOMPARE(other.error().code, base::ErrorCode::UnknownFormat);
    std::uint32_t random = 99;
    for (int round = 0; round < 3000; ++round) {
      std::string bytes = good;
      for (int flip = 0; flip < 3; ++flip) {
        random = random * 1664525 + 1013904223;
        bytes[(random >> 4) % bytes.size()] = static_cast<char>(random >> 24);
      }
      readMemorySnapshot(bytes, "x");
    }
  }

  void hostileSharingStaysLinear() {
    // One list of 20,000 entries that stands in the snapshot 20,000 times.
    std::string entries = "]\x94("s;
    for (int i = 0; i < 20000; ++i) entries += "N";
    entries += "e0";
    std::string traces = "](";
    for (int i = 0; i < 20000; ++i) traces += "h\x00"s;
    const std::string bytes = "\x80\x04"s + entries + "}(" + text("device_traces") + traces + "e" + "u.";
    QElapsedTimer timer;
    timer.start();
    QVERIFY(readMemorySnapshot(bytes, "x").has_value());
    QVERIFY(timer.elapsed() < 5000);
    QVERIFY(readMemorySnapshot(pickle("}("s + text("device_traces") + "]\x94h\x00"s + "a" + "u"), "x")
                .has_value());  // a list within itself
  }
};

QTEST_GUILESS_MAIN(MemorySnapshotTest)
#include "memory_snapshot_test.moc"

#include "support/plain_file.h"
#include "support/test_files.h"
#include "trace/ncu/csv_records.h"
#include "trace/ncu/join_name.h"
#include "trace/ncu/localised_number.h"
#include "trace/ncu/ncu_report.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace threewalls;
using namespace threewalls::trace;
using ncu::KernelMetrics;
using ncu::Resource;

namespace {

std::string shared(const char* name) {
  const auto path = test::sharedFile(name);
  return path ? test::fileContents(*path) : std::string();
}

/// Launches of a kernel, by a part of its name.
std::vector<const KernelMetrics*> named(const ncu::NcuReport& report, std::string_view part) {
  std::vector<const KernelMetrics*> out;
  for (const KernelMetrics& kernel : report.kernels) {
    if (kernel.name.find(part) != std::string::npos) out.push_back(&kernel);
  }
  return out;
}

bool near(std::optional<double> value, double wanted, double tolerance) {
  return value && std::abs(*value / wanted - 1) <= tolerance;
}

const char* const kWideHeader =
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",";

}  // namespace

class NcuTest : public QObject {
  Q_OBJECT

 private slots:
  void theQkvGemmOfTheSampleIsTheHandCheck() {
    const std::string text = shared("samples/ncu_roofline_raw.csv");
    if (text.empty()) QSKIP("the shared samples are not here");
    const auto report = ncu::readNcuCsv(text, "ncu_roofline_raw.csv");
    QVERIFY(report.has_value());
    QCOMPARE(report->kernels.size(), std::size_t{200});
    const auto gemms = named(*report, "nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_TNT");
    const auto at = std::find_if(gemms.begin(), gemms.end(), [](const KernelMetrics* kernel) { return kernel->id == 104; });
    QVERIFY(at != gemms.end());
    const KernelMetrics& gemm = **at;
    QCOMPARE(*gemm.flops(), 2.0 * 4096 * 2048 * 5120);
    QCOMPARE(std::llround(*gemm.durationNs), 116064LL);
    QCOMPARE(*gemm.dramBytes, 109462528.0);
    QCOMPARE(*gemm.l2Bytes, 654305504.0);
    QCOMPARE(*gemm.l1Bytes, 12160.0);
    QVERIFY(near(gemm.flopsPerSecond(), 740e12, 0.001));
    QVERIFY(near(gemm.intensity(), 785, 0.001));
    QCOMPARE(gemm.throughput.at(Resource::Tensor), 0.8468);
    QCOMPARE(gemm.throughput.at(Resource::Dram), 0.1961);
    QCOMPARE(gemm.grid, (std::array<std::int64_t, 3>{2, 66, 1}));
    QCOMPARE(gemm.computeCapability, std::string("9.0"));
    const auto tensor =
        std::find_if(gemm.work.begin(), gemm.work.end(), [](const ncu::Work& work) { return work.pipe == "tensor hgmma"; });
    QVERIFY(tensor != gemm.work.end());
    QCOMPARE(tensor->precision + ">" + tensor->accumulator, std::string("bf16>fp32"));
    QCOMPARE(report->diagnostics.count("profiler_error"), std::uint64_t{2});
  }

  void otherMetricNamesForTheSameKernelGiveTheSameWork() {
    const std::string text = shared("samples/ncu_raw.csv");
    if (text.empty()) QSKIP("the shared samples are not here");
    const auto report = ncu::readNcuCsv(text, "ncu_raw.csv");
    QVERIFY(report.has_value());
    QCOMPARE(report->kernels.size(), std::size_t{150});
    const auto gemms = named(*report, "nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_TNT");
    QVERIFY(!gemms.empty());
    const auto whole = std::find_if(gemms.begin(), gemms.end(), [](auto* kernel) { return kernel->id == 4; });
    QVERIFY(whole != gemms.end());
    QCOMPARE(*(*whole)->flops(), 85899345920.0);
    QCOMPARE(*(*whole)->dramBytes, 75663616.0 + 32214272.0);
    QCOMPARE(std::llround(*(*whole)->durationNs), 118720LL);
    QVERIFY(near(908674932614.56 * 118720e-9, *(*whole)->dramBytes, 1e-4));  // the file's own rate times its duration
    QCOMPARE(report->diagnostics.count("profiler_error"), std::uint64_t{0});
  }

  void theLongFormGivesDurationTrafficAndShares() {
    const std::string text = shared("samples/ncu_details.csv");
    if (text.empty()) QSKIP("the shared samples are not here");
    const auto report = ncu::readNcuCsv(text, "ncu_details.csv");
    QVERIFY(report.has_value());
    QCOMPARE(report->kernels.size(), std::size_t{12});
    const KernelMetrics& first = report->kernels[0];
    QCOMPARE(std::llround(*first.durationNs), 100192LL);
    QVERIFY(near(first.dramBytes, 2680930054295.75 * 100192e-9, 1e-9));
    QCOMPARE(first.throughput.at(Resource::Sm), 0.3647);
    QCOMPARE(first.throughput.at(Resource::Memory), 0.5573);
    QCOMPARE(first.throughput.at(Resource::Occupancy), 0.4328);
    QVERIFY(!first.flops().has_value());
    QVERIFY(report->diagnostics.count("metric_not_collected") > 0);
  }

  void anOlderGpuIsReadTheSameWay() {
    const std::string text = shared("traces/ncu/t4_copy_blocked_details.csv");
    if (text.empty()) QSKIP("the shared traces are not here");
    const auto report = ncu::readNcuCsv(text, "t4.csv");
    QVERIFY(report.has_value());
    QCOMPARE(report->kernels.size(), std::size_t{1});
    QCOMPARE(report->kernels[0].computeCapability, std::string("7.5"));
    QCOMPARE(std::llround(*report->kernels[0].durationNs), 21058944LL);
    QVERIFY(near(report->kernels[0].dramBytes, 196456177859.63 * 21058944e-9, 1e-9));
    QCOMPARE(report->diagnostics.count("generation_unknown"), std::uint64_t{0});
  }

  void aFileOfAnotherLocaleGivesTheSameFigures() {
    const std::string text = shared("samples/ncu_raw.csv");
    if (text.empty()) QSKIP("the shared samples are not here");
    std::string german = text;
    bool quoted = false;
    for (std::size_t i = german.find("\"ID\""); i < german.size(); ++i) {  // swaps the marks of every cell that is a number
      if (german[i] != '"') continue;
      quoted = !quoted;
      if (!quoted) continue;
      const std::size_t end = german.find('"', i + 1);
      const bool number = std::all_of(german.begin() + i + 1, german.begin() + end,
                                      [](char c) { return std::isdigit(c) || c == '.' || c == ','; });
      for (std::size_t j = i; number && j < end; ++j) german[j] = german[j] == '.' ? ',' : german[j] == ',' ? '.' : german[j];
    }
    QVERIFY(german != text);
    const auto ours = ncu::readNcuCsv(text, "a"), theirs = ncu::readNcuCsv(german, "b");
    QVERIFY(ours && theirs);
    QCOMPARE(ours->kernels.size(), theirs->kernels.size());
    for (std::size_t i = 0; i < ours->kernels.size(); ++i) {
      QCOMPARE(theirs->kernels[i].durationNs, ours->kernels[i].durationNs);
      QCOMPARE(theirs->kernels[i].flops(), ours->kernels[i].flops());
      QCOMPARE(theirs->kernels[i].dramBytes, ours->kernels[i].dramBytes);
      QCOMPARE(theirs->kernels[i].throughput, ours->kernels[i].throughput);
    }
  }

  void numbersAreReadByTheStyleThatTheEvidenceShows() {
    ncu::NumberStyle english, german, none;
    for (const char* cell : {"1,234.50", "1,234", "n/a", "(320, 1, 1)"}) english.learn(cell);
    for (const char* cell : {"1.234,50", "1.234", "0,5"}) german.learn(cell);
    none.learn("1,234");
    QCOMPARE(english.parse("1,234"), std::optional<double>(1234));
    QCOMPARE(german.parse("1.234"), std::optional<double>(1234));
    QCOMPARE(german.parse("12,5"), std::optional<double>(12.5));
    QCOMPARE(none.parse("1,234"), std::optional<double>(1234));
    QCOMPARE(english.parse("1\xC2\xA0"
                           "234.5"),
             std::optional<double>(1234.5));
    for (const char* cell : {"", "n/a", "no data", "(!) nan", "nan", "inf", "1e999", "--", "1.2.3.x", "0x10"})
      QVERIFY2(!english.parse(cell), cell);
    QVERIFY(!english.contradictory());
  }

  void unitsOfAllReleasesMeanTheSame() {
    QCOMPARE(ncu::unitOf("usecond").factor, ncu::unitOf("us").factor);
    QCOMPARE(ncu::unitOf("msecond").factor, 1e-3);
    QCOMPARE(ncu::unitOf("Gbyte/second").factor, 1e9);
    QCOMPARE(ncu::unitOf("Gbyte/second").base, std::string("byte/s"));
    QCOMPARE(ncu::unitOf("cycle/nsecond").factor, 1e9);
    QCOMPARE(ncu::unitOf("Mbyte").base, std::string("byte"));
    QCOMPARE(ncu::unitOf("register/thread").factor, 1.0);
  }

  void ratesPerCycleAndPartsOfTensorWorkAreNeverCountedTwice() {
    const std::string text =
        std::string(kWideHeader) +
        "\"gpu__time_duration.sum\",\"sm__ops_path_tensor_src_fp16_dst_fp32.sum\",\"sm__ops_path_tensor_op_hgmma_src_fp16_dst_"
        "fp32.sum\","
        "\"sm__ops_path_tensor_src_fp8_dst_fp32_sparsity_off.sum\",\"sm__ops_path_tensor_src_fp8_dst_fp32_sparsity_on.sum\","
        "\"sm__ops_path_tensor_src_int8_dst_int32.sum\",\"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_"
        "elapsed\","
        "\"smsp__cycles_elapsed.avg.per_second\",\"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum\",\"sm__sass_thread_inst_"
        "executed_op_dadd_pred_on.sum\","
        "\"sm__ops_path_tensor_mystery.sum\",\"lts__t_sectors.sum\"\n"
        "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"msecond\",\"\",\"\",\"\",\"\",\"\",\"inst/"
        "cycle\",\"Ghz\",\"inst\",\"inst\",\"\",\"sector\"\n"
        "\"0\",\"5\",\"k\",\"7\",\"(1, 2, 3)\",\"(4, 5, "
        "6)\",\"0\",\"9.0\",\"2\",\"100\",\"60\",\"30\",\"12\",\"1000\",\"16\",\"1.5\",\"7\",\"7\",\"3\",\"10\"\n";
    const auto report = ncu::readNcuCsv(text, "x");
    QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
    const KernelMetrics& kernel = report->kernels.at(0);
    std::map<std::string, double> work;
    for (const ncu::Work& part : kernel.work) work[part.pipe + " " + part.precision] += part.operations;
    const std::map<std::string, double> wanted = {{"scalar fp64", 7},
                                                  {"scalar fp32", 2 * 16 * 1.5e9 * 2e-3},
                                                  {"tensor fp16", 100},
                                                  {"tensor fp8", 42},
                                                  {"tensor int8", 1000}};
    QCOMPARE(work, wanted);
    QCOMPARE(*kernel.flops(), 7 + 2 * 16 * 1.5e9 * 2e-3 + 142);
    QCOMPARE(*kernel.l2Bytes, 320.0);
    QCOMPARE(report->diagnostics.count("metric_unknown"), std::uint64_t{1});
    QCOMPARE(kernel.block, (std::array<std::int64_t, 3>{1, 2, 3}));
  }

  void launchesOfSeveralProcessesWithOneNumberStayApart() {
    const std::string row = ",\"k\",\"7\",\"\",\"\",\"0\",\"9.0\",\"";
    const std::string text = "noise of the program, with \"quotes\"\n==PROF== Connected\n" + std::string(kWideHeader) +
                             "\"gpu__time_duration.sum\"\n" + "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"ns\"\n\"0\",\"5\"" +
                             row + "10\"\n\"0\",\"6\"" + row + "20\"\n\"1\",\"5\"" + row + "30\"\n==ERROR== it broke\n";
    const auto report = ncu::readNcuCsv(text, "x");
    QVERIFY(report.has_value());
    QCOMPARE(report->kernels.size(), std::size_t{3});
    QCOMPARE(std::llround(*report->kernels[1].durationNs), 20LL);
    QCOMPARE(report->diagnostics.count("profiler_error"), std::uint64_t{1});
    QVERIFY(ncu::recognised(text));
    QVERIFY(!ncu::recognised("\"ID\",\"Name\"\n1,x\n"));
  }

  void brokenFilesGiveAnErrorOrDiagnostics() {
    QVERIFY(!ncu::readNcuCsv("", "x").has_value());
    QVERIFY(!ncu::readNcuCsv("hello\nworld\n", "x").has_value());
    const auto empty = ncu::readNcuCsv("==ERROR== no permission\n\"ID\",\"Kernel Name\",\"a__b\"\n", "x");
    QVERIFY(!empty.has_value());
    QVERIFY(empty.error().hint.find("no permission") != std::string::npos);
    const auto cut = ncu::readNcuCsv(
        "\"ID\",\"Kernel "
        "Name\",\"gpu__time_duration.sum\",\"x__y\"\n\"\",\"\",\"ns\",\"\"\n\"0\",\"k\",\"5\",\"6\"\nrubbish\n\"1\",\"k\",\"7\n",
        "x");
    QVERIFY(cut.has_value());
    QCOMPARE(cut->kernels.size(), std::size_t{2});
    QVERIFY(cut->diagnostics.count("row_cut_short") > 0);
    QCOMPARE(cut->diagnostics.count("row_left_out"), std::uint64_t{1});
    const std::string text = shared("samples/ncu_details.csv").substr(0, 60000);
    std::uint32_t random = 7;
    for (int round = 0; round < 60 && !text.empty(); ++round) {
      std::string bytes = text;
      for (int flip = 0; flip < 30; ++flip) {
        random = random * 1664525 + 1013904223;
        bytes[(random >> 4) % bytes.size()] = static_cast<char>(random >> 24);
      }
      ncu::readNcuCsv(bytes, "x");
    }
  }

  void namesOfOneKernelInBothToolsMeet() {
    QCOMPARE(ncu::joinName("void native::vectorized_elementwise_kernel<8, native::FillFunctor<c10::BFloat16>, std::array<char *, "
                           "1>>(int, T2, T3)"),
             ncu::joinName("void at::native::vectorized_elementwise_kernel<8, at::native::FillFunctor<c10::BFloat16>, "
                           "std::array<char*, 1ul> >(int, "
                           "at::native::FillFunctor<c10::BFloat16>, std::array<char*, 1ul>)"));
    QVERIFY(ncu::joinName("void f<2>(int)") != ncu::joinName("void f<4>(int)"));
    QCOMPARE(ncu::joinName(std::string(50000, '(')), std::string());
    const std::string csv = shared("samples/ncu_roofline_raw.csv");
    const std::string kineto = shared("samples/moe_grouped.pt.trace.json.gz");
    if (csv.empty() || kineto.empty()) QSKIP("the shared samples are not here");
    std::set<std::string> known;
    const auto trace = nlohmann::json::parse(kineto);
    for (const auto& event : trace["traceEvents"]) {
      if (event.value("cat", "") == "kernel") known.insert(ncu::joinName(event["name"].get<std::string>()));
    }
    const auto report = ncu::readNcuCsv(csv, "x");
    QVERIFY(report.has_value());
    std::set<std::string> names, met;
    for (const KernelMetrics& kernel : report->kernels) {
      names.insert(kernel.joinName);
      if (known.contains(kernel.joinName)) met.insert(kernel.joinName);
    }
    // Of 37 names two do not meet: Kineto left one mangled, and one holds a return type that only Nsight Compute writes.
    QCOMPARE(names.size(), std::size_t{37});
    QVERIFY(met.size() >= 35);
  }
};

QTEST_GUILESS_MAIN(NcuTest)
#include "ncu_test.moc"

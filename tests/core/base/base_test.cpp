#include "base/content_hash.h"
#include "base/diagnostics.h"
#include "base/facts.h"
#include "base/format.h"
#include "base/result.h"

#include <QtTest>

using namespace threewalls::base;

class BaseTest : public QObject {
  Q_OBJECT
 private slots:
  void durationsTakeTheUnitThatFits_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero has no unit to choose") << qint64{0} << "0";
    QTest::newRow("below a microsecond") << qint64{870} << "870 ns";
    QTest::newRow("microseconds") << qint64{41'700} << "41.70 µs";
    QTest::newRow("milliseconds") << qint64{1'840'000} << "1.840 ms";
    QTest::newRow("hundreds of milliseconds") << qint64{498'739'014} << "498.7 ms";
    QTest::newRow("seconds") << qint64{12'300'000'000} << "12.30 s";
    QTest::newRow("rounding up does not leave the unit") << qint64{999'999'700} << "1.000 s";
    QTest::newRow("negative") << qint64{-2'910'000} << "−2.910 ms";
  }
  void durationsTakeTheUnitThatFits() {
    QFETCH(qint64, ns);
    QTEST(QString::fromStdString(formatDuration(Nanoseconds(ns))), "text");
  }

  void signedDurationsSayPlus() {
    QCOMPARE(QString::fromStdString(formatSignedDuration(Nanoseconds(3'340'000))), QString("+3.340 ms"));
    QCOMPARE(QString::fromStdString(formatSignedDuration(Nanoseconds(0))), QString("0"));
  }

  void bytesCountsAndSharesCarryTheirUnits() {
    QCOMPARE(formatBytes(512), std::string("512 B"));
    QCOMPARE(formatBytes(1'245'540'515), std::string("1.160 GiB"));
    QCOMPARE(formatCount(7), std::string("7"));
    QCOMPARE(formatCount(243'107), std::string("243,107"));
    QCOMPARE(formatCount(1'000'000), std::string("1,000,000"));
    QCOMPARE(formatPercent(0.1416), std::string("14.2 %"));
  }

  void kernelNamesKeepWhatTellsThemApart_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::newRow("fill") << "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<c10::BFloat16>, "
                             "std::array<char*, 1ul> >(int, at::native::FillFunctor<c10::BFloat16>, std::array<char*, 1ul>)"
                          << "vectorized_elementwise_kernel<FillFunctor<BFloat16>>";
    QTest::newRow("add") << "void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>, "
                            "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)"
                         << "vectorized_elementwise_kernel<CUDAFunctor_add<BFloat16>>";
    QTest::newRow("lambdas") << "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<"
                                "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::"
                                "{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&)::{lambda(int)#1}>(int)"
                             << "elementwise_kernel<gpu_kernel_impl_nocast<direct_copy_kernel_cuda>>";
    QTest::newRow("anonymous namespace") << "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, "
                                            "unsigned int, 2, 2, -2, true>(int)"
                                         << "indexSelectLargeIndex<BFloat16>";
    QTest::newRow("cutlass") << "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::gemm::"
                                "GroupProblemShape<cute::tuple<int, int, int> >, float> >(Params)"
                             << "device_kernel<GemmUniversal<GroupProblemShape, float>>";
    QTest::newRow("mangled")
        << "_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalINS1_17GroupProblemShapeIN4cute5tupleIJiiiEEEEE"
        << "device_kernel<GemmUniversal, GroupProblemShape>";
    QTest::newRow("plain") << "nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_TNT"
                           << "nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_TNT";
    QTest::newRow("copy") << "Memcpy HtoD (Pinned -> Device)"
                          << "Memcpy HtoD (Pinned -> Device)";
    QTest::newRow("an operator") << "aten::mm"
                                 << "aten::mm";
    QTest::newRow("a python frame") << "train.py(12): forward"
                                    << "train.py(12): forward";
    QTest::newRow("a function") << "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"
                                << "ncclDevKernel_SendRecv";
  }
  void kernelNamesKeepWhatTellsThemApart() {
    QFETCH(QString, name);
    QTEST(QString::fromStdString(shortKernelName(name.toStdString(), 200)), "text");
  }

  void longKernelNamesLoseTheirMiddle() {
    const QString text = QString::fromStdString(shortKernelName("nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_TNT", 21));
    QCOMPARE(text, QString("nvjet_sm90…_coopB_TNT"));
  }

  void kernelNamesKeepTheirLimitWhateverIsInThem_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("64 KB of angle brackets") << QByteArray(65536, '<');
    QTest::newRow("closing brackets only") << QByteArray(300, '>');
    QTest::newRow("unbalanced") << QByteArray("a::b<c<d(e)>(((((").repeated(50);
    QTest::newRow("bad UTF-8") << QByteArray("\xff\xfe\x80").repeated(100);
    QTest::newRow("wide characters") << QByteArray("µ…").repeated(100);
    QTest::newRow("empty") << QByteArray();
  }
  void kernelNamesKeepTheirLimitWhateverIsInThem() {
    QFETCH(QByteArray, name);
    const std::string out = shortKernelName(std::string_view(name.data(), static_cast<std::size_t>(name.size())), 40);
    QVERIFY(QString::fromUtf8(out.data(), static_cast<qsizetype>(out.size())).size() <= 120);
    QVERIFY(out.size() <= static_cast<std::size_t>(name.size()) + 3);
  }

  void aDiagnosticNotedAgainCountsAndKeepsItsFirstPlace() {
    Diagnostics diagnostics;
    diagnostics.note({Severity::Warning, "missing_duration", "No duration.", "a.json", 900, std::nullopt, 2});
    diagnostics.note({Severity::Warning, "missing_duration", "No duration.", "a.json", 100, std::nullopt, 3});
    diagnostics.note({Severity::Warning, "missing_duration", "No duration.", "b.json", 5, std::nullopt, 1});
    QCOMPARE(diagnostics.entries().size(), std::size_t{2});
    QCOMPARE(diagnostics.entries()[0].count, std::uint64_t{5});
    QCOMPARE(*diagnostics.entries()[0].byteOffset, std::uint64_t{100});
    QCOMPARE(diagnostics.count("missing_duration"), std::uint64_t{6});
    QCOMPARE(diagnostics.count("other"), std::uint64_t{0});
  }

  void anErrorSaysWhereAndWhatToDo() {
    Error error;
    error.message = "The file ends inside an event.";
    error.file = "x.json";
    error.byteOffset = 17;
    error.hint = "Record it again.";
    QCOMPARE(error.text(), std::string("x.json: byte 17: The file ends inside an event. Record it again."));
  }

  void theContentHashIsXxh3() {
    // Reference values of the XXH3 specification's sanity tests for the empty input, 128 bits, seed 0.
    QCOMPARE(ContentHash().hex(), std::string("99aa06d3014798d86001c324468d497f"));
    ContentHash whole;
    whole.add("threewalls", 10);
    ContentHash parts;
    parts.add("three", 5);
    parts.add("walls", 5);
    QCOMPARE(parts.hex(), whole.hex());
    QVERIFY(whole.hex() != ContentHash().hex());
  }

  void factsAreBuiltIn() {
    QVERIFY(embeddedFact("kernels.json").starts_with("{"));
    QVERIFY(embeddedFact("no_such_file.json").empty());
  }
};

QTEST_GUILESS_MAIN(BaseTest)
#include "base_test.moc"

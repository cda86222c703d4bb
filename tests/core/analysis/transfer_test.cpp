#include "analysis/transfer.h"

#include <QtTest>

using namespace threewalls;
using base::Nanoseconds;
using trace::EventKind;

class TransferTest : public QObject {
  Q_OBJECT

 private slots:
  void aCopySaysItsBytesAndItsRateAgreesWithTheProfilers() {
    // The profiler's own figure stands beside it: 262144 B in 1056 ns are 248.24 GB/s.
    const auto found = analysis::transferIn(R"-({"ph":"X","args":{"bytes":262144,"memory bandwidth (GB/s)":248.24242424242425}})-",
                                            EventKind::MemoryCopy, Nanoseconds(1056));
    QVERIFY(found);
    QCOMPARE(found->bytes, std::uint64_t{262144});
    QVERIFY(std::abs(*found->bytesPerSecond - 248.24242424242425e9) < 1e3);
    QCOMPARE(found->source, std::string("args.bytes"));
  }

  void aRowOfNsysSaysThemToo() {
    const auto found = analysis::transferIn(R"({"table":"CUPTI_ACTIVITY_KIND_MEMSET","row":3,"bytes":4096})", EventKind::MemorySet,
                                            Nanoseconds(1000));
    QVERIFY(found);
    QCOMPARE(found->bytes, std::uint64_t{4096});
    QCOMPARE(*found->bytesPerSecond, 4.096e9);
    QCOMPARE(found->source, std::string("bytes"));
  }

  void aCollectiveMovesTheLargerOfItsTwoMessages() {
    const auto gather = analysis::transferIn(
        R"({"args":{"Collective name":"_allgather_base","In msg nelems":25136,"Out msg nelems":201088,"dtype":"BFloat16"}})",
        EventKind::Kernel, Nanoseconds(100'000));
    QVERIFY(gather);
    QCOMPARE(gather->bytes, std::uint64_t{402176});
    QCOMPARE(*gather->bytesPerSecond, 4.02176e9);
    QCOMPARE(gather->source, std::string("Out msg nelems × BFloat16"));
    const auto scatter = analysis::transferIn(R"({"args":{"In msg nelems":80,"Out msg nelems":10,"dtype":"Float"}})",
                                              EventKind::Kernel, Nanoseconds(0));
    QVERIFY(scatter);
    QCOMPARE(scatter->bytes, std::uint64_t{320});
    QVERIFY(!scatter->bytesPerSecond);
    QCOMPARE(scatter->source, std::string("In msg nelems × Float"));
  }

  void nothingIsMadeUpWhereTheTraceDoesNotSay() {
    for (const char* text : {R"({"args":{"grid":[1,1,1]}})", R"({"args":{"In msg nelems":5}})", R"({"args":5})", "no json", "[]",
                             R"({"args":{"In msg nelems":5,"dtype":"Quux"}})", R"({"args":{"In msg nelems":-5,"dtype":"Float"}})",
                             R"({"args":{"In msg nelems":18446744073709551615,"dtype":"Float"}})"}) {
      QVERIFY2(!analysis::transferIn(text, EventKind::Kernel, Nanoseconds(10)), text);
    }
    for (const char* text : {R"({"args":{"kind":"HtoD"}})", R"({"args":{"bytes":"12"}})", R"({"args":{"bytes":-1}})"}) {
      QVERIFY2(!analysis::transferIn(text, EventKind::MemoryCopy, Nanoseconds(10)), text);
    }
  }
};

QTEST_APPLESS_MAIN(TransferTest)
#include "transfer_test.moc"

#include "base/format.h"
#include "common/text.h"
#include "page_fixture.h"
#include "widgets/sample_document.h"
#include "timeline/details_panel.h"
#include "timeline/difference_words.h"
#include "timeline/hit_overlay.h"
#include "timeline/partner_overlay.h"
#include "timeline/unmatched_list.h"

#include <QAbstractItemModelTester>

using namespace threewalls;
using common::SelectedSlice;
using common::Side;
using timeline::PartnerLinks;

namespace {

struct PartnersFixture : test::WindowFixture {
  using WindowFixture::WindowFixture;
  /// Two steps. B lacks A's last fill, runs one GEMM more, and has another name for A's third kernel.
  void openUnequal() {
    const auto run = [](bool b) {
      test::TraceMaker maker;
      for (int i = 0; i < 2; ++i) {
        const std::int64_t at = (b ? 700'000 : 1'000) + i * 1'000'000;
        maker.marker(3 + i, at, at + 1'000'000);
        maker.kernel("gemm_kernel", at + 100'000, b ? 112'300 : 100'000, at + 10);
        if (b) maker.kernel("gemm_kernel", at + 250'000, 50'000, at + 20);
        maker.kernel("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)", at + 400'000,
                     20'000, at + 30);
        if (!b) {
          maker.kernel("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)", at + 500'000,
                       30'000, at + 40);
        }
        maker.kernel(b ? "nvjet_sm90_tst_64x128_64x4_1x2_h_bz_coopA_NNT" : "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_TNT",
                     at + 600'000, b ? 40'000 : 60'000, at + 50);
      }
      return analysis::analyze(maker.make());
    };
    document.setRuns(test::opened("baseline", run(false)), test::opened("candidate", run(true)), nullptr, "AB");
  }
  void waitForPartners() { QTRY_VERIFY(page->partners()->found() != nullptr); }
  SelectedSlice slice(Side side, std::string_view name, std::size_t which) const { return {side, named(name, side).at(which)}; }
  QString details() { return page->detailsPanel()->text(); }
};

}  // namespace

class PartnersViewTest : public QObject {
  Q_OBJECT

 private slots:
  void theDetailsSayThePartnerAndTheDifferenceInWords() {
    PartnersFixture f;
    f.openUnequal();
    f.waitForPartners();
    f.selection.setSlice(f.slice(Side::A, "gemm_kernel", 0));
    QVERIFY2(f.details().contains("partner in B: 112.3 µs · B is 12.30 µs slower"), qPrintable(f.details()));
    QVERIFY(f.details().contains("matched by: same name, same kind of stream"));
    f.selection.setSlice(f.slice(Side::B, "gemm_kernel", 0));
    QVERIFY2(f.details().contains("partner in A: 100.0 µs · B is 12.30 µs slower"), qPrintable(f.details()));
    f.selection.setSlice(f.slice(Side::B, "gemm_kernel", 1));
    QVERIFY2(f.details().contains("partner in A: none: only in B in this step"), qPrintable(f.details()));
    f.selection.setSlice(f.slice(Side::A, "nvjet", 1));
    QVERIFY2(f.details().contains("partner in B: 40.00 µs · B is 20.00 µs faster"), qPrintable(f.details()));
    QVERIFY2(f.details().contains("matched by: same class only; in B: nvjet_sm90_tst_64x128"), qPrintable(f.details()));
    f.selection.setSlice(f.slice(Side::A, "Fill", 0));
    QVERIFY2(f.details().contains("B takes exactly as long"), qPrintable(f.details()));
    QVERIFY(f.page->view()->accessibleDescription().contains("Partner in B: 20.00 µs"));
    f.selection.setSlice(f.slice(Side::A, "cudaLaunch", 0));
    QVERIFY(!f.details().contains("partner"));
  }

  void otherWordsWhenTheReferenceIsB() {
    using timeline::differenceText;
    const base::Nanoseconds a(1000), b(1500);
    QCOMPARE(differenceText(a, b), QString("B is 500 ns slower"));
    QCOMPARE(differenceText(b, a), QString("B is 500 ns faster"));
    QCOMPARE(differenceText(a, b, Side::B), QString("A is 500 ns faster"));
    QCOMPARE(differenceText(b, a, Side::B), QString("A is 500 ns slower"));
    QCOMPARE(differenceText(a, a, Side::B), QString("A takes exactly as long"));
  }

  void aKeyGoesToThePartnerAndBack() {
    PartnersFixture f;
    f.openUnequal();
    f.waitForPartners();
    const SelectedSlice a = f.slice(Side::A, "gemm_kernel", 1), b = f.slice(Side::B, "gemm_kernel", 2);
    f.selection.setSlice(a);
    f.key(Qt::Key_E);
    QCOMPARE(*f.selection.slice(), b);
    QVERIFY(f.page->view()->lanesRect().intersects(f.page->view()->rectOf(b)));
    f.key(Qt::Key_E);
    QCOMPARE(*f.selection.slice(), a);
    // Nowhere to go to.
    const SelectedSlice alone = f.slice(Side::B, "gemm_kernel", 1);
    f.selection.setSlice(alone);
    QVERIFY(!f.commands.action("compare.partner")->isEnabled());
    f.key(Qt::Key_E);
    QCOMPARE(*f.selection.slice(), alone);
  }

  void withOneSideThereIsNothingToAsk() {
    PartnersFixture f;
    f.openA();
    f.selection.setSlice(f.slice(Side::A, "nvjet", 0));
    QVERIFY(!f.details().contains("partner"));
    for (const char* id : {"compare.partner", "compare.unmatched", "compare.unmatchedList"})
      QVERIFY(!f.commands.action(id)->isEnabled());
  }

  void aLinkIsDrawnToThePartner() {
    PartnersFixture f;
    f.openUnequal();
    f.waitForPartners();
    f.page->state()->fitAll();
    f.selection.setSlice(f.slice(Side::A, "gemm_kernel", 0));
    const QRect from = f.page->view()->rectOf(f.slice(Side::A, "gemm_kernel", 0));
    const QRect to = f.page->view()->rectOf(f.slice(Side::B, "gemm_kernel", 0));
    const QColor accent = common::Theme::load("dark")->accent;
    const QImage image = f.page->view()->grab().toImage();
    // Every line of pixels between the two rows is crossed.
    for (int y = from.bottom() + 6; y < to.top() - 6; ++y) {
      bool crossed = false;
      for (int x = std::min(from.left(), to.left()) - 2; x <= std::max(from.right(), to.right()) + 2; ++x) {
        const QColor c = image.pixelColor(x, y);
        crossed |=
            std::abs(c.red() - accent.red()) + std::abs(c.green() - accent.green()) + std::abs(c.blue() - accent.blue()) < 60;
      }
      QVERIFY2(crossed, qPrintable(QString::number(y)));
    }
    f.selection.setSlice(f.slice(Side::B, "gemm_kernel", 1));  // has none
    QVERIFY(f.page->view()->grab().toImage() != image);
  }

  void unmatchedSlicesAreOutlinedCountedAndListed() {
    PartnersFixture f;
    f.openUnequal();
    f.waitForPartners();
    f.page->state()->fitAll();
    const QImage before = f.page->view()->grab().toImage();
    f.key(Qt::Key_U);
    QVERIFY(f.page->partners()->outlining());
    const QImage after = f.page->view()->grab().toImage();
    const QRect alone = f.page->view()->rectOf(f.slice(Side::B, "gemm_kernel", 1));
    const QRect paired = f.page->view()->rectOf(f.slice(Side::B, "gemm_kernel", 0));
    QVERIFY(after.copy(alone) != before.copy(alone));
    QCOMPARE(after.copy(paired), before.copy(paired));
    QCOMPARE(f.page->partners()->countText(Side::A, 0), QString("1 only in A"));
    QCOMPARE(f.page->partners()->countText(Side::B, 1), QString("1 only in B"));
    QVERIFY(f.page->pictureWords().subtitle.contains("dashed outlines"));

    f.key(Qt::Key_U, Qt::ShiftModifier);
    QVERIFY(f.page->unmatchedList()->isVisible());
    QCOMPARE(f.page->unmatchedList()->summary(), QString("1 only in A, 1 only in B in step 3"));
    QTableView* table = f.page->unmatchedList()->table();
    QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    QCOMPARE(table->model()->rowCount(), 2);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(1, 2)).center());
    QCOMPARE(*f.selection.slice(), f.slice(Side::B, "gemm_kernel", 1));
    QTest::keyClick(table, Qt::Key_Up);
    QCOMPARE(*f.selection.slice(), f.slice(Side::A, "Fill", 1));
    // Longest first.
    table->sortByColumn(timeline::UnmatchedModel::Duration, Qt::DescendingOrder);
    QCOMPARE(table->model()->index(0, 1).data().toString(), QString("50.00 µs"));
    f.page->state()->showStep(1);
    QCOMPARE(f.page->unmatchedList()->summary(), QString("1 only in A, 1 only in B in step 4"));
    // Other runs while the list is shown and a slice is selected.
    f.openA();
    QCOMPARE(table->model()->rowCount(), 0);
    QCOMPARE(f.page->unmatchedList()->summary(), QString("Open A and B to see what only one of them runs."));
    f.openBoth();
    f.waitForPartners();
    QCOMPARE(f.page->unmatchedList()->summary(), QString("Every slice of step 61 has a partner."));
  }

  void outlinesAreTheUnmatchedEventsOfAnIndependentScan() {
    PartnersFixture f;
    test::openSample(f.document);
    f.waitForPartners();
    f.page->partners()->setOutlining(true);
    timeline::ViewState& state = *f.page->state();
    const timeline::PartnerOverlay overlay(*f.page->partners(), state);
    std::size_t outlined = 0;
    for (const double zoom : {1.0, 0.03}) {
      state.zoomAt(20e6, zoom);
      const timeline::TimeAxis axis = f.page->view()->axis();
      for (const timeline::Row& row : f.page->view()->layout().rows()) {
        if (row.kind != timeline::RowKind::Slices) continue;
        const trace::Lane& lane = f.trace(row.side).lane(row.lane);
        const int width = static_cast<int>(axis.width());
        std::vector<bool> expected(static_cast<std::size_t>(width));
        for (std::uint32_t i = 0; i < lane.subLanes[row.subLane].size(); ++i) {
          const SelectedSlice slice{row.side, {row.lane, row.subLane, i}};
          const auto answer = f.page->partners()->of(slice);
          if (!answer || answer->known != PartnerLinks::Known::Alone) continue;
          const auto range = state.alignment().toAligned(row.side, f.trace(row.side).interval(slice.event));
          const int from = std::clamp(static_cast<int>(std::floor(std::clamp(axis.toPixel(range.start), -10.0, 1e5))), 0, width);
          const int to = std::clamp(
              std::max(static_cast<int>(std::ceil(std::clamp(axis.toPixel(range.end), -10.0, 1e5))), from + 1), 0, width);
          if (axis.toPixel(range.end) < 0) continue;
          for (int x = from; x < to; ++x) expected[static_cast<std::size_t>(x)] = true;
        }
        std::vector<bool> got(static_cast<std::size_t>(width));
        for (const auto& [first, second] : overlay.outlines(row, axis)) {
          ++outlined;
          for (int x = first; x < second; ++x) got[static_cast<std::size_t>(x)] = true;
        }
        QVERIFY(got == expected);
      }
    }
    QVERIFY(outlined > 20);
  }

  void aCancelledSearchSaysSoAndStartsAgainOnRequest() {
    PartnersFixture f;
    f.openUnequal();
    f.selection.setSlice(f.slice(Side::A, "gemm_kernel", 0));
    QVERIFY(f.details().contains("partner in B: being looked for"));
    for (common::Job* job : f.jobs.jobs()) {
      if (job->title().startsWith("Matching")) job->cancel();
    }
    QTRY_VERIFY(f.details().contains("partner in B: not known: the search was cancelled"));
    f.key(Qt::Key_U);
    f.waitForPartners();
    QVERIFY(f.details().contains("partner in B: 112.3 µs"));
  }
};

QTEST_MAIN(PartnersViewTest)
#include "partners_view_test.moc"

#include "profile/kernels_page.h"
#include "profile/ledger_bars.h"
#include "profile/overview_page.h"
#include "widgets/sample_document.h"

#include <QTableView>
#include <QTest>

using namespace threewalls;
using common::SelectedRange;
using common::SelectedSlice;
using common::Side;

namespace {

/// The first event of a kernel name on a side's GPU.
std::optional<trace::EventRef> firstOf(const trace::Trace& trace, std::string_view name) {
  for (std::uint32_t lane = 0; lane < trace.lanes().size(); ++lane) {
    if (trace.lanes()[lane].key.kind != trace::LaneKind::GpuStream) continue;
    for (std::uint32_t k = 0; k < trace.lanes()[lane].subLanes.size(); ++k) {
      for (std::uint32_t i = 0; i < trace.lanes()[lane].subLanes[k].size(); ++i) {
        const trace::EventRef event{trace::LaneId{lane}, k, i};
        if (trace.name(event) == name) return event;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

/// What is selected on the timeline is marked wherever else it stands.
class SelectionFollowsTest : public QObject {
  Q_OBJECT

 private slots:
  void theKernelOfTheSelectedSliceIsTheCurrentRow() {
    common::Document document;
    common::Selection selection;
    test::openSample(document);
    profile::KernelsPage page(&document, &selection);
    auto* table = page.findChild<QTableView*>("kernels");
    int seen = 0;
    for (const compare::KernelDelta& kernel : document.comparison()->kernels) {
      const Side side = kernel.bName && seen % 2 == 1 ? Side::B : Side::A;
      const auto event = firstOf(*document.run(side)->analysis->trace, kernel.name);
      if (!event) continue;
      selection.setSlice(SelectedSlice{side, *event});
      QCOMPARE(table->currentIndex().data(Qt::UserRole + 3).toString(), QString::fromStdString(kernel.name));
      QCOMPARE(table->selectionModel()->selectedRows().size(), qsizetype{1});
      if (++seen == 20) break;
    }
    QCOMPARE(seen, 20);
    selection.clear();
    QVERIFY(!table->currentIndex().isValid());
    QVERIFY(!table->selectionModel()->hasSelection());
  }

  void theStepOfTheSelectionIsMarkedAmongTheLedgers() {
    common::Document document;
    common::Selection selection;
    test::openSample(document);
    profile::OverviewPage page(&document, &selection);
    auto* bars = page.findChild<profile::LedgerBars*>();
    QVERIFY(!bars->selected());
    for (std::size_t i = 0; i < bars->rows().size(); i += 3) {
      const profile::LedgerRow& row = bars->rows()[i];
      selection.setRange(SelectedRange{row.side, row.step->interval});
      QCOMPARE(*bars->selected(), i);
      const base::Nanoseconds middle = row.step->interval.start + row.step->interval.length() / 2;
      selection.setRange(SelectedRange{row.side, {middle, middle + base::Nanoseconds(1000)}});
      QCOMPARE(*bars->selected(), i);
    }
    // Over the edge of two steps there is no one row.
    const profile::LedgerRow& first = bars->rows().front();
    selection.setRange(
        SelectedRange{first.side, {first.step->interval.start, first.step->interval.end + base::Nanoseconds(1000)}});
    QVERIFY(!bars->selected());

    selection.clear();
    const trace::Trace& trace = *document.run(Side::B)->analysis->trace;
    const auto event =
        firstOf(trace, document.run(Side::B)->analysis->trace->names()[document.run(Side::B)->analysis->kernels.front().name]);
    selection.setSlice(SelectedSlice{Side::B, *event});
    const profile::LedgerRow& marked = bars->rows()[bars->selected().value()];
    QCOMPARE(marked.side, Side::B);
    const base::Nanoseconds start = trace.interval(*event).start;
    QVERIFY(start >= marked.step->interval.start && start < marked.step->interval.end);
  }
};

QTEST_MAIN(SelectionFollowsTest)
#include "selection_follows_test.moc"

#include "common/text.h"
#include "page_fixture.h"
#include "support/synthetic_trace.h"
#include "timeline/event_search.h"
#include "timeline/hit_list.h"
#include "timeline/hit_overlay.h"
#include "timeline/minimap.h"
#include "timeline/search_bar.h"

#include <QAbstractItemModelTester>

#include <random>

using namespace threewalls;
using common::SelectedSlice;
using common::Side;
using timeline::EventSearch;

namespace {

struct SearchFixture : test::WindowFixture {
  using WindowFixture::WindowFixture;
  timeline::SearchBar* bar() { return page->findChild<timeline::SearchBar*>(); }
  QLineEdit* field() { return bar()->findChild<QLineEdit*>(); }
  QToolButton* expression() {
    for (auto* button : bar()->findChildren<QToolButton*>()) {
      if (button->text() == ".*") return button;
    }
    qFatal("no button for expressions");
  }
  bool says(const QString& text) {
    for (const auto* label : bar()->findChildren<QLabel*>()) {
      if (label->isVisible() && label->text() == text) return true;
    }
    return false;
  }
  void search(const QString& text) {
    key(Qt::Key_Slash);
    QTest::keyClicks(field(), text);
    QTRY_VERIFY(!page->search()->running());
  }
  QImage lanes() { return page->view()->grab(page->view()->lanesRect()).toImage(); }
};

}  // namespace

class TimelineSearchTest : public QObject {
  Q_OBJECT

 private slots:
  void slashOpensTheSearchAndEnterAndNWalkThroughItsHits() {
    SearchFixture f;
    f.openA();
    QVERIFY(!f.bar()->isVisible());
    f.search("ELEMENTWISE");
    const auto hits = f.named("elementwise");
    QCOMPARE(hits.size(), std::size_t(3));
    QVERIFY(f.says("3 hits"));
    QVERIFY(!f.selection.slice());
    f.page->state()->showStep(1);
    f.key(Qt::Key_Return);
    QCOMPARE(f.selection.slice()->event, hits[1]);  // the first in view
    QVERIFY(f.says("2 of 3 hits"));
    f.key(Qt::Key_N);  // still typing
    QTRY_VERIFY(!f.page->search()->running());
    QCOMPARE(f.field()->text(), QString("ELEMENTWISEn"));
    QVERIFY(f.says("no hit"));
    f.key(Qt::Key_Backspace);
    QTRY_VERIFY(f.says("2 of 3 hits"));
    f.key(Qt::Key_Escape);
    QVERIFY(f.page->view()->hasFocus());
    f.key(Qt::Key_N);
    QCOMPARE(f.selection.slice()->event, hits[2]);
    f.key(Qt::Key_N);
    QCOMPARE(f.selection.slice()->event, hits[0]);
    f.key(Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(f.selection.slice()->event, hits[2]);
    QVERIFY(f.page->view()->rectOf(*f.selection.slice()).width() > 2);
  }

  void escEndsTheSearchAfterTheSelection() {
    SearchFixture f;
    f.openA();
    f.search("nvjet");
    f.key(Qt::Key_Return);
    f.key(Qt::Key_Escape);
    QVERIFY(f.selection.slice());
    f.key(Qt::Key_Escape);
    QVERIFY(!f.selection.slice());
    QVERIFY(f.page->search()->active());
    f.key(Qt::Key_Escape);
    QVERIFY(!f.page->search()->active());
    QVERIFY(!f.bar()->isVisible());
    QVERIFY(!f.commands.run("search.next"));
  }

  void aBadExpressionIsExplainedAndTheFieldStays() {
    SearchFixture f;
    f.openA();
    f.key(Qt::Key_F, Qt::ControlModifier);
    f.expression()->setChecked(true);
    QTest::keyClicks(f.field(), "nvjet|(");
    QTRY_VERIFY(f.page->search()->error().has_value());
    QVERIFY(f.says(common::toText(f.page->search()->error()->text())));
    QVERIFY(f.page->search()->error()->message.find("missing )") != std::string::npos);
    QTest::keyClicks(f.field(), "nccl)");
    QTRY_VERIFY(f.says("6 hits"));
    f.expression()->setChecked(false);
    QTRY_VERIFY(f.says("no hit"));
  }

  void bothSidesAreSearchedAndEachIsWalkedForItself() {
    SearchFixture f;
    f.openBoth();
    f.search("nccl");
    QVERIFY(f.says("A: 3 · B: 3 hits"));
    const auto ofB = f.named("nccl", Side::B);
    f.selection.setSlice(SelectedSlice{Side::B, ofB[0]});
    QVERIFY(f.says("A: 3 · B: 1 of 3 hits"));
    f.page->search()->go(1);
    QVERIFY((f.selection.slice() == SelectedSlice{Side::B, ofB[1]}));
  }

  void theLastOfSeveralSearchesCounts() {
    SearchFixture f;
    f.openA();
    for (const char* text : {"a", "nvjet", "e", "no such", "Memcpy"}) f.page->search()->search({text, analysis::QueryKind::Text});
    QTRY_VERIFY(!f.page->search()->running());
    QCOMPARE(f.page->search()->count(), f.named("Memcpy").size());
  }

  void aKernelIsFoundOnItsSideOnlyAndBelongsToItsRun() {
    SearchFixture f;
    f.openBoth();
    const auto hits = f.named("nvjet", Side::B);
    f.page->search()->searchKernel(Side::B, f.trace(Side::B).subLane(hits[0]).name(hits[0].index));
    QTRY_VERIFY(f.selection.slice().has_value());
    QVERIFY((*f.selection.slice() == SelectedSlice{Side::B, hits[0]}));
    QCOMPARE(f.page->search()->count(), hits.size());
    QVERIFY(f.bar()->isVisible());
    QCOMPARE(f.field()->text(), common::toText(f.trace(Side::B).name(hits[0])));
    f.openA();
    QVERIFY(!f.page->search()->active());
  }

  void whatWasTypedIsLookedForInWhatIsOpenedNext() {
    SearchFixture f;
    f.openA();
    f.search("nccl");
    f.openBoth();
    QTRY_COMPARE(f.page->search()->count(), std::size_t(6));
  }

  void theListHasEveryHitAndMovesTheSelection() {
    SearchFixture f;
    f.openBoth();
    QVERIFY(f.commands.run("search.list"));
    auto* list = f.page->findChild<timeline::HitList*>();
    QVERIFY(list->isVisible());
    const QAbstractItemModelTester tester(list->model());
    f.search("l");
    QCOMPARE(list->model()->rowCount(), static_cast<int>(f.page->search()->count()));
    const auto row = [&](int r) { return list->model()->index(r, timeline::HitListModel::Name); };
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(row(2)).center());
    QVERIFY(*f.selection.slice() == f.page->search()->at(2));
    QTest::keyClick(list, Qt::Key_Down);
    QVERIFY(*f.selection.slice() == f.page->search()->at(3));
    f.page->search()->go(1);
    QCOMPARE(list->currentIndex().row(), 4);
    for (int r = 0; r < list->model()->rowCount(); ++r) {
      const SelectedSlice hit = f.page->search()->at(static_cast<std::size_t>(r));
      QCOMPARE(row(r).siblingAtColumn(timeline::HitListModel::Duration).data().toString(),
               common::duration(f.trace(hit.side).interval(hit.event).length()));
      QVERIFY(
          row(r).siblingAtColumn(timeline::HitListModel::Start).data().toString().startsWith(hit.side == Side::A ? "A" : "B"));
    }
    QVERIFY(f.commands.run("search.list"));
    QVERIFY(!list->isVisible());
  }

  void hitsAreMarkedAndTheRestIsHiddenAndComesBack_data() {
    QTest::addColumn<QString>("theme");
    QTest::newRow("dark") << "dark";
    QTest::newRow("light") << "light";
  }
  void hitsAreMarkedAndTheRestIsHiddenAndComesBack() {
    QFETCH(QString, theme);
    SearchFixture f(qPrintable(theme));
    f.openA();
    const common::Theme colours = *common::Theme::load(theme);
    const QRect lanes = f.page->view()->lanesRect();
    const auto rect = [&](const char* name) {
      return f.page->view()->rectOf({Side::A, f.named(name)[0]}).translated(-lanes.topLeft());
    };
    f.search("nvjet");
    const QRect hit = rect("nvjet");
    const QRect other = rect("nccl");
    QCOMPARE(f.lanes().pixelColor(hit.center().x(), hit.top() + 1).rgb(), colours.accent.rgb());
    const QImage before = f.lanes();
    QVERIFY(before.pixelColor(other.center().x(), other.top() + 1).rgb() != colours.accent.rgb());
    QVERIFY(f.commands.run("search.hideRest"));
    const QImage hidden = f.lanes();
    const QPoint edge(other.right() - 4, other.bottom() - 5);
    const QPoint inside(hit.right() - 4, hit.bottom() - 5);
    QCOMPARE(hidden.pixelColor(inside), before.pixelColor(inside));
    QVERIFY(common::contrastRatio(before.pixelColor(edge), colours.lane) > 2);
    QVERIFY(common::contrastRatio(hidden.pixelColor(edge), colours.lane) < 1.5);
    QVERIFY(f.commands.run("search.hideRest"));
    QCOMPARE(f.lanes(), before);
    // The end of the search shows everything again.
    f.commands.run("search.hideRest");
    f.commands.run("search.end");
    QVERIFY(common::contrastRatio(f.lanes().pixelColor(edge), colours.lane) > 2);
  }

  void theRulerAndTheMinimapShowWhereHitsAre() {
    SearchFixture f;
    f.openA();
    timeline::TimelineView* view = f.page->view();
    auto* minimap = view->findChild<timeline::Minimap*>();
    f.page->state()->fitAll();
    const QImage rulerBefore = view->grab(view->rulerRect()).toImage();
    const QImage mapBefore = minimap->grab().toImage();
    f.search("nccl");
    const QImage ruler = view->grab(view->rulerRect()).toImage();
    const QImage map = minimap->grab().toImage();
    std::set<int> marked;
    for (const auto& hit : f.named("nccl")) {
      const double time = f.page->state()->alignment().toAligned(Side::A, f.trace().interval(hit).start);
      marked.insert(static_cast<int>(view->axis().toPixel(time)) / 2);
    }
    QCOMPARE(marked.size(), std::size_t(3));
    // Of the buckets of two pixels exactly these have changed.
    std::set<int> changed;
    const int y = ruler.height() - 3;
    for (int x = 0; x < ruler.width(); ++x) {
      if (ruler.pixel(x, y) != rulerBefore.pixel(x, y)) changed.insert(x / 2);
    }
    QCOMPARE(changed, marked);
    QVERIFY(map != mapBefore);
  }

  /// Against every event on its own.
  void runsOfPixelsAreThoseThatTheEventsTouch() {
    common::Document document;
    document.setRuns(test::opened("synthetic", analysis::analyze(test::syntheticTrace(20'000))), std::nullopt, nullptr, "S");
    timeline::ViewState state;
    state.reset(document);
    const trace::Trace& trace = *document.run(Side::A)->analysis->trace;
    std::mt19937 random(5);
    for (int round = 0; round < 60; ++round) {
      const trace::Lane& lane = trace.lanes()[random() % trace.lanes().size()];
      const trace::SubLane& sub = lane.subLanes[random() % lane.subLanes.size()];
      std::vector<std::uint32_t> events;
      for (std::uint32_t i = 0; i < sub.size(); ++i) {
        if (random() % 3 == 0) events.push_back(i);
      }
      const timeline::TimeRange bounds = state.bounds();
      const double start = bounds.start + bounds.length() * 0.6 * static_cast<double>(random() % 1000) / 1000.0;
      const timeline::TimeAxis axis({start, start + bounds.length() * 0.4 / static_cast<double>(1 + random() % 300)}, 700);
      std::vector<bool> expected(700);
      for (const std::uint32_t i : events) {
        const double left = std::floor(axis.toPixel(state.alignment().toAligned(Side::A, sub.start(i))));
        const double right = std::max(left + 1, std::ceil(axis.toPixel(state.alignment().toAligned(Side::A, sub.end(i)))));
        for (double x = std::max(left, 0.0); x < std::min(right, 700.0); ++x) expected[static_cast<std::size_t>(x)] = true;
      }
      std::vector<bool> drawn(700);
      for (const auto& [first, second] : timeline::pixelRuns(sub, events, state.alignment(), Side::A, axis)) {
        for (int x = first; x < second; ++x) drawn[static_cast<std::size_t>(x)] = true;
      }
      QVERIFY(drawn == expected);
    }
  }
};

QTEST_MAIN(TimelineSearchTest)
#include "timeline_search_test.moc"

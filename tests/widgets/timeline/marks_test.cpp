#include "timeline/marks.h"
#include "page_fixture.h"
#include "timeline/mark_editor.h"

#include <QDir>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace threewalls;
using base::Interval;
using base::Nanoseconds;
using common::SelectedRange;
using common::SelectedSlice;
using common::Side;
using timeline::Mark;
using timeline::Marks;

namespace {

constexpr const char* kHashA = "0123456789abcdef0123456789abcdef";
constexpr const char* kHashB = "fedcba9876543210fedcba9876543210";
const QString kHostile = QString::fromUtf8("<b>=1+1</b> \"&amp;\" \xE2\x80\xAE");

/// Kernels of 100 µs every 200 µs; two of one name and time on two streams.
std::shared_ptr<const analysis::Analysis> recorded(const char* hash, std::int64_t origin) {
  test::TraceMaker maker;
  maker.info().contentHash = hash;
  maker.info().file = std::string("/traces/") + hash + ".json";
  for (int i = 0; i < 10; ++i) maker.kernel("kernel " + std::to_string(i), origin + i * 200'000, 100'000);
  maker.kernel("kernel 3", origin + 3 * 200'000, 100'000, std::nullopt, 20);
  return analysis::analyze(maker.make());
}

struct MarksFixture : test::WindowFixture {
  QSignalSpy failures{page, &timeline::TimelinePage::failed};

  using WindowFixture::WindowFixture;
  void open() {
    document.setRuns(test::opened("a", recorded(kHashA, 0)), std::nullopt, nullptr, "a");
    page->state()->fitAll();
  }
  void openTwo() {
    document.setRuns(test::opened("a", recorded(kHashA, 0)), test::opened("b", recorded(kHashB, 5'000)), nullptr, "ab");
    page->state()->fitAll();
  }
  Marks& marks() { return *page->marks(); }
  const std::vector<Mark>& of(Side side = Side::A) { return marks().of(side); }
  timeline::MarkEditor* editor() { return page->findChild<timeline::MarkEditor*>(); }
  QLineEdit* field() { return editor()->findChild<QLineEdit*>(); }
  timeline::TimelineView* view() { return page->view(); }
  void select(const char* name, Side side = Side::A) { selection.setSlice(SelectedSlice{side, named(name, side)[0]}); }
  void selectRange(std::int64_t start, std::int64_t end, Side side = Side::A) {
    selection.setSlice(std::nullopt);
    selection.setRange(SelectedRange{side, {Nanoseconds(start), Nanoseconds(end)}});
  }
  /// M, the note, Enter.
  void mark(const QString& note) {
    view()->setFocus();
    key(Qt::Key_M);
    QVERIFY(editor()->isVisible());
    field()->setText(note);
    key(Qt::Key_Return);
  }
  QImage lanes() { return view()->grab(view()->lanesRect()).toImage(); }
};

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& content) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(content);
}

}  // namespace

class MarksTest : public QObject {
  Q_OBJECT

 private slots:
  void mMarksTheSliceWithATypedNoteAndEditsItAgain();
  void aRangeIsMarkedWhereNoSliceIsSelected();
  void escLeavesAndGoingElsewhereKeepsWhatWasTyped();
  void shiftMMarksForTheSessionAndTakesItAway();
  void everyChangeIsUndoneAndRedone();
  void jWalksThroughTheMarksOfBothSides();
  void flagsNeverOverlapAndAreClicked();
  void marksShowOnLanesMinimapAndPictures();
  void marksComeBackInTheNextSession();
  void theSliceIsFoundAgainByNameTimeAndLane();
  void aDamagedFileIsKeptAndSaidToBe();
  void readableMarksOfADamagedFileAreKept();
  void aFileThatCannotBeReplacedIsSaid();
  void marksOfAnotherWindowStay();
  void withoutAFolderOrAHashNothingIsWritten();
  void marksGoWithTheirTraceToTheOtherSide();
};

void MarksTest::mMarksTheSliceWithATypedNoteAndEditsItAgain() {
  MarksFixture f;
  f.open();
  QVERIFY(!f.commands.run("marks.mark"));
  f.key(Qt::Key_M);
  QVERIFY(!f.editor()->isVisible());
  f.select("kernel 4");
  f.key(Qt::Key_M);
  QVERIFY(f.editor()->isVisible());
  QTest::keyClicks(f.field(), "Jump, m & N: too slow");  // the timeline's keys are letters here
  f.key(Qt::Key_Up);
  f.key(Qt::Key_Return);
  QVERIFY(!f.editor()->isVisible());
  QVERIFY(f.view()->hasFocus());
  QCOMPARE(f.of().size(), std::size_t(1));
  QCOMPARE(f.of()[0].note, QString("Jump, m & N: too slow"));
  QCOMPARE(f.of()[0].interval, (Interval{Nanoseconds(800'000), Nanoseconds(900'000)}));
  QCOMPARE(f.of()[0].name, QString("kernel 4"));
  f.key(Qt::Key_M);
  QCOMPARE(f.field()->text(), QString("Jump, m & N: too slow"));
  QTest::keyClicks(f.field(), "fine");  // the old note is selected
  f.key(Qt::Key_Return);
  QCOMPARE(f.of().size(), std::size_t(1));
  QCOMPARE(f.of()[0].note, QString("fine"));
  f.key(Qt::Key_Delete);
  QVERIFY(f.of().empty());
  // Out of view, it is brought into view first.
  f.page->state()->fit({0, 50'000});
  f.key(Qt::Key_M);
  QVERIFY(f.editor()->isVisible());
  QVERIFY(!f.view()->selectionRect().isEmpty());
}

void MarksTest::aRangeIsMarkedWhereNoSliceIsSelected() {
  MarksFixture f;
  f.openTwo();
  f.selectRange(150'000, 450'000, Side::B);
  f.mark("wait");
  QVERIFY(f.of(Side::A).empty());
  QCOMPARE(f.of(Side::B).size(), std::size_t(1));
  QVERIFY(!f.of(Side::B)[0].slice);
  QCOMPARE(f.of(Side::B)[0].interval, (Interval{Nanoseconds(150'000), Nanoseconds(450'000)}));
  f.key(Qt::Key_M);
  QCOMPARE(f.field()->text(), QString("wait"));
}

void MarksTest::escLeavesAndGoingElsewhereKeepsWhatWasTyped() {
  MarksFixture f;
  f.open();
  f.select("kernel 1");
  f.key(Qt::Key_M);
  QTest::keyClicks(f.field(), "no");
  f.key(Qt::Key_Escape);
  QVERIFY(!f.editor()->isVisible() && f.of().empty());
  QVERIFY(f.selection.slice());  // Esc went no further
  f.key(Qt::Key_M);
  QTest::keyClicks(f.field(), "yes");
  const QRect lanes = f.view()->lanesRect();
  QTest::mouseClick(f.view(), Qt::LeftButton, {}, lanes.bottomRight() - QPoint(30, 3));
  QVERIFY(!f.editor()->isVisible());
  QCOMPARE(f.of().size(), std::size_t(1));
  QCOMPARE(f.of()[0].note, QString("yes"));
  f.select("kernel 2");
  f.view()->setFocus();
  f.key(Qt::Key_M);
  QTest::mouseClick(f.view(), Qt::LeftButton, {}, lanes.bottomRight() - QPoint(30, 3));
  QCOMPARE(f.of().size(), std::size_t(1));  // nothing was typed
  // The runs it was about are gone.
  f.select("kernel 2");
  f.key(Qt::Key_M);
  QTest::keyClicks(f.field(), "late");
  f.document.setRuns(std::nullopt, std::nullopt, nullptr, {});
  QVERIFY(!f.editor()->isVisible());
  QCOMPARE(f.marks().count(), std::size_t(0));
}

void MarksTest::shiftMMarksForTheSessionAndTakesItAway() {
  QTemporaryDir folder;
  MarksFixture f;
  f.page->keepMarksIn(folder.path());
  f.open();
  f.select("kernel 1");
  f.key(Qt::Key_M, Qt::ShiftModifier);
  QCOMPARE(f.of().size(), std::size_t(1));
  QVERIFY(f.of()[0].temporary);
  QVERIFY(QDir(folder.path()).isEmpty());
  f.key(Qt::Key_M, Qt::ShiftModifier);
  QVERIFY(f.of().empty());
  f.key(Qt::Key_M, Qt::ShiftModifier);
  f.mark("for good");
  QVERIFY(!f.of()[0].temporary);
  QVERIFY(!QDir(folder.path()).isEmpty());
  f.key(Qt::Key_M, Qt::ShiftModifier);  // no way to lose it
  QCOMPARE(f.of().size(), std::size_t(1));
}

void MarksTest::everyChangeIsUndoneAndRedone() {
  MarksFixture f;
  f.open();
  QVERIFY(!f.commands.run("marks.undo") && !f.commands.run("marks.redo"));
  f.select("kernel 4");
  f.mark("one");
  f.mark("two");
  f.key(Qt::Key_Delete);
  QVERIFY(f.of().empty());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.of()[0].note, QString("two"));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.of()[0].note, QString("one"));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(f.of().empty());
  for (int i = 0; i < 2; ++i) f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(f.of()[0].note, QString("two"));
  // A second trace beside it changes nothing; without the first its marks cannot be changed unseen.
  const auto a = *f.document.run(Side::A);
  f.document.setRuns(a, test::opened("b", recorded(kHashB, 0)), nullptr, "ab");
  QVERIFY(f.marks().history()->canUndo());
  f.document.setRuns(f.document.run(Side::B), std::nullopt, nullptr, "b");
  QVERIFY(!f.marks().history()->canUndo() && !f.marks().history()->canRedo());
}

void MarksTest::jWalksThroughTheMarksOfBothSides() {
  MarksFixture f;
  f.openTwo();
  f.select("kernel 6", Side::A);
  f.mark("");
  f.select("kernel 2", Side::B);
  f.mark("");
  f.selectRange(1'500'000, 1'550'000);
  f.mark("");
  f.selection.clear();
  f.view()->setFocus();
  f.key(Qt::Key_J);
  QCOMPARE(f.selection.slice()->side, Side::B);
  f.key(Qt::Key_J);
  QCOMPARE(*f.selection.slice(), (SelectedSlice{Side::A, f.named("kernel 6")[0]}));
  f.key(Qt::Key_J);
  QVERIFY(!f.selection.slice());
  QCOMPARE(f.selection.range()->range.start.count(), std::int64_t(1'500'000));
  f.key(Qt::Key_J);
  QCOMPARE(f.selection.slice()->side, Side::B);
  f.key(Qt::Key_J, Qt::ShiftModifier);
  QVERIFY(!f.selection.slice());
  // Without a selected mark: from what is shown.
  f.selection.clear();
  f.page->state()->fit(f.page->state()->alignment().toAligned(Side::A, {Nanoseconds(1'000'000), Nanoseconds(1'100'000)}));
  f.key(Qt::Key_J);
  QCOMPARE(f.selection.slice()->side, Side::A);
}

void MarksTest::flagsNeverOverlapAndAreClicked() {
  MarksFixture f;
  f.openTwo();
  QVERIFY(f.view()->marksRect().isEmpty());
  const int top = f.view()->lanesRect().top();
  for (int i = 0; i < 10; ++i) {
    Mark mark = timeline::markOf(f.trace(), f.named("kernel " + std::to_string(i))[0]);
    mark.note = QString("a note that is far too long for the room between two flags ").repeated(50);
    f.marks().add(Side::A, mark);
  }
  f.selectRange(0, 300'000, Side::B);
  f.mark(kHostile);
  const QRect band = f.view()->marksRect();
  QVERIFY(band.height() > 10);
  QCOMPARE(f.view()->lanesRect().top(), top + band.height());
  for (const double zoom : {1.0, 0.3, 20.0, 0.05}) {
    f.page->state()->zoomAt(f.page->state()->range().middle(), zoom);
    const auto flags = f.view()->markFlags();
    for (std::size_t i = 0; i < flags.size(); ++i) {
      QVERIFY(band.contains(flags[i].rect));
      if (i > 0) QVERIFY(flags[i].rect.left() > flags[i - 1].rect.right());
      QVERIFY(f.view()->fontMetrics().horizontalAdvance(flags[i].text) <= flags[i].rect.width());
    }
  }
  f.page->state()->fitAll();
  f.selection.clear();
  for (const timeline::MarkFlag& flag : f.view()->markFlags()) {
    f.page->state()->fitAll();
    QTest::mouseClick(f.view(), Qt::LeftButton, {}, flag.rect.center());
    QVERIFY(f.marks().selected(f.selection) == flag.marks.front());
  }
  // A double click edits the note.
  f.page->state()->fitAll();
  const auto flag = f.view()->markFlags().back();
  QTest::mouseClick(f.view(), Qt::LeftButton, {}, flag.rect.center());
  QTest::mouseDClick(f.view(), Qt::LeftButton, {}, flag.rect.center());
  QVERIFY(f.editor()->isVisible());
  f.key(Qt::Key_Escape);
  // Its tooltip takes a note literally.
  const QString tip = timeline::flagToolTip(f.marks(), {{}, {}, {{Side::B, f.of(Side::B)[0].id}}});
  QVERIFY2(tip.contains("&lt;b&gt;") || tip.contains("&lt;"), qPrintable(tip));
  QVERIFY(!tip.contains("<b>"));
  while (!f.of(Side::A).empty()) f.marks().remove({Side::A, f.of(Side::A)[0].id});
  f.marks().remove({Side::B, f.of(Side::B)[0].id});
  QVERIFY(f.view()->marksRect().isEmpty());
  QCOMPARE(f.view()->lanesRect().top(), top);
}

void MarksTest::marksShowOnLanesMinimapAndPictures() {
  for (const char* theme : {"dark", "light"}) {
    MarksFixture f(theme);
    f.open();
    f.selectRange(250'000, 1'100'000);
    f.mark("here");
    f.selection.clear();
    const QColor colour = common::Theme::load(theme)->sideA;
    const auto count = [&](const QImage& image) {
      int pixels = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) pixels += image.pixelColor(x, y) == colour;
      }
      return pixels;
    };
    const QRect lanes = f.view()->lanesRect();
    const auto picture = [&] {
      QImage image(f.view()->pictureSize(), QImage::Format_RGB32);
      QPainter painter(&image);
      f.view()->paintPicture(painter, *common::Theme::load(theme), 1, 0);
      return image;
    };
    const QRect minimap(lanes.left(), 0, lanes.width(), f.view()->rulerRect().top());
    const int onLanes = count(f.lanes());
    const int onMinimap = count(f.view()->grab(minimap).toImage());
    const int onPicture = count(picture());
    f.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(onLanes >= count(f.lanes()) + 40);
    QVERIFY(onMinimap >= count(f.view()->grab(minimap).toImage()) + 8);
    QVERIFY(onPicture > count(picture()) + 40);
    QVERIFY(common::contrastRatio(colour, common::Theme::load(theme)->lane) >= 3);
  }
}

void MarksTest::marksComeBackInTheNextSession() {
  QTemporaryDir folder;
  const QString path = folder.filePath(QString("new/") + kHashA + ".json");
  {
    MarksFixture f;
    f.page->keepMarksIn(folder.filePath("new"));
    f.openTwo();
    f.select("kernel 7");
    f.mark(kHostile);
    f.selectRange(10, 1'234'567'890);
    f.mark(QString("two\nlines\tand ") + QChar(0) + "more");
    f.selectRange(10, 20);
    f.key(Qt::Key_M, Qt::ShiftModifier);
    QVERIFY(f.failures.isEmpty());
  }
  QVERIFY(QFile::exists(path));
  QVERIFY(!QFile::exists(folder.filePath(QString("new/") + kHashB + ".json")));
  MarksFixture f;
  f.page->keepMarksIn(folder.filePath("new"));
  f.openTwo();
  QCOMPARE(f.of().size(), std::size_t(2));
  QCOMPARE(f.of()[0].interval, (Interval{Nanoseconds(10), Nanoseconds(1'234'567'890)}));
  QCOMPARE(f.of()[0].note, QString("two lines and  more"));
  QCOMPARE(f.of()[1].note, kHostile);
  QVERIFY(*f.of()[1].event == f.named("kernel 7")[0]);
  QVERIFY(!f.marks().history()->canUndo());
  // The last one that goes takes the file with it.
  f.marks().remove({Side::A, f.of()[0].id});
  f.marks().remove({Side::A, f.of()[0].id});
  QVERIFY(!QFile::exists(path));
  f.marks().history()->undo();
  QVERIFY(contentOf(path).contains("kernel 7"));
}

void MarksTest::theSliceIsFoundAgainByNameTimeAndLane() {
  const auto analysis = recorded(kHashA, 0);
  const trace::Trace& trace = *analysis->trace;
  for (std::uint32_t lane = 0; lane < trace.lanes().size(); ++lane) {
    for (std::uint32_t s = 0; s < trace.lanes()[lane].subLanes.size(); ++s) {
      for (std::uint32_t i = 0; i < trace.lanes()[lane].subLanes[s].size(); ++i) {
        const trace::EventRef event{trace::LaneId{lane}, s, i};
        Mark mark = timeline::markOf(trace, event);
        QVERIFY(timeline::findSlice(trace, mark) == event);
        mark.name += " ";
        QVERIFY(!timeline::findSlice(trace, mark));
        mark = timeline::markOf(trace, event);
        mark.interval.end += Nanoseconds(1);
        QVERIFY(!timeline::findSlice(trace, mark));
      }
    }
  }
}

void MarksTest::aDamagedFileIsKeptAndSaidToBe() {
  const QByteArray damaged[] = {"{\"format\": \"threewalls marks\", \"ver", "", "[]",
                                "{\"format\":\"threewalls marks\",\"version\":2,\"marks\":[]}",
                                "{\"format\":\"threewalls marks\",\"version\":1,\"marks\":{}}"};
  for (const QByteArray& content : damaged) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QString(kHashA) + ".json");
    write(path, content);
    MarksFixture f;
    f.page->keepMarksIn(folder.path());
    f.open();
    QCOMPARE(f.failures.size(), 1);
    const auto error = f.failures[0][0].value<base::Error>();
    QVERIFY2(error.text().find((path + ".damaged").toStdString()) != std::string::npos, error.text().c_str());
    QVERIFY(f.of().empty());
    f.select("kernel 1");
    f.mark("new");
    QCOMPARE(contentOf(path + ".damaged"), content);
    QVERIFY(contentOf(path).contains("new"));
    // Damaged once more: both are kept.
    write(path, "?");
    f.select("kernel 2");
    f.mark("newer");
    QCOMPARE(contentOf(path + ".damaged"), content);
    QCOMPARE(contentOf(path + ".damaged-2"), QByteArray("?"));
    QVERIFY(contentOf(path).contains("newer"));
  }
}

void MarksTest::readableMarksOfADamagedFileAreKept() {
  QTemporaryDir folder;
  const QString path = folder.filePath(QString(kHashA) + ".json");
  const QByteArray content =
      "{\"format\":\"threewalls marks\",\"version\":1,\"marks\":[{\"start_ns\":5,\"end_ns\":9,\"note\":\"good\"},"
      "{\"start_ns\":9,\"end_ns\":5,\"note\":\"\"},{\"start_ns\":1.5,\"end_ns\":9,\"note\":\"\"},"
      "{\"start_ns\":-9223372036854775808,\"end_ns\":9223372036854775807,\"note\":\"\"},7,{\"start_ns\":1,\"end_ns\":2,\"note\":"
      "3}]}";
  write(path, content);
  MarksFixture f;
  f.page->keepMarksIn(folder.path());
  f.open();
  QCOMPARE(f.of().size(), std::size_t(1));
  QCOMPARE(f.of()[0].note, QString("good"));
  QCOMPARE(f.failures.size(), 1);
  QVERIFY(f.failures[0][0].value<base::Error>().message.find("5 of its 6 marks") != std::string::npos);
  QCOMPARE(contentOf(path + ".damaged"), content);
  QVERIFY(contentOf(path).contains("good"));
}

void MarksTest::aFileThatCannotBeReplacedIsSaid() {
  QTemporaryDir folder;
  // A folder stands where the file would.
  QVERIFY(QDir().mkpath(folder.filePath(QString(kHashA) + ".json/inside")));
  MarksFixture f;
  f.page->keepMarksIn(folder.path());
  f.open();
  QCOMPARE(f.failures.size(), 1);
  f.select("kernel 1");
  f.mark("kept in the window");
  QCOMPARE(f.failures.size(), 2);
  QCOMPARE(f.failures[1][0].value<base::Error>().code, base::ErrorCode::CannotWrite);
  QCOMPARE(f.of().size(), std::size_t(1));
  QVERIFY(QFileInfo::exists(folder.filePath(QString(kHashA) + ".json/inside")));
}

void MarksTest::marksOfAnotherWindowStay() {
  QTemporaryDir folder;
  const QString path = folder.filePath(QString(kHashA) + ".json");
  MarksFixture first;
  first.page->keepMarksIn(folder.path());
  first.open();
  MarksFixture second;
  second.page->keepMarksIn(folder.path());
  second.open();
  first.marks().add(Side::A, timeline::markOf(first.trace(), first.named("kernel 1")[0]));
  second.marks().add(Side::A, timeline::markOf(first.trace(), first.named("kernel 2")[0]));
  first.marks().add(Side::A, timeline::markOf(first.trace(), first.named("kernel 3")[0]));
  first.marks().setNote({Side::A, first.of()[0].id}, "renamed");
  MarksFixture third;
  third.page->keepMarksIn(folder.path());
  third.open();
  QStringList names;
  for (const Mark& mark : third.of()) names << mark.name + mark.note;
  QCOMPARE(names, (QStringList{"kernel 1renamed", "kernel 2", "kernel 3"}));
}

void MarksTest::withoutAFolderOrAHashNothingIsWritten() {
  QTemporaryDir folder;
  MarksFixture f;
  f.page->keepMarksIn(folder.path());
  for (const char* hash : {"", "../../escape", "/etc/passwd"}) {
    f.document.setRuns(test::opened("a", recorded(hash, 0)), std::nullopt, nullptr, "a");
    f.select("kernel 1");
    f.mark("note");
    QCOMPARE(f.of().size(), std::size_t(1));
  }
  QVERIFY(QDir(folder.path()).isEmpty());
  QVERIFY(f.failures.isEmpty());
}

void MarksTest::marksGoWithTheirTraceToTheOtherSide() {
  MarksFixture f;
  f.openTwo();
  f.select("kernel 4");
  f.mark("mine");
  const auto a = *f.document.run(Side::A);
  const auto b = *f.document.run(Side::B);
  f.document.setRuns(b, a, nullptr, "ba");
  QVERIFY(f.of(Side::A).empty());
  QCOMPARE(f.of(Side::B)[0].note, QString("mine"));
  f.document.setRuns(a, a, nullptr, "aa");
  f.marks().setNote({Side::B, f.of(Side::B)[0].id}, "both");
  QCOMPARE(f.of(Side::A)[0].note, QString("both"));
}

QTEST_MAIN(MarksTest)
#include "marks_test.moc"

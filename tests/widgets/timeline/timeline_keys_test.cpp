#include "page_fixture.h"

#include <QLineEdit>
#include <QSignalSpy>

using namespace threewalls;
using common::Keys;
using test::TimelineFixture;
using test::WindowFixture;

namespace {

/// Places of X11's numbering by what a US keyboard has there.
constexpr quint32 kPlaceOfW = 25;
constexpr quint32 kPlaceOfZ = 52;

/// A key event as a keyboard of another layout sends it; whether the widget keeps it from other commands.
bool press(QWidget& widget, int key, quint32 scanCode, Qt::KeyboardModifiers modifiers = {}) {
  QKeyEvent asked(QEvent::ShortcutOverride, key, modifiers, scanCode, 0, 0);
  asked.ignore();
  QApplication::sendEvent(&widget, &asked);
  QKeyEvent pressed(QEvent::KeyPress, key, modifiers, scanCode, 0, 0);
  QApplication::sendEvent(&widget, &pressed);
  return asked.isAccepted();
}

void release(QWidget& widget, int key, quint32 scanCode, Qt::KeyboardModifiers modifiers = {}) {
  QKeyEvent released(QEvent::KeyRelease, key, modifiers, scanCode, 0, 0);
  QApplication::sendEvent(&widget, &released);
}

}  // namespace

class TimelineKeysTest : public QObject {
  Q_OBJECT

 private slots:
  void heldKeysGoByTheirPlaceNotByTheirLetter() {
    TimelineFixture f;
    f.openA();
    const double before = f.state.range().length();
    // A French keyboard has Z where a US one has W, and W where that has Z.
    QVERIFY(press(f.view, Qt::Key_Z, kPlaceOfW));
    release(f.view, Qt::Key_Z, kPlaceOfW);
    const double zoomed = f.state.range().length();
    QVERIFY(zoomed < before);
    QVERIFY(!press(f.view, Qt::Key_W, kPlaceOfZ));
    release(f.view, Qt::Key_W, kPlaceOfZ);
    // A Russian one has no Latin letter there at all.
    QCOMPARE(f.state.range().length(), zoomed);
    QVERIFY(press(f.view, 0x0426, kPlaceOfW));
    release(f.view, 0x0426, kPlaceOfW);
    QVERIFY(f.state.range().length() < zoomed);
  }

  void aHeldKeyStopsWhateverModifiersCameMeanwhile() {
    TimelineFixture f;
    f.openA();
    press(f.view, Qt::Key_Plus, 21, Qt::ShiftModifier);
    const double tapped = f.state.range().length();
    QTRY_VERIFY(f.state.range().length() < tapped);
    release(f.view, Qt::Key_Equal, 21, Qt::ControlModifier);
    const double released = f.state.range().length();
    QTest::qWait(60);
    QCOMPARE(f.state.range().length(), released);
  }

  void aHeldKeyCanBeAnotherOne() {
    TimelineFixture f;
    f.openA();
    f.commands.setKeys("go.zoomIn", {QKeySequence("I")});
    const double before = f.state.range().length();
    QTest::keyClick(&f.view, Qt::Key_W);
    QCOMPARE(f.state.range().length(), before);
    QTest::keyClick(&f.view, Qt::Key_I);
    QVERIFY(f.state.range().length() < before);
    QCOMPARE(f.commands.action("go.zoomIn")->text(), QString("Zoom in at the pointer\tI"));
  }

  void shiftWithAHeldKeyIsAnotherCommandsIfThatHasIt() {
    TimelineFixture f;
    f.openA();
    f.state.zoomAt(0, 0.01);
    QTest::mouseClick(&f.view, Qt::LeftButton, {}, f.at(f.streamRow("7"), 101));
    f.commands.setKeys("select.range", {QKeySequence("Shift+D")});
    const double start = f.state.range().start;
    QTest::keyClick(&f.view, Qt::Key_D, Qt::ShiftModifier);
    QCOMPARE(f.state.range().start, start);
    QVERIFY(f.selection.range().has_value());
    f.commands.setKeys("select.range", {});
    QTest::keyClick(&f.view, Qt::Key_D, Qt::ShiftModifier);
    QVERIFY(f.state.range().start > start);
  }

  void aKeyGivenAwayIsTakenFromItsCommand() {
    TimelineFixture f;
    f.openA();
    QSignalSpy changed(&f.commands, &common::CommandRegistry::keysChanged);
    f.commands.setKeys("go.all", {QKeySequence("F"), QKeySequence("0")});
    QCOMPARE(changed.count(), 1);
    QVERIFY(f.commands.command("go.fit")->shortcuts.isEmpty());
    QCOMPARE(f.commands.usualKeys("go.fit"), Keys{QKeySequence("F")});
    QTest::keyClick(&f.view, Qt::Key_F);
    QVERIFY(f.state.range().end >= f.state.bounds().end);
    f.commands.setKeys("go.all", {QKeySequence("F"), QKeySequence("0")});
    QCOMPARE(changed.count(), 1);  // nothing new
    // The same key may do two things where no place of the keyboard reaches both.
    QWidget elsewhere;
    f.commands.add({"else.where", "View", "Elsewhere", {QKeySequence("F")}, [] {}, {}, &elsewhere});
    f.commands.setKeys("else.where", {QKeySequence("F"), QKeySequence("0")});
    QCOMPARE(f.commands.command("go.all")->shortcuts.size(), qsizetype{2});
  }

  void aKeyOfAnotherLayoutIsTakenFromWhatItWouldRun() {
    TimelineFixture f;
    f.commands.add({"x.letter", "View", "Letter", {}, [] {}, {}, &f.view});
    f.commands.add({"x.z", "View", "Has Z", {QKeySequence("Z")}, [] {}, {}, &f.view});
    // The French Z, in the place of W.
    const auto pressed = common::pressedKey(QKeyEvent(QEvent::KeyPress, Qt::Key_Z, {}, kPlaceOfW, 0, 0, "z"));
    QCOMPARE(f.commands.wantedKey("x.letter", *pressed), QKeySequence("Z"));
    QCOMPARE(f.commands.wantedKey("go.left", *pressed), QKeySequence("W"));
    f.commands.addKey("x.letter", *pressed);
    QCOMPARE(f.commands.command("x.letter")->shortcuts, Keys{QKeySequence("Z")});
    QVERIFY(f.commands.command("x.z")->shortcuts.isEmpty());
    QCOMPARE(f.commands.command("go.zoomIn")->shortcuts, (Keys{QKeySequence("+"), QKeySequence("=")}));
    f.commands.addKey("go.left", *pressed);
    QCOMPARE(f.commands.command("go.left")->shortcuts, (Keys{QKeySequence("A"), QKeySequence("W")}));
    QVERIFY(f.commands.command("x.letter")->shortcuts.isEmpty());
  }

  void modifiersAloneAreNoKeyAndShiftBelongsToTheSign() {
    const auto key = [](int code, Qt::KeyboardModifiers modifiers, const char* text) {
      const auto pressed = common::pressedKey(QKeyEvent(QEvent::KeyPress, code, modifiers, 0, 0, 0, text));
      return pressed ? pressed->key.toString(QKeySequence::PortableText) : QString("none");
    };
    for (const int modifier : {Qt::Key_Shift, Qt::Key_Control, Qt::Key_Alt, Qt::Key_AltGr, Qt::Key_Dead_Acute, Qt::Key_Super_L})
      QCOMPARE(key(modifier, {}, ""), QString("none"));
    QCOMPARE(key(Qt::Key_Question, Qt::ShiftModifier, "?"), QString("?"));
    QCOMPARE(key(Qt::Key_X, Qt::ShiftModifier, "X"), QString("Shift+X"));
    QCOMPARE(key(Qt::Key_5, Qt::KeypadModifier, "5"), QString("5"));
    QCOMPARE(key(Qt::Key_F4, Qt::ControlModifier | Qt::ShiftModifier, ""), QString("Ctrl+Shift+F4"));
  }

  void aCommandFromTheMenuIsOneTap() {
    TimelineFixture f;
    f.openA();
    const double before = f.state.range().length();
    QVERIFY(f.commands.run("go.zoomIn"));
    const double tapped = f.state.range().length();
    QVERIFY(tapped < before);
    QTest::qWait(250);
    QCOMPARE(f.state.range().length(), tapped);
  }

  void whatCannotBeDoneIsDisabled() {
    TimelineFixture f;
    for (const char* id : {"go.zoomIn", "go.all", "select.below", "select.next", "lanes.fold"}) QVERIFY2(!f.commands.run(id), id);
    f.openA();
    QVERIFY(f.commands.run("select.below"));
    QVERIFY(f.commands.run("select.next"));
  }

  void aFieldAboveTheTimelineKeepsItsKeys() {
    WindowFixture f;
    f.openA();
    f.selection.setSlice(common::SelectedSlice{common::Side::A, f.named("nvjet").front()});
    const auto slice = f.selection.slice();
    const auto range = f.page->state()->range();
    f.key(Qt::Key_M);
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(field != nullptr && f.page->view()->isAncestorOf(field));
    for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Down, Qt::Key_PageDown, Qt::Key_Left, Qt::Key_Right}) f.key(key);
    QTest::keyClicks(field, "wads0fr,.");
    QCOMPARE(field->text(), QString("wads0fr,."));
    QCOMPARE(f.selection.slice(), slice);
    QCOMPARE(f.page->state()->range(), range);
    QVERIFY(!f.selection.range());
    f.key(Qt::Key_Return);  // keeps the mark, asks for no details
    QCOMPARE(QApplication::focusWidget(), f.page->view());
  }
};

QTEST_MAIN(TimelineKeysTest)
#include "timeline_keys_test.moc"

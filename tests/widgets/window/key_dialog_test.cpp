#include "window/key_dialog.h"

#include "common/message_card.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"
#include "widgets/sample_document.h"
#include "window/key_field.h"
#include "window/main_window.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace threewalls;
using common::Keys;
using window::KeyDialog;
using window::MainWindow;

namespace {

constexpr quint32 kPlaceOfW = 25;  // of X11's numbering

/// The program with a trace, and what it remembers in a folder of the test's own.
struct KeysFixture {
  QTemporaryDir folder;
  std::unique_ptr<MainWindow> window = made();

  KeysFixture() { show(); }
  std::unique_ptr<MainWindow> made() const {
    return std::make_unique<MainWindow>(window::Preferences(std::make_unique<QSettings>(store(), QSettings::IniFormat)),
                                        QStringList());
  }
  QString store() const { return folder.filePath("settings.ini"); }
  void show() {
    window->resize(1300, 800);
    window->show();
    QApplication::setActiveWindow(window.get());
    test::openAlone(*window->document(), common::Side::A, "loop");
  }
  void restart() {
    window.reset();
    window = made();
    show();
  }
  const Keys& keys(const char* id) const { return window->commands()->command(id)->shortcuts; }
  timeline::TimelineView& view() { return *window->profilePage()->timelinePage()->view(); }
  timeline::ViewState& state() { return *window->profilePage()->timelinePage()->state(); }
};

/// The dialog as F1 opens it, with what hands do there.
struct OpenDialog {
  KeyDialog* dialog;
  QTableView* table;
  window::KeyField* field;

  explicit OpenDialog(MainWindow& window) {
    QTest::keyClick(&window, Qt::Key_F1);
    dialog = window.findChild<KeyDialog*>("keyHelp");
    if (dialog == nullptr) qFatal("no dialog");
    QApplication::setActiveWindow(dialog);
    table = dialog->findChild<QTableView*>();
    field = dialog->findChild<window::KeyField*>();
  }
  QStringList row(int row) const {
    QStringList cells;
    for (int column = 0; column < 3; ++column) cells << table->model()->index(row, column).data().toString();
    return cells;
  }
  int rowOf(const QString& text) const {
    for (int i = 0; i < table->model()->rowCount(); ++i) {
      if (row(i)[1] == text) return i;
    }
    return -1;
  }
  void choose(const QString& text) {
    const QModelIndex index = table->model()->index(rowOf(text), 1);
    QVERIFY2(index.isValid(), qPrintable(text));
    table->scrollTo(index);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
  }
  QPushButton* button(const QString& text) const {
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
      if (button->text() == text) return button;
    }
    qFatal("no such button");
  }
  void click(const QString& text) { QTest::mouseClick(button(text), Qt::LeftButton); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    field->setFocus();
    QTest::keyClick(field, key, modifiers);
  }
  bool says(const QString& part) const {
    for (const QLabel* label : dialog->findChildren<QLabel*>()) {
      if (label->isVisible() && label->text().contains(part)) return true;
    }
    return false;
  }
  void close() {
    QTest::keyClick(table, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
};

}  // namespace

class KeyDialogTest : public QObject {
  Q_OBJECT

 private slots:
  void itListsEveryCommandAndTheMouseUnderTheirGroups() {
    KeysFixture f;
    OpenDialog d(*f.window);
    QHash<QString, QString> groups;
    QString group;
    for (int i = 0; i < d.table->model()->rowCount(); ++i) {
      const QStringList cells = d.row(i);
      if (cells[1].isEmpty()) {
        group = cells[0];
      } else {
        groups[cells[1] + '|' + cells[0]] = group;
      }
    }
    for (const common::Command& command : f.window->commands()->commands())
      QCOMPARE(groups.value(command.text + '|' + common::keysText(command.shortcuts)), command.group);
    for (const common::KeyNote& note : f.window->commands()->notes())
      QCOMPARE(groups.value(note.text + '|' + note.keys), note.group);
    d.choose(f.window->commands()->notes().front().text);
    QVERIFY(!d.field->isEnabled());
    QVERIFY(d.says("fixed"));
  }

  void theFilterLeavesWhatHasAllItsWords() {
    KeysFixture f;
    OpenDialog d(*f.window);
    QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr);
    QTest::keyClicks(QApplication::focusWidget(), "lane fold");
    QCOMPARE(d.table->model()->rowCount(), 2);
    QCOMPARE(d.row(0)[0], QString("Lanes"));
    QCOMPARE(d.row(1)[0], QString("Space"));
    QTest::keyClicks(QApplication::focusWidget(), "xyz");
    QVERIFY(!d.table->isVisible());
    QVERIFY(d.says("No command matches"));
  }

  void anAddedKeyActsAtOnceAndInTheNextSession() {
    KeysFixture f;
    OpenDialog d(*f.window);
    d.choose("Fit the whole trace");
    QVERIFY(!d.button("Add")->isEnabled());
    d.press(Qt::Key_F8);
    QVERIFY(d.says("No other command has F8"));
    d.click("Add");
    QVERIFY(d.says("F8 is added"));
    QCOMPARE(d.row(d.rowOf("Fit the whole trace")), (QStringList{"0, F8", "Fit the whole trace", "0"}));
    d.press(Qt::Key_F8);
    QVERIFY(d.says("already") && !d.button("Add")->isEnabled());
    d.close();
    for (int session = 0; session < 2; ++session) {
      QCOMPARE(f.keys("go.all"), (Keys{QKeySequence("0"), QKeySequence("F8")}));
      QApplication::setActiveWindow(f.window.get());
      f.view().setFocus();
      f.state().zoomAt(0, 0.01);
      QTest::keyClick(&f.view(), Qt::Key_F8);
      QVERIFY(f.state().range().end >= f.state().bounds().end);
      f.restart();
    }
    // Only what differs is kept.
    QSettings store(f.store(), QSettings::IniFormat);
    store.beginGroup("keys");
    QCOMPARE(store.childKeys(), QStringList{"go.all"});
  }

  void whoLosesAKeyIsSaidBeforeAndAfter() {
    KeysFixture f;
    OpenDialog d(*f.window);
    d.choose("Fit the whole trace");
    d.press(Qt::Key_F);
    QVERIFY(d.says("“Fit the selection; once more: its step” loses F"));
    QCOMPARE(f.keys("go.fit"), Keys{QKeySequence("F")});
    if (qEnvironmentVariableIsSet("THREEWALLS_GRAB"))
      d.dialog->grab().save(qEnvironmentVariable("THREEWALLS_GRAB") + "/keys.png");
    d.click("Add");
    QVERIFY(d.says("“Fit the selection; once more: its step” has lost it"));
    QVERIFY(f.keys("go.fit").isEmpty());
    QCOMPARE(d.row(d.rowOf("Fit the selection; once more: its step")).last(), QString("F"));
    d.close();
    f.restart();
    QVERIFY(f.keys("go.fit").isEmpty());
    QCOMPARE(f.keys("go.all"), (Keys{QKeySequence("0"), QKeySequence("F")}));

    OpenDialog again(*f.window);
    again.choose("Fit the selection; once more: its step");
    again.click("Usual keys");
    QVERIFY(again.says("“Fit the whole trace” has lost them"));
    QCOMPARE(f.keys("go.fit"), Keys{QKeySequence("F")});
    QCOMPARE(f.keys("go.all"), Keys{QKeySequence("0")});
    again.close();
    f.restart();
    QCOMPARE(f.keys("go.all"), Keys{QKeySequence("0")});
  }

  void keysCanBeClearedAndAllSetBack() {
    KeysFixture f;
    {
      OpenDialog d(*f.window);
      QVERIFY(!d.button("All usual keys")->isEnabled());
      d.choose("Next hit");
      d.click("Clear");
      QVERIFY(f.keys("search.next").isEmpty());
      QVERIFY(!d.button("Clear")->isEnabled());
      d.choose("Open trace as A…");
      d.press(Qt::Key_G);
      d.click("Add");
      d.close();
    }
    f.restart();
    QVERIFY(f.keys("search.next").isEmpty());
    QVERIFY(f.keys("go.idleGap").isEmpty());
    OpenDialog d(*f.window);
    d.click("All usual keys");
    d.close();
    for (const common::Command& command : f.window->commands()->commands())
      QCOMPARE(command.shortcuts, f.window->commands()->usualKeys(command.id));
    QSettings store(f.store(), QSettings::IniFormat);
    store.beginGroup("keys");
    QCOMPARE(store.childKeys(), QStringList());
  }

  void theFieldTakesEveryKeyButTab() {
    KeysFixture f;
    OpenDialog d(*f.window);
    d.choose("Fit the whole trace");
    for (const auto& [key, text] : {std::pair{Qt::Key_Escape, "Esc"}, {Qt::Key_Return, "Return"}, {Qt::Key_F1, "F1"}}) {
      d.press(key);
      QVERIFY(d.dialog->isVisible());
      QCOMPARE(d.field->text(), QString(text));
      QVERIFY(d.says("loses"));
    }
    d.press(Qt::Key_K, Qt::ControlModifier);
    QCOMPARE(d.field->text(), QString("Ctrl+K"));
    QTest::keyClick(d.field, Qt::Key_Tab);
    QVERIFY(!d.field->hasFocus());
  }

  void heldKeysAreNamedByTheirPlace() {
    KeysFixture f;
    OpenDialog d(*f.window);
    QKeyEvent french(QEvent::KeyPress, Qt::Key_Z, {}, kPlaceOfW, 0, 0, "z");
    d.choose("Move left; with Shift ten times as far");
    QVERIFY(d.says("place on a US keyboard"));
    QApplication::sendEvent(d.field, &french);
    QCOMPARE(d.field->text(), QString("W"));
    QVERIFY(d.says("“Zoom in at the pointer” loses W"));
    d.choose("Fit the whole trace");
    QApplication::sendEvent(d.field, &french);
    QCOMPARE(d.field->text(), QString("Z"));
    QVERIFY(d.says("“Zoom in at the pointer” loses Z"));  // it is what the key does here
    d.click("Add");
    QCOMPARE(f.keys("go.all"), (Keys{QKeySequence("0"), QKeySequence("Z")}));
    QCOMPARE(f.keys("go.zoomIn"), (Keys{QKeySequence("+"), QKeySequence("=")}));
  }

  void storedKeysThatCannotBeReadAreNamedAndLeftOut() {
    KeysFixture f;
    f.window.reset();
    {
      QSettings store(f.store(), QSettings::IniFormat);
      store.setValue("keys/go.all", "No such <b>key</b>");
      store.setValue("keys/go.fit", QStringList{"A", "B"});
      store.setValue("keys/go.left", "Ctrl+K, Ctrl+L");
      store.setValue("keys/go.right", "L");
      store.setValue("keys/of.another.version", "X");
    }
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression("Stored key ignored: Fit the whole trace.*"));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression("Stored key ignored: Fit the selection.*"));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression("Stored key ignored: Move left.*"));
    f.window = f.made();
    f.show();
    for (const char* id : {"go.all", "go.fit", "go.left"}) QCOMPARE(f.keys(id), f.window->commands()->usualKeys(id));
    QCOMPARE(f.keys("go.right"), Keys{QKeySequence("L")});
    QStringList texts;
    for (const auto* card : f.window->findChildren<common::NoticeCard*>()) {
      for (const QLabel* label : card->findChildren<QLabel*>()) {
        texts << label->text();
        QCOMPARE(label->textFormat(), Qt::PlainText);
      }
    }
    for (const char* part :
         {"Fit the whole trace: No such <b>key</b>", "Fit the selection; once more: its step: A, B", "Move left"})
      QVERIFY2(!texts.filter(part).isEmpty(), part);
  }
};

QTEST_MAIN(KeyDialogTest)
#include "key_dialog_test.moc"

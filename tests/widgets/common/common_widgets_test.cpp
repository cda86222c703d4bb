#include "common/badge.h"
#include "common/command_registry.h"
#include "common/figures.h"
#include "common/message_card.h"
#include "common/table_text.h"
#include "common/text.h"
#include "common/theme.h"

#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QToolButton>

using namespace threewalls;

class CommonWidgetsTest : public QObject {
  Q_OBJECT

 private slots:
  void aCommandRunsByItsShortcutByIdAndByItsAction() {
    QWidget window;
    common::CommandRegistry registry(&window);
    int runs = 0;
    QAction* action = registry.add({"view.go", "View", "Go", {QKeySequence("Ctrl+G")}, [&] { ++runs; }, {}, nullptr});
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier);
    QCOMPARE(runs, 1);
    QVERIFY(registry.run("view.go"));
    action->trigger();
    QCOMPARE(runs, 3);
    QVERIFY(!registry.run("no.such"));
  }

  void aCommandThatCannotRunIsDisabledAndDoesNot() {
    QWidget window;
    common::CommandRegistry registry(&window);
    bool possible = false;
    int runs = 0;
    registry.add({"file.close", "File", "Close", {}, [&] { ++runs; }, [&] { return possible; }, nullptr});
    QVERIFY(!registry.action("file.close")->isEnabled());
    QVERIFY(!registry.run("file.close"));
    possible = true;
    registry.refresh();
    QVERIFY(registry.action("file.close")->isEnabled());
    QVERIFY(registry.run("file.close"));
    QCOMPARE(runs, 1);
  }

  void tablesLeaveAsCsvThatSpreadsheetsReadAsText() {
    QStandardItemModel model(1, 3);
    model.setHorizontalHeaderLabels({"name", "time", "note"});
    model.setItem(0, 0, new QStandardItem("=cmd|' /C calc'!A0"));
    auto* time = new QStandardItem("1.84 ms");
    time->setData(qlonglong(-1840000), common::kExportRole);
    model.setItem(0, 1, time);
    model.setItem(0, 2, new QStandardItem("a \"quoted\", long\nname"));
    QCOMPARE(common::toCsv(model), "name,time,note\n'=cmd|' /C calc'!A0,-1840000,\"a \"\"quoted\"\", long\nname\"\n");
  }

  void tablesLeaveAsMarkdownWithoutMarkupFromNames() {
    QStandardItemModel model(1, 2);
    model.setHorizontalHeaderLabels({"name", "time"});
    model.setItem(0, 0, new QStandardItem("void f<int>(a|b)"));
    auto* time = new QStandardItem("1.84 ms");
    time->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    model.setItem(0, 1, time);
    QCOMPARE(common::toMarkdown(model), "| name | time |\n|---|---:|\n| void f\\<int\\>(a\\|b) | 1.84 ms |\n");
  }

  void hostileTextStaysTextOnOneLine() {
    QCOMPARE(common::toText("a\nb\tc\x01"), QString("a b c "));
    QCOMPARE(common::toText("\xff<b>"), QString(QChar(0xFFFD)) + "<b>");
    QLabel* label = common::plainLabel("<b>bold</b>");
    QCOMPARE(label->textFormat(), Qt::PlainText);
    delete label;
    QVERIFY(common::literalToolTip("<img src=x>").contains("&lt;"));
    QVERIFY(!common::literalToolTip("<img src=x>").contains("<img"));
  }

  void exactTimesAreGroupedAndSigned() {
    QCOMPARE(common::exactNanoseconds(base::Nanoseconds(127416093)), QString("127,416,093 ns"));
    QCOMPARE(common::exactNanoseconds(base::Nanoseconds(-1500)), QString(QChar(0x2212)) + "1,500 ns");
  }

  void digitsTakeTheSameWidthInEveryFont() {
    for (const QString& family : {QString("Inter"), QString("DejaVu Sans"), QString("DejaVu Serif")}) {
      const QFontMetricsF metrics(QFont(family, 10));
      QCOMPARE(common::figuresWidth(metrics, "111,111"), common::figuresWidth(metrics, "888,888"));
    }
  }

  void anErrorCardSaysWhatWhereAndWhatToDo() {
    base::Error error;
    error.message = "This is not <b>JSON</b>.";
    error.file = "/tmp/broken.json";
    error.byteOffset = 12;
    error.hint = "Record it again.";
    common::ErrorCard card(error);
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>()) {
      QCOMPARE(label->textFormat(), Qt::PlainText);
      texts << label->text();
    }
    QVERIFY(texts.contains("This is not <b>JSON</b>."));
    QVERIFY(texts.contains("/tmp/broken.json, byte 12"));
    QVERIFY(texts.contains("Record it again."));
    QSignalSpy dismissed(&card, &common::ErrorCard::dismissed);
    QTest::mouseClick(card.findChild<QToolButton*>(), Qt::LeftButton);
    QCOMPARE(dismissed.count(), 1);
  }

  void anEmptyStateOffersItsActions() {
    QAction open("Open traces…");
    QSignalSpy triggered(&open, &QAction::triggered);
    common::EmptyState state("Nothing is open", "Drop a trace here.", {&open});
    const auto buttons = state.findChildren<QAbstractButton*>();
    QCOMPARE(buttons.size(), 1);
    QTest::mouseClick(buttons.front(), Qt::LeftButton);
    QCOMPARE(triggered.count(), 1);
  }

  void badgesNameTheirSide() {
    QCOMPARE(common::Badge(common::Side::A).text(), QString("A"));
    QCOMPARE(common::Badge(common::Side::B).text(), QString("B"));
  }
};

QTEST_MAIN(CommonWidgetsTest)
#include "common_widgets_test.moc"

#include "window/range_saver.h"

#include "analysis/range_extract.h"
#include "common/message_card.h"
#include "widgets/sample_document.h"
#include "window/main_window.h"

#include <QAction>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace threewalls;
using common::Side;
using window::RangeSaver;

class RangeSaverTest : public QObject {
  Q_OBJECT
  QTemporaryDir m_folder;

 private slots:
  void aRangeIsSavedWithItsFigures() {
    common::Document document;
    test::openSample(document);
    common::Selection selection;
    common::JobService jobs;
    RangeSaver saver(&document, &selection, &jobs, nullptr);
    QVERIFY(!saver.possible());
    const auto& b = document.run(Side::B)->analysis;
    const base::Interval range = *analysis::stepRange(*b, 64);
    selection.setRange(common::SelectedRange{Side::B, range});
    QVERIFY(saver.possible());
    QVERIFY2(saver.suggestedPath().endsWith("/grouped_step64.pt.trace.json.gz"), qPrintable(saver.suggestedPath()));

    QSignalSpy saved(&saver, &RangeSaver::saved);
    const QString path = m_folder.filePath("step64.json.gz");
    saver.save(path);
    QVERIFY(saved.wait(20'000));
    QVERIFY(saved[0][0].toString().contains(path));
    const QString details = saved[0][1].toString();
    QVERIFY2(details.contains("is the same to the nanosecond") && details.contains("KiB"), qPrintable(details));
    const auto trace = trace::openTrace(path.toStdString());
    QVERIFY(trace.has_value());
    const auto part = analysis::analyze(*trace);
    QVERIFY(part->lanes.at(0).occupancy.ledger(range) == b->lanes.at(0).occupancy.ledger(range));
  }

  void theTraceItselfIsRefused() {
    common::Document document;
    test::openSample(document);
    common::Selection selection;
    common::JobService jobs;
    RangeSaver saver(&document, &selection, &jobs, nullptr);
    const auto& a = document.run(Side::A)->analysis;
    selection.setRange(common::SelectedRange{Side::A, *analysis::stepRange(*a, 61)});
    QSignalSpy failed(&saver, &RangeSaver::failed);
    saver.save(QString::fromStdString(a->trace->info().file));
    QVERIFY(failed.wait(20'000));
  }

  void aCancelledJobLeavesNoFile() {
    common::Document document;
    test::openSample(document);
    common::Selection selection;
    QTemporaryDir empty;
    {
      common::JobService jobs;
      RangeSaver saver(&document, &selection, &jobs, nullptr);
      const auto& a = document.run(Side::A)->analysis;
      selection.setRange(common::SelectedRange{Side::A, a->trace->span()});
      QSignalSpy saved(&saver, &RangeSaver::saved);
      QSignalSpy failed(&saver, &RangeSaver::failed);
      saver.save(empty.filePath("all.json"));
      QCOMPARE(jobs.jobs().size(), std::size_t{1});
      jobs.jobs().front()->cancel();
      QCOMPARE(saved.count() + failed.count(), 0);
    }  // waits for the worker
    QVERIFY(QDir(empty.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
  }

  void theCommandFollowsTheSelectionAndTheResultIsShown() {
    window::MainWindow window(window::Preferences(), {});
    window.resize(1200, 800);
    window.show();
    test::openSample(*window.document());
    const QAction* action = window.commands()->action("file.saveRange");
    QVERIFY(!action->isEnabled());
    const auto& a = window.document()->run(Side::A)->analysis;
    window.selection()->setRange(common::SelectedRange{Side::A, *analysis::stepRange(*a, 62)});
    QVERIFY(action->isEnabled());
    auto* saver = window.findChild<RangeSaver*>();
    saver->save(m_folder.filePath("window.json"));
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<common::NoticeCard*>() != nullptr, 20'000);
    const auto labels = window.findChild<common::NoticeCard*>()->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) { return label->text().contains("window.json"); }));
    if (qEnvironmentVariableIsSet("THREEWALLS_GRAB")) {
      QTest::qWait(50);
      window.grab().save(qEnvironmentVariable("THREEWALLS_GRAB"));
    }
    window.selection()->setRange(std::nullopt);
    QVERIFY(!action->isEnabled());
  }
};

QTEST_MAIN(RangeSaverTest)
#include "range_saver_test.moc"

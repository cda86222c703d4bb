#include "support/test_files.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Outcome {
  int exitCode = -1;
  QString output;
  QString errors;
};

/// Starts the built program without a display.
Outcome run(const QStringList& arguments) {
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
  program.setProcessEnvironment(environment);
  program.start(THREEWALLS_PROGRAM, arguments);
  if (!program.waitForFinished(120000)) {
    program.kill();
    return {};
  }
  return {program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -1,
          QString::fromUtf8(program.readAllStandardOutput()), QString::fromUtf8(program.readAllStandardError())};
}

}  // namespace

class WorkbenchTest : public QObject {
  Q_OBJECT

 private slots:
  void theSampleStudyIsRenderedWithoutADisplay() {
    const QTemporaryDir folder;
    const Outcome outcome = run({"--sample", "--grab", folder.path(), "--size", "1024x640"});
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.errors));
    const QStringList names = QDir(folder.path()).entryList(QDir::Files, QDir::Name);
    QCOMPARE(names, (QStringList{"profile_kernels_dark.png", "profile_kernels_light.png", "profile_overview_dark.png",
                                 "profile_overview_light.png", "profile_timeline_dark.png", "profile_timeline_light.png"}));
    for (const QString& name : names) QCOMPARE(QImage(folder.filePath(name)).size(), QSize(1024, 640));
  }

  void nothingOpenIsAPictureOfItsOwn() {
    const QTemporaryDir folder;
    QCOMPARE(run({"--grab", folder.path(), "--theme", "light"}).exitCode, 0);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"empty_light.png"});
  }

  void aFileThatCannotBeReadIsSaidSo() {
    const QTemporaryDir folder;
    QFile file(folder.filePath("broken.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no trace");
    file.close();
    const Outcome outcome = run({file.fileName(), "--grab", folder.filePath("out"), "--theme", "dark"});
    QCOMPARE(outcome.exitCode, 3);
    QVERIFY2(outcome.errors.contains("broken.json"), qPrintable(outcome.errors));
  }

  void aPictureOfTheTimelineIsWrittenByItsEnding() {
    const QTemporaryDir folder;
    for (const auto& [name, start] : {std::pair("t.png", QByteArray("\x89PNG")), std::pair("t.svg", QByteArray("<?xml")),
                                      std::pair("t.PDF", QByteArray("%PDF"))}) {
      const Outcome outcome = run({"--sample", "--picture", folder.filePath(name)});
      QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.errors));
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray bytes = file.readAll();
      QVERIFY(bytes.startsWith(start) && bytes.size() > 20'000);
    }
    QCOMPARE(run({"--picture", folder.filePath("empty.png")}).exitCode, 3);
    QCOMPARE(run({"--sample", "--picture", folder.filePath("t.gif")}).exitCode, 2);
    QCOMPARE(run({"--sample", "--picture", "/nowhere/t.png"}).exitCode, 3);
  }

  void theVersionIsPrinted() {
    const Outcome outcome = run({"--version", "--grab", "unused"});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.output.startsWith("threewalls 0."));
  }

  void wrongUsageIsRefused() {
    QCOMPARE(run({"--grab", "unused", "--size", "wide"}).exitCode, 2);
    QCOMPARE(run({"--grab", "unused", "--theme", "pink"}).exitCode, 2);
    QVERIFY(run({"--grab", "unused", "--no-such-option"}).exitCode != 0);
    QVERIFY(!QDir("unused").exists());
  }
};

QTEST_GUILESS_MAIN(WorkbenchTest)
#include "workbench_test.moc"

#include "timeline/picture.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"
#include "widgets/sample_document.h"
#include "window/main_window.h"
#include "window/picture_dialog.h"
#include "window/picture_saver.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace threewalls;
using common::Side;
using timeline::PictureFormat;
using timeline::PictureOptions;

namespace {

PictureOptions optionsOf(PictureFormat format, const char* theme, int scale = 1) {
  PictureOptions options;
  options.format = format;
  options.scale = scale;
  options.theme = *common::Theme::load(theme);
  return options;
}

/// All text of an SVG; empty when it is no well-formed XML.
QString svgText(const QByteArray& svg, int* rectangles = nullptr) {
  QXmlStreamReader reader(svg);
  QString all;
  while (!reader.atEnd()) {
    reader.readNext();
    if (reader.isCharacters()) all += reader.text();
    if (reader.isEndElement() && reader.name() == QLatin1String("text")) all += ' ';
    if (rectangles != nullptr && reader.isStartElement() &&
        (reader.name() == QLatin1String("rect") || reader.name() == QLatin1String("path"))) {
      ++*rectangles;
    }
  }
  return reader.hasError() ? QString() : all.simplified();
}

}  // namespace

class PictureTest : public QObject {
  Q_OBJECT
  std::unique_ptr<window::MainWindow> m_window;
  QTemporaryDir m_folder;

  timeline::TimelinePage& page() { return *m_window->profilePage()->timelinePage(); }
  timeline::TimelineView& view() { return *page().view(); }
  window::PictureSaver& saver() { return *m_window->findChild<window::PictureSaver*>(); }
  timeline::Picture painted(const PictureOptions& options) {
    return timeline::paintedPicture(view(), page().pictureWords(), options);
  }
  QString hash(Side side) { return QString::fromStdString(m_window->document()->run(side)->analysis->trace->info().contentHash); }

 private slots:
  void init() {
    m_window = std::make_unique<window::MainWindow>(window::Preferences(), QStringList());
    m_window->resize(1280, 860);
    m_window->setTheme("light");
    m_window->show();
    test::openSample(*m_window->document());
    QCoreApplication::processEvents();
  }
  void cleanup() { m_window.reset(); }

  void aPngHasTheSizeThatWasAskedFor() {
    const QSize size = timeline::pictureSize(view(), page().pictureWords());
    for (int scale = 1; scale <= 4; ++scale) {
      QCOMPARE(painted(optionsOf(PictureFormat::Png, "light", scale)).image.size(), size * scale);
    }
  }

  void rowsLookAsInTheWindow_data() {
    QTest::addColumn<QByteArray>("theme");
    QTest::newRow("light") << QByteArray("light");
    QTest::newRow("dark") << QByteArray("dark");
  }
  void rowsLookAsInTheWindow() {
    QFETCH(QByteArray, theme);
    m_window->setTheme(theme);
    m_window->selection()->setRange(
        common::SelectedRange{Side::A, m_window->document()->run(Side::A)->analysis->lanes[0].steps[0].interval});
    view().clearFocus();
    QTest::mouseMove(m_window.get(), {1, 1});
    const QImage shown = view().grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QImage picture = painted(optionsOf(PictureFormat::Png, theme)).image;
    // Find the view in the picture by its first row of lanes, then compare all of it.
    const QRect rows(
        view().lanesRect().topLeft(),
        QSize(view().lanesRect().width(), view().pictureSize().height() - (view().lanesRect().top() - view().rulerRect().top())));
    int best = -1;
    for (int y = 0; y + rows.height() <= picture.height() && best < 0; ++y) {
      bool same = true;
      for (int dy = 0; dy < rows.height() && same; ++dy) {
        same = std::equal(reinterpret_cast<const QRgb*>(shown.constScanLine(rows.top() + dy)) + rows.left(),
                          reinterpret_cast<const QRgb*>(shown.constScanLine(rows.top() + dy)) + rows.right() + 1,
                          reinterpret_cast<const QRgb*>(picture.constScanLine(y + dy)) + rows.left() + 14);
      }
      if (same) best = y;
    }
    QVERIFY(best > 0);
    QSet<QRgb> colours;
    for (int x = 0; x < rows.width(); ++x) colours.insert(shown.pixel(rows.left() + x, rows.top() + 80));
    QVERIFY(colours.size() > 8);  // it was no empty area
  }

  void paintingAPictureChangesNothingInTheWindow() {
    const QImage before = view().grab().toImage();
    const auto generation = page().state()->layoutGeneration();
    painted(optionsOf(PictureFormat::Pdf, "print"));
    painted(optionsOf(PictureFormat::Svg, "dark"));
    QCOMPARE(view().grab().toImage(), before);
    QCOMPARE(page().state()->layoutGeneration(), generation);
  }

  void theFooterSaysWhereThePictureComesFrom() {
    page().state()->setHidden({Side::A, m_window->document()->run(Side::A)->analysis->lanes[0].streams[0]}, true);
    m_window->selection()->setRange(
        common::SelectedRange{Side::B, {base::Nanoseconds(5255574867494290), base::Nanoseconds(5255574877494290)}});
    const auto svg = painted(optionsOf(PictureFormat::Svg, "print"));
    const QString text = svgText(svg.bytes);
    QVERIFY(!text.isEmpty());
    const base::Interval clock = page().state()->alignment().toClock(Side::A, page().state()->range());
    for (const QString& word :
         {hash(Side::A), hash(Side::B), QStringLiteral("loop.pt.trace.json.gz"), QStringLiteral("grouped.pt.trace.json.gz"),
          QString::number(clock.start.count()), QString::number(clock.end.count()), QStringLiteral("aligned by step start"),
          QStringLiteral("anes of A that are hidden: 1"), QStringLiteral("selected range of B"), QStringLiteral("Threewalls"),
          QStringLiteral("attention"), QStringLiteral("other collectives")}) {
      QVERIFY2(text.contains(word), qPrintable(word + " is not in: " + text.right(1500)));
    }
    const QImage png = painted(optionsOf(PictureFormat::Png, "light")).image;
    QVERIFY(png.text("Description").contains(hash(Side::B)));
  }

  void anSvgDrawsRowsAsShapesAndNamesAsText() {
    page().state()->fit(page().state()->alignment().rangeOf(3), 0.02);
    int shapes = 0;
    const auto picture = painted(optionsOf(PictureFormat::Svg, "print"));
    const QString text = svgText(picture.bytes, &shapes);
    QVERIFY(picture.shapes > 100 && picture.shapes <= timeline::kMostShapes);
    QVERIFY2(shapes >= static_cast<int>(picture.shapes), qPrintable(QString::number(shapes)));
    QVERIFY(text.contains("step 64") && text.contains("stream 7"));
    QVERIFY(!picture.bytes.contains("data:image"));
  }

  void rowsThatNeedTooManyShapesBecomeAnImageUnderText() {
    // The same call with a limit of one shape: an image takes over.
    QImage target(view().pictureSize(), QImage::Format_RGB32);
    QPainter painter(&target);
    QCOMPARE(view().paintPicture(painter, *common::Theme::load("print"), 3, 1), std::size_t{0});
    QVERIFY(view().paintPicture(painter, *common::Theme::load("print"), 3, timeline::kMostShapes) > 1);
  }

  void shapesShowWhatTheImageShows() {
    QImage image(view().pictureSize() * 4, QImage::Format_RGB32), shapes(view().pictureSize() * 4, QImage::Format_RGB32);
    for (QImage* into : {&image, &shapes}) {
      into->setDevicePixelRatio(4);
      QPainter painter(into);
      view().paintPicture(painter, *common::Theme::load("print"), 4, into == &image ? 0 : 1'000'000);
    }
    qint64 different = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) different += image.pixel(x, y) != shapes.pixel(x, y) ? 1 : 0;
    }
    const double share = static_cast<double>(different) / (static_cast<double>(image.width()) * image.height());
    QVERIFY2(share < 0.02, qPrintable(QString::number(share)));
  }

  void aPdfIsOnePageWithItsText() {
    const auto picture = painted(optionsOf(PictureFormat::Pdf, "print"));
    QVERIFY(picture.bytes.startsWith("%PDF"));
    QVERIFY(picture.bytes.size() > 20'000);
    QCOMPARE(picture.bytes.count("/Type /Page\n"), 1);
    QVERIFY2(picture.bytes.contains("/MediaBox [0 0 842.000000 595.000000"),
             picture.bytes.mid(picture.bytes.indexOf("/MediaBox"), 40).constData());
    const QString reader = QStandardPaths::findExecutable("gs");
    if (reader.isEmpty()) QSKIP("no program that reads PDF");
    const QString path = m_folder.filePath("p.pdf");
    QVERIFY(timeline::writePicture(picture, path).has_value());
    QProcess process;
    process.start(reader, {"-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=txtwrite", "-sOutputFile=-", path});
    QVERIFY(process.waitForFinished());
    const QString text = QString::fromUtf8(process.readAllStandardOutput()).simplified();
    QVERIFY2(text.contains(hash(Side::A)) && text.contains("expert GEMM"), qPrintable(text.right(1200)));
  }

  void picturesAreSavedOnAWorkerAndSaidToBe() {
    QSignalSpy saved(&saver(), &window::PictureSaver::saved);
    const QString path = m_folder.filePath("view.png");
    saver().save(path, optionsOf(PictureFormat::Png, "dark", 2));
    QVERIFY(saved.wait(20'000));
    QImage read(path);
    QCOMPARE(read.size(), saver().pictureSize() * 2);
    QVERIFY(read.text("Description").contains(hash(Side::A)));
    QVERIFY(saved[0][1].toString().contains(QString::number(read.width())));
    QSignalSpy failed(&saver(), &window::PictureSaver::failed);
    saver().save("/nowhere/view.svg", optionsOf(PictureFormat::Svg, "print"));
    QVERIFY(failed.wait(20'000));
  }

  void theClipboardGetsTheImage() {
    QVERIFY(m_window->commands()->run("file.copyPicture"));
    QCOMPARE(QApplication::clipboard()->image().size(), saver().pictureSize());
  }

  void theDialogOffersWhatTheFormatHas() {
    QVERIFY(m_window->commands()->run("file.savePicture"));
    auto* dialog = m_window->findChild<window::PictureDialog*>();
    QVERIFY(dialog != nullptr);
    const auto boxes = dialog->findChildren<QComboBox*>();
    QCOMPARE(boxes.size(), 4);
    QVERIFY(boxes[1]->isEnabled() && !boxes[2]->isEnabled());
    QCOMPARE(dialog->options().theme.id, QStringLiteral("light"));
    QVERIFY(boxes[1]->itemText(2).contains(QString::number(saver().pictureSize().width() * 3)));
    boxes[0]->setCurrentIndex(2);
    QVERIFY(!boxes[1]->isEnabled() && boxes[2]->isEnabled());
    QCOMPARE(dialog->options().theme.id, QStringLiteral("print"));
    boxes[2]->setCurrentIndex(1);
    QCOMPARE(dialog->options().paper, QPageSize::A3);
    QVERIFY(dialog->findChildren<QLabel*>().last()->height() >=
            dialog->findChildren<QLabel*>().last()->heightForWidth(dialog->findChildren<QLabel*>().last()->width()));
    dialog->close();
  }

  void withoutATraceThereIsNothingToSave() {
    m_window->document()->setRuns(std::nullopt, std::nullopt, nullptr, {});
    m_window->commands()->refresh();
    QVERIFY(!m_window->commands()->action("file.savePicture")->isEnabled());
    QVERIFY(!m_window->commands()->action("file.copyPicture")->isEnabled());
  }
};

QTEST_MAIN(PictureTest)
#include "picture_test.moc"

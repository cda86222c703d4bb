#include "window/grab.h"
#include "window/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QStandardPaths>
#include <QStyleFactory>

#include <cstdio>
#include <cstring>

namespace {

/// Of the command line contract (cli.md).
constexpr int kUsage = 2;
constexpr int kCannotRead = 3;

bool asksForPictures(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--grab", 6) == 0 || std::strncmp(argv[i], "--picture", 9) == 0) return true;
  }
  return false;
}

/// The two traces of the sample study; none when they were not installed.
QStringList sampleFiles() {
  const QDir program(QCoreApplication::applicationDirPath());
  for (const QString& folder :
       {program.filePath(QStringLiteral("../") + THREEWALLS_INSTALLED_SAMPLES), QStringLiteral(THREEWALLS_SAMPLES)}) {
    const QStringList files = {QDir(folder).filePath("loop.pt.trace.json.gz"), QDir(folder).filePath("grouped.pt.trace.json.gz")};
    if (QFileInfo::exists(files[0]) && QFileInfo::exists(files[1])) return {QDir::cleanPath(files[0]), QDir::cleanPath(files[1])};
  }
  return {};
}

std::optional<QSize> parseSize(const QString& text) {
  const QStringList parts = text.split('x');
  if (parts.size() != 2) return std::nullopt;
  const QSize size(parts[0].toInt(), parts[1].toInt());
  if (size.width() < 320 || size.height() < 240 || size.width() > 16384 || size.height() > 16384) return std::nullopt;
  return size;
}

int usage(const char* message) {
  std::fprintf(stderr, "threewalls: %s\nTry threewalls --help.\n", message);
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  const bool pictures = asksForPictures(argc, argv);
  const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
  if (pictures && !display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QApplication::setOrganizationName("threewalls");
  QApplication::setApplicationName("threewalls");
  QApplication::setApplicationVersion(THREEWALLS_VERSION);
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  if (QGuiApplication::platformName() == "offscreen") {
    // No desktop that would name a font or a size.
    QFont font = QApplication::font();
    if (QFontDatabase::hasFamily("Inter")) font.setFamily("Inter");
    font.setPointSizeF(10);
    QApplication::setFont(font);
  }

  QCommandLineParser parser;
  parser.setApplicationDescription("Two GPU traces side by side, and what limits them.");
  parser.addPositionalArgument("FILES", "One or two traces: A and B.", "[FILES...]");
  const QCommandLineOption sample("sample", "Open the sample study.");
  const QCommandLineOption grab("grab", "Render every view of what is open to PNG files in DIR, and exit.", "DIR");
  const QCommandLineOption picture(
      "picture", "Write a picture of the timeline, with legend and provenance, to FILE (.png, .svg or .pdf), and exit.", "FILE");
  const QCommandLineOption size("size", "Size of the window, such as 1680x1050.", "WxH");
  const QCommandLineOption theme("theme", "dark or light; with --grab both when it is not given; with --picture also print.",
                                 "NAME");
  parser.addOptions({sample, grab, picture, size, theme});
  parser.addHelpOption();
  parser.addVersionOption();
  parser.process(application);

  const bool onPaper = parser.isSet(picture) && parser.value(theme) == "print";
  if (parser.isSet(theme) && parser.value(theme) != "dark" && parser.value(theme) != "light" && !onPaper)
    return usage("--theme takes dark or light, with --picture also print");
  const QStringList endings = {"png", "svg", "pdf"};
  if (parser.isSet(picture) && !endings.contains(QFileInfo(parser.value(picture)).suffix().toLower()))
    return usage("--picture takes a file that ends in .png, .svg or .pdf");
  if (parser.isSet(picture) && parser.isSet(grab)) return usage("--picture and --grab cannot be combined");
  if (parser.isSet(size) && !parseSize(parser.value(size))) return usage("--size takes WIDTHxHEIGHT, such as 1680x1050");
  const QStringList samples = sampleFiles();
  if (parser.isSet(sample) && samples.isEmpty()) {
    std::fprintf(stderr, "threewalls: the sample study is not installed.\n");
    return kCannotRead;
  }

  using threewalls::window::MainWindow;
  using threewalls::window::Preferences;
  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
  MainWindow window(pictures ? Preferences() : Preferences(std::make_unique<QSettings>(), data), samples);
  if (parser.isSet(size))
    window.resize(*parseSize(parser.value(size)));
  else if (pictures)
    window.resize(1680, 1050);
  if (parser.isSet(theme) && !onPaper) window.setTheme(parser.value(theme));
  bool failed = false;
  QObject::connect(&window, &MainWindow::failed, [&failed](const threewalls::base::Error& error) {
    failed = true;
    std::fprintf(stderr, "threewalls: %s\n", error.text().c_str());
  });
  window.show();
  if (parser.isSet(sample)) window.openSample();
  window.openFiles(parser.positionalArguments());
  if (parser.isSet(picture)) {
    const auto written = threewalls::window::writeTimelinePicture(window, parser.value(picture), parser.value(theme));
    if (!written) std::fprintf(stderr, "threewalls: %s\n", written.error().text().c_str());
    return written && !failed ? 0 : kCannotRead;
  }
  if (!parser.isSet(grab)) return QApplication::exec();

  const QStringList themes = parser.isSet(theme) ? QStringList{parser.value(theme)} : QStringList{"dark", "light"};
  const auto written = threewalls::window::grabViews(window, parser.value(grab), themes);
  if (!written) {
    std::fprintf(stderr, "threewalls: %s\n", written.error().text().c_str());
    return kCannotRead;
  }
  for (const QString& path : *written) std::printf("%s\n", qPrintable(path));
  return failed ? kCannotRead : 0;
}

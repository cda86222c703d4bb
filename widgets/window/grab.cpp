#include "window/grab.h"

#include "timeline/picture.h"
#include "timeline/timeline_page.h"
#include "window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QThread>

namespace threewalls::window {
namespace {

/// Views prepare some of their content after they are first shown.
constexpr int kSettleMilliseconds = 250;

void settle(MainWindow& window) {
  QElapsedTimer quiet;
  quiet.start();
  while (quiet.elapsed() < kSettleMilliseconds) {
    QApplication::processEvents(QEventLoop::AllEvents, 20);
    if (!window.settled() || !window.jobs()->jobs().empty()) quiet.restart();
    QThread::msleep(2);
  }
}

}  // namespace

base::Result<QStringList> grabViews(MainWindow& window, const QString& directory, const QStringList& themes) {
  base::Error error;
  error.code = base::ErrorCode::CannotRead;
  error.file = directory.toStdString();
  if (!QDir().mkpath(directory)) {
    error.message = "The folder for the pictures cannot be made.";
    return base::fail(error);
  }
  settle(window);
  QStringList written;
  const auto save = [&](const QString& name) {
    const QString path = QDir(directory).filePath(name + QStringLiteral(".png"));
    if (!window.grab().save(path, "PNG")) return false;
    written << path;
    return true;
  };
  error.message = "A picture cannot be written.";
  const bool any = window.document()->run(common::Side::A) || window.document()->run(common::Side::B);
  for (const QString& theme : themes) {
    window.setTheme(theme);
    if (!any) {
      settle(window);
      if (!save(QStringLiteral("empty_") + theme)) return base::fail(error);
      continue;
    }
    for (int view = 0; view < profile::ProfilePage::viewIds().size(); ++view) {
      window.profilePage()->setView(static_cast<profile::ProfilePage::View>(view));
      settle(window);
      if (!save(QStringLiteral("profile_") + profile::ProfilePage::viewIds()[view] + QLatin1Char('_') + theme))
        return base::fail(error);
    }
  }
  return written;
}

base::Result<void> writeTimelinePicture(MainWindow& window, const QString& file, const QString& theme) {
  using timeline::PictureFormat;
  timeline::PictureOptions options;
  if (file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) options.format = PictureFormat::Svg;
  if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) options.format = PictureFormat::Pdf;
  const QString usual = options.format == PictureFormat::Png ? QStringLiteral("light") : QStringLiteral("print");
  const auto loaded = common::Theme::load(theme.isEmpty() ? usual : theme);
  if (!loaded) return base::fail(loaded.error());
  options.theme = *loaded;
  settle(window);
  if (!window.document()->run(common::Side::A) && !window.document()->run(common::Side::B)) {
    return base::fail({base::ErrorCode::InvalidArgument, "No trace is open, so there is no timeline to draw."});
  }
  window.profilePage()->setView(profile::ProfilePage::Timeline);
  settle(window);
  timeline::TimelinePage& page = *window.profilePage()->timelinePage();
  const auto written = writePicture(paintedPicture(*page.view(), page.pictureWords(), options), file);
  if (!written) return base::fail(written.error());
  return {};
}

}  // namespace threewalls::window

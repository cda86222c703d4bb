#include "window/picture_saver.h"

#include "base/format.h"
#include "common/text.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace threewalls::window {
namespace {

using timeline::Picture;
using timeline::PictureFormat;
using timeline::PictureOptions;

QString contents(const Picture& picture) {
  if (!picture.image.isNull()) return PictureSaver::tr("%1 × %2 pixels").arg(picture.image.width()).arg(picture.image.height());
  return picture.shapes > 0
             ? PictureSaver::tr("drawn with %1 rectangles").arg(QString::fromStdString(base::formatCount(picture.shapes)))
             : PictureSaver::tr("rows as an image of 300 dpi, because they need more than %1 rectangles; text stays text")
                   .arg(QString::fromStdString(base::formatCount(timeline::kMostShapes)));
}

}  // namespace

PictureSaver::PictureSaver(const common::Document* document, timeline::TimelinePage* page, common::JobService* jobs,
                           QObject* parent)
    : QObject(parent), m_document(document), m_page(page), m_jobs(jobs) {}

bool PictureSaver::possible() const {
  return m_document->run(common::Side::A) || m_document->run(common::Side::B);
}

QSize PictureSaver::pictureSize() const {
  return timeline::pictureSize(*m_page->view(), m_page->pictureWords());
}

QString PictureSaver::suggestedPath(PictureFormat format) const {
  const auto& run = m_document->run(common::Side::A) ? m_document->run(common::Side::A) : m_document->run(common::Side::B);
  if (!run) return {};
  QString name = run->name;
  if (m_document->run(common::Side::A) && m_document->run(common::Side::B)) name += "_" + m_document->run(common::Side::B)->name;
  const QDir folder = QFileInfo(QString::fromStdString(run->analysis->trace->info().file)).absoluteDir();
  const QStringList endings = {QStringLiteral(".png"), QStringLiteral(".svg"), QStringLiteral(".pdf")};
  return folder.filePath(name + QStringLiteral("_timeline") + endings[static_cast<qsizetype>(format)]);
}

void PictureSaver::save(const QString& path, const PictureOptions& options) {
  if (path.isEmpty() || !possible()) return;
  auto picture = std::make_shared<const Picture>(timeline::paintedPicture(*m_page->view(), m_page->pictureWords(), options));
  m_jobs->submit<qint64>(
      tr("Saving a picture"), [picture, path](const base::Progress&) { return timeline::writePicture(*picture, path); },
      [self = QPointer<PictureSaver>(this), picture, path](base::Result<qint64> bytes) {
        if (self == nullptr) return;
        if (bytes) {
          emit self->saved(tr("Saved %1").arg(common::toText(path.toStdString())),
                           QString::fromStdString(base::formatBytes(static_cast<std::uint64_t>(*bytes))) + QStringLiteral(" · ") +
                               contents(*picture));
        } else if (bytes.error().code != base::ErrorCode::Cancelled) {
          emit self->failed(bytes.error());
        }
      });
}

void PictureSaver::copy() {
  if (!possible()) return;
  PictureOptions options;
  options.theme = m_theme;
  options.scale = std::clamp(static_cast<int>(std::ceil(m_page->view()->devicePixelRatioF())), 1, 4);
  QApplication::clipboard()->setImage(timeline::paintedPicture(*m_page->view(), m_page->pictureWords(), options).image);
}

}  // namespace threewalls::window

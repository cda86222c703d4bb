#pragma once

#include "common/document.h"
#include "common/job_service.h"
#include "timeline/picture.h"

namespace threewalls::timeline {
class TimelinePage;
}

namespace threewalls::window {

/// Pictures of the timeline, to files and to the clipboard: painted at once, as things stand, and encoded on a worker.
class PictureSaver : public QObject {
  Q_OBJECT
 public:
  PictureSaver(const common::Document* document, timeline::TimelinePage* page, common::JobService* jobs, QObject* parent);

  /// A trace is open.
  bool possible() const;
  /// The colours that the window has now.
  void setTheme(const common::Theme& theme) { m_theme = theme; }
  const common::Theme& theme() const { return m_theme; }
  /// Of a picture, without its scale.
  QSize pictureSize() const;
  /// Beside the trace, with the ending of the format.
  QString suggestedPath(timeline::PictureFormat format) const;

  void save(const QString& path, const timeline::PictureOptions& options);
  void copy();

 signals:
  /// Words for people: the file, and what it holds.
  void saved(const QString& what, const QString& details);
  void failed(const threewalls::base::Error& error);

 private:
  const common::Document* m_document;
  timeline::TimelinePage* m_page;
  common::JobService* m_jobs;
  common::Theme m_theme;
};

}  // namespace threewalls::window

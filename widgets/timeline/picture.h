#pragma once

#include "base/result.h"
#include "common/theme.h"

#include <QByteArray>
#include <QImage>
#include <QPageSize>
#include <QString>
#include <QStringList>

namespace threewalls::timeline {

class TimelineView;

enum class PictureFormat { Png, Svg, Pdf };

struct PictureOptions {
  PictureFormat format = PictureFormat::Png;
  int scale = 2;                                ///< PNG: pixels a pixel of the screen, 1 to 4
  QPageSize::PageSizeId paper = QPageSize::A4;  ///< PDF, landscape
  common::Theme theme;
};

/// What stands around the view in a picture.
struct PictureWords {
  QString title;
  QString subtitle;
  QStringList footer;  ///< pictureText()
};

/// A picture of the timeline, ready to be written: an image for PNG, else the file's bytes.
struct Picture {
  QImage image;
  QByteArray bytes;
  std::size_t shapes = 0;  ///< rectangles that the rows were drawn with; 0 where they are an image
};

/// SVG and PDF draw rows with at most so many rectangles, beyond that as an image of 300 dpi under the text.
constexpr std::size_t kMostShapes = 50'000;

/// In device-independent pixels: title and legend, the view, and the footer below it.
QSize pictureSize(const TimelineView& view, const PictureWords& words);
/// Paints what the view shows now. Needs the GUI thread.
Picture paintedPicture(TimelineView& view, const PictureWords& words, const PictureOptions& options);
/// Writes a picture whole or not at all and gives its size in bytes; on any thread.
base::Result<qint64> writePicture(const Picture& picture, const QString& path);

}  // namespace threewalls::timeline

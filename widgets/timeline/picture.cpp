#include "timeline/picture.h"

#include "timeline/class_legend.h"
#include "timeline/timeline_view.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace threewalls::timeline {
namespace {

constexpr int kMargin = 14;
constexpr int kGap = 10;
constexpr double kPaperMargin = 10;  ///< mm
constexpr double kRowDpi = 300;

/// Where the parts of a picture stand.
struct Parts {
  QRect title, legend, view, footer;
  QFont small;
  QSize size;
};

Parts partsOf(const TimelineView& view, const PictureWords& words) {
  Parts parts;
  const QFont font = view.font();
  parts.small = font;
  parts.small.setPointSizeF(std::max(QFontInfo(font).pointSizeF() - 1.5, 6.0));
  // Any spacing turns ligatures off: with them "ff" in a hash would be one letter to who copies it from a PDF.
  parts.small.setLetterSpacing(QFont::AbsoluteSpacing, 0.05);
  const QFontMetrics metrics(font);
  QFont bold = font;
  bold.setBold(true);
  const int width = view.pictureSize().width();
  const int words1 = QFontMetrics(bold).horizontalAdvance(words.title) + 10 + metrics.horizontalAdvance(words.subtitle);
  const int legend = legendWidth(metrics);
  const int line = metrics.height() + 4;
  parts.title = QRect(kMargin, kMargin, width, line);
  const bool oneLine = words1 + 2 * kGap + legend <= width;
  parts.legend = QRect(kMargin, oneLine ? kMargin : kMargin + line, width, legend <= width ? line : 2 * line);
  parts.view = QRect(QPoint(kMargin, parts.legend.bottom() + 1 + kGap), view.pictureSize());
  const QRect room(0, 0, width, 10'000);
  const QRect text = QFontMetrics(parts.small).boundingRect(room, Qt::TextWordWrap, words.footer.join(QLatin1Char('\n')));
  parts.footer = QRect(kMargin, parts.view.bottom() + 1 + kGap, width, text.height() + 6);
  parts.size = QSize(width + 2 * kMargin, parts.footer.bottom() + 1 + kMargin);
  return parts;
}

std::size_t paint(QPainter& painter, TimelineView& view, const PictureWords& words, const common::Theme& theme, double ratio,
                  std::size_t shapes) {
  const Parts parts = partsOf(view, words);
  painter.fillRect(QRect(QPoint(), parts.size), theme.window);
  painter.save();
  painter.translate(parts.view.topLeft());
  const std::size_t drawn = view.paintPicture(painter, theme, ratio, shapes);
  painter.restore();
  // Over what a format without clipping lets stick out of the view.
  painter.fillRect(QRect(0, 0, parts.size.width(), parts.view.top()), theme.window);
  painter.fillRect(QRect(0, parts.view.bottom() + 1, parts.size.width(), parts.size.height()), theme.window);

  QFont bold = view.font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(theme.text);
  painter.drawText(parts.title, Qt::AlignVCenter | Qt::TextSingleLine, words.title);
  const int behind = QFontMetrics(bold).horizontalAdvance(words.title) + 10;
  painter.setFont(view.font());
  painter.setPen(theme.mutedText);
  const QRect subtitle = parts.title.adjusted(behind, 0, 0, 0);
  painter.drawText(subtitle, Qt::AlignVCenter | Qt::TextSingleLine,
                   QFontMetrics(view.font()).elidedText(words.subtitle, Qt::ElideRight, subtitle.width()));
  paintLegend(painter, parts.legend, theme);

  painter.setPen(QPen(theme.border, 1));
  painter.drawLine(QPointF(parts.footer.left(), parts.footer.top() + 0.5),
                   QPointF(parts.footer.right() + 1, parts.footer.top() + 0.5));
  painter.setFont(parts.small);
  painter.setPen(theme.mutedText);
  painter.drawText(parts.footer.adjusted(0, 6, 0, 0), Qt::TextWordWrap, words.footer.join(QLatin1Char('\n')));
  return drawn;
}

Picture asPng(TimelineView& view, const PictureWords& words, const PictureOptions& options) {
  Picture picture;
  picture.image = QImage(partsOf(view, words).size * options.scale, QImage::Format_RGB32);
  picture.image.setDevicePixelRatio(options.scale);
  QPainter painter(&picture.image);
  paint(painter, view, words, options.theme, options.scale, 0);
  painter.end();
  picture.image.setDevicePixelRatio(1);
  picture.image.setText(QStringLiteral("Title"), words.title);
  picture.image.setText(QStringLiteral("Description"), words.footer.join(QLatin1Char('\n')));
  return picture;
}

Picture asSvg(TimelineView& view, const PictureWords& words, const PictureOptions& options) {
  Picture picture;
  const QSize size = partsOf(view, words).size;
  QBuffer buffer(&picture.bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(view.logicalDpiY());
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(), size));
  generator.setTitle(words.title);
  generator.setDescription(words.footer.join(QLatin1Char('\n')));
  QPainter painter(&generator);
  picture.shapes = paint(painter, view, words, options.theme, 3, kMostShapes);
  return picture;
}

Picture asPdf(TimelineView& view, const PictureWords& words, const PictureOptions& options) {
  Picture picture;
  const QSize size = partsOf(view, words).size;
  QBuffer buffer(&picture.bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(words.title);
  writer.setCreator(QStringLiteral("Threewalls ") + QCoreApplication::applicationVersion());
  // As the screen, so that fonts with sizes in points come out as the layout has them.
  writer.setResolution(view.logicalDpiY());
  writer.setPageLayout(QPageLayout(QPageSize(options.paper), QPageLayout::Landscape,
                                   QMarginsF(kPaperMargin, kPaperMargin, kPaperMargin, kPaperMargin), QPageLayout::Millimeter));
  QPainter painter(&writer);
  const QSizeF paper(writer.width(), writer.height());
  const double factor = std::min(paper.width() / size.width(), paper.height() / size.height());
  painter.translate((paper.width() - size.width() * factor) / 2, 0);
  painter.scale(factor, factor);
  picture.shapes = paint(painter, view, words, options.theme, kRowDpi / (view.logicalDpiY() * factor), kMostShapes);
  painter.end();
  return picture;
}

}  // namespace

QSize pictureSize(const TimelineView& view, const PictureWords& words) {
  return partsOf(view, words).size;
}

Picture paintedPicture(TimelineView& view, const PictureWords& words, const PictureOptions& options) {
  switch (options.format) {
    case PictureFormat::Png: return asPng(view, words, options);
    case PictureFormat::Svg: return asSvg(view, words, options);
    case PictureFormat::Pdf: return asPdf(view, words, options);
  }
  return {};
}

base::Result<qint64> writePicture(const Picture& picture, const QString& path) {
  QSaveFile file(path);
  const bool written =
      file.open(QIODevice::WriteOnly) &&
      (picture.image.isNull() ? file.write(picture.bytes) == picture.bytes.size() : picture.image.save(&file, "PNG"));
  const qint64 size = written ? file.size() : 0;
  if (written && file.commit()) return size;
  base::Error error{base::ErrorCode::CannotWrite, "The picture cannot be written: " + file.errorString().toStdString() + ".",
                    path.toStdString()};
  error.hint = "Choose a folder that you may write to, on a disk with room.";
  return base::fail(std::move(error));
}

}  // namespace threewalls::timeline

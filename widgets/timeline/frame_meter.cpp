#include "timeline/frame_meter.h"

#include "base/format.h"

#include <QObject>

#include <algorithm>

namespace threewalls::timeline {
namespace {

constexpr int kMargin = 8;

QString count(std::uint64_t value) {
  return QString::fromStdString(base::formatCount(value));
}

QString milliseconds(double value) {
  return QObject::tr("%1 ms").arg(value, 0, 'f', 2);
}

}  // namespace

void FrameMeter::add(double milliseconds, const FrameWork& work) {
  m_last = m_times[m_next] = milliseconds;
  m_next = (m_next + 1) % kFrames;
  m_count = std::min(m_count + 1, kFrames);
  m_work = work;
}

double FrameMeter::percentile95() const {
  if (m_count == 0) return 0;
  auto times = m_times;
  const std::size_t place = (m_count * 95 + 99) / 100 - 1;
  std::nth_element(times.begin(), times.begin() + place, times.begin() + m_count);
  return times[place];
}

double FrameMeter::worst() const {
  return m_count == 0 ? 0 : *std::max_element(m_times.begin(), m_times.begin() + m_count);
}

void FrameMeter::paint(QPainter& painter, const QRect& area, const common::Theme& theme) const {
  const QStringList lines{
      QObject::tr("frame %1 · 95 % %2 · worst %3 of %4")
          .arg(milliseconds(m_last), milliseconds(percentile95()), milliseconds(worst()), count(m_count)),
      QObject::tr("columns painted %1, reused %2").arg(count(m_work.painted), count(m_work.reused)),
      QObject::tr("events visited one by one %1").arg(count(m_work.rectangles)),
  };
  const QFontMetrics metrics(painter.font());
  int width = 0;
  for (const QString& line : lines) width = std::max(width, metrics.horizontalAdvance(line));
  const int height = metrics.height() * static_cast<int>(lines.size());
  const QRect box(area.right() - width - 3 * kMargin, area.top() + kMargin, width + 2 * kMargin, height + 2 * kMargin);
  painter.fillRect(box, theme.window);
  painter.setPen(theme.mutedText);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box);
  painter.setPen(theme.text);
  painter.drawText(box.adjusted(kMargin, kMargin, 0, 0), Qt::AlignLeft | Qt::AlignTop, lines.join(QLatin1Char('\n')));
}

}  // namespace threewalls::timeline

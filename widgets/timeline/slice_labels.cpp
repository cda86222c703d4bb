#include "timeline/slice_labels.h"

#include "base/format.h"
#include "common/text.h"

#include <array>

namespace threewalls::timeline {
namespace {

constexpr std::array<std::size_t, 18> kLengths = {3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64, 96};
constexpr qsizetype kMostTexts = 8192;

}  // namespace

void SliceLabels::setFont(const QFont& font) {
  if (font == m_font && !m_texts.isEmpty()) return;
  m_font = font;
  const QFontMetricsF metrics(font);
  m_letterWidth = metrics.averageCharWidth();
  m_height = metrics.height();
  m_texts.clear();
}

const SliceLabels::Prepared& SliceLabels::prepared(std::uint64_t key, std::string_view name, std::size_t letters) {
  const std::pair<std::uint64_t, std::size_t> id{key, letters};
  if (const auto found = m_texts.constFind(id); found != m_texts.constEnd()) return *found;
  if (m_texts.size() >= kMostTexts) m_texts.clear();
  Prepared made;
  // Control characters and line breaks of a hostile name must not move the text out of its slice.
  const std::string text = base::shortKernelName(name, letters);
  made.text = QStaticText(common::toText(text));
  made.text.setTextFormat(Qt::PlainText);
  made.text.setPerformanceHint(QStaticText::AggressiveCaching);
  made.text.prepare({}, m_font);
  made.width = made.text.size().width();
  return *m_texts.insert(id, std::move(made));
}

void SliceLabels::draw(QPainter& painter, double x, double middle, double width, std::uint64_t key, std::string_view name) {
  auto step = kLengths.size();
  while (step > 0 && static_cast<double>(kLengths[step - 1]) * m_letterWidth * 0.8 > width) --step;
  // The average letter only guesses: take the longest cut that really fits.
  for (; step > 0; --step) {
    const Prepared& label = prepared(key, name, kLengths[step - 1]);
    if (label.width > width) continue;
    painter.drawStaticText(QPointF(x, middle - m_height / 2), label.text);
    return;
  }
}

}  // namespace threewalls::timeline

#include "timeline/slice_labels.h"

#include "base/format.h"
#include "common/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace threewalls::timeline {
namespace {

/// Shorter cuts are not words any more; base does not make them either.
constexpr std::size_t kShortest = 5;
constexpr std::array<std::size_t, 16> kLengths = {kShortest, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64, 96};
constexpr qsizetype kMostTexts = 8192;

/// At most `letters` of a name. Where a whole signature does not fit, the first thing that a template is made for says more than
/// the middle of it: "CUDAFunctor_add" of "vectorized_elementwise_kernel<CUDAFunctor_add<BFloat16>>".
std::string cut(std::string_view name, std::size_t letters) {
  const std::string whole = base::shortKernelName(name, kLengths.back());
  if (whole.size() <= letters) return whole;
  const std::size_t open = whole.find('<');
  const std::size_t end = open == std::string::npos ? open : whole.find_first_of("<,>", open + 1);
  const std::string_view first =
      end == std::string::npos ? std::string_view{} : std::string_view(whole).substr(open + 1, end - open - 1);
  // A number type says less than the template's own name.
  constexpr std::array<std::string_view, 6> kTypes = {"BFloat16", "Half", "double", "float", "half", "long"};
  const bool inside = first.size() > 3 && std::find(kTypes.begin(), kTypes.end(), first) == kTypes.end();
  return base::shortKernelName(inside ? first : std::string_view(whole).substr(0, open), std::max(letters, kShortest));
}

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
  const std::string text = cut(name, letters);
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

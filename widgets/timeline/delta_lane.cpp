#include "timeline/delta_lane.h"

#include "common/text.h"
#include "timeline/difference_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace threewalls::timeline {
namespace {

using analysis::LedgerPart;
using common::Side;

constexpr double kSideMargin = 6;
/// Steps narrower than this get no bar.
constexpr double kNarrowest = 16;

QString tr(const char* text) {
  return QCoreApplication::translate("DeltaLane", text);
}

base::Nanoseconds sumOf(const StepDelta& delta, int sign) {
  base::Nanoseconds sum{0};
  for (const base::Nanoseconds part : delta.parts) {
    if (part.count() * sign > 0) sum += part * sign;
  }
  return sum;
}

QString totalText(const StepDelta& delta, Side reference) {
  return differenceText(reference == Side::A ? base::Nanoseconds(0) : delta.total,
                        reference == Side::A ? delta.total : base::Nanoseconds(0), reference);
}

}  // namespace

std::vector<StepDelta> stepDeltas(const Alignment& alignment, Side reference) {
  std::vector<StepDelta> out;
  for (std::size_t i = 0; i < alignment.steps().size(); ++i) {
    const analysis::Step* from = alignment.step(reference, i);
    const analysis::Step* to = alignment.step(otherSide(reference), i);
    if (from == nullptr || to == nullptr) continue;
    StepDelta delta{i};
    for (const LedgerPart part : analysis::kLedgerParts) {
      const base::Nanoseconds change = analysis::part(to->ledger, part) - analysis::part(from->ledger, part);
      delta.parts[static_cast<std::size_t>(part)] = change;
      delta.total += change;
    }
    out.push_back(delta);
  }
  return out;
}

QString deltaText(const StepDelta& delta, const Alignment& alignment, Side reference) {
  QStringList lines{tr("step %1: %2").arg(alignment.steps()[delta.pair].label, totalText(delta, reference))};
  std::vector<LedgerPart> order(analysis::kLedgerParts.begin(), analysis::kLedgerParts.end());
  const auto size = [&](LedgerPart part) { return std::abs(delta.parts[static_cast<std::size_t>(part)].count()); };
  std::stable_sort(order.begin(), order.end(), [&](LedgerPart a, LedgerPart b) { return size(a) > size(b); });
  for (const LedgerPart part : order) {
    const base::Nanoseconds change = delta.parts[static_cast<std::size_t>(part)];
    if (change.count() == 0) continue;
    const QString name = common::toText(analysis::label(part));
    lines << (change.count() > 0 ? tr("%1 more in %2") : tr("%1 less in %2"))
                 .arg(common::duration(base::Nanoseconds(std::abs(change.count()))), name);
  }
  return lines.join(QLatin1Char('\n'));
}

DeltaLane::DeltaLane(const ViewState& state, const TimeAxis& axis, QSizeF size, int textHeight)
    : m_state(state), m_size(size), m_textHeight(textHeight) {
  const Alignment& alignment = state.alignment();
  base::Nanoseconds longest{0};
  double room = size.width();
  for (StepDelta& delta : stepDeltas(alignment, state.reference())) {
    // The steps of the reference lie side by side; those of the other side may have drifted over its neighbours.
    const TimeRange range = alignment.toAligned(state.reference(), alignment.step(state.reference(), delta.pair)->interval);
    const double left = std::max(axis.toPixel(range.start), 0.0);
    const double right = std::min(axis.toPixel(range.end), size.width());
    if (right - left < kNarrowest) continue;
    // One scale for all, so that the steps can be compared: the longest side of a bar fits the narrowest step,
    // or the view where a step is wider than that. Bars of a step that is partly out of view are cut at its edges.
    longest = std::max({longest, sumOf(delta, 1), sumOf(delta, -1)});
    const double whole = std::min(axis.toPixel(range.end) - axis.toPixel(range.start), size.width());
    room = std::min(room, whole / 2 - kSideMargin);
    m_shown.push_back({std::move(delta), left, right});
  }
  if (longest.count() == 0) return;
  const double scale = room / static_cast<double>(longest.count());
  const double top = textHeight + 2;
  for (const Shown& shown : m_shown) {
    const double middle = (shown.left + shown.right) / 2;
    double slower = middle, faster = middle;
    for (const LedgerPart part : analysis::kLedgerParts) {
      const base::Nanoseconds change = shown.delta.parts[static_cast<std::size_t>(part)];
      const double width = std::abs(static_cast<double>(change.count())) * scale;
      if (width <= 0) continue;
      if (change.count() < 0) faster -= width;
      const QRectF rect(change.count() > 0 ? slower : faster, top, width, size.height() - top - 2);
      const QRectF visible = rect & QRectF(shown.left, 0, shown.right - shown.left, size.height());
      if (!visible.isEmpty()) m_bars.push_back({shown.delta.pair, part, change, visible});
      if (change.count() > 0) slower += width;
    }
  }
}

std::optional<StepDelta> DeltaLane::at(double x) const {
  for (const Shown& shown : m_shown) {
    if (x >= shown.left && x < shown.right) return shown.delta;
  }
  return std::nullopt;
}

void DeltaLane::paint(QPainter& painter, QPointF corner, const common::Theme& theme) const {
  const QFontMetrics metrics(painter.font());
  painter.save();
  painter.setClipRect(QRectF(corner, m_size), Qt::IntersectClip);
  painter.fillRect(QRectF(corner, m_size), theme.window);
  painter.translate(corner);
  for (const Shown& shown : m_shown) {
    const double middle = (shown.left + shown.right) / 2;
    const double room = shown.right - shown.left - 2 * kSideMargin;
    const QString words = totalText(shown.delta, m_state.reference());
    if (metrics.horizontalAdvance(words) <= room) {
      painter.setPen(theme.text);
      painter.drawText(QRectF(shown.left, 0, shown.right - shown.left, m_textHeight),
                       Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextSingleLine, words);
    }
    for (const DeltaBar& bar : m_bars) {
      if (bar.pair != shown.delta.pair) continue;
      painter.fillRect(bar.rect, theme.of(bar.part));
      const QString name = common::toText(analysis::label(bar.part));
      if (metrics.height() > bar.rect.height() + 2 || metrics.horizontalAdvance(name) + 8 > bar.rect.width()) continue;
      painter.setPen(common::readableTextOn(theme.of(bar.part)));
      painter.drawText(bar.rect, Qt::AlignCenter | Qt::TextSingleLine, name);
    }
    painter.setPen(QPen(theme.text, 1));
    painter.drawLine(QPointF(middle, m_textHeight), QPointF(middle, m_size.height()));
  }
  painter.restore();
}

}  // namespace threewalls::timeline

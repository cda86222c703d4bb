#include "timeline/picture_text.h"

#include "common/badge.h"
#include "common/text.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <cmath>

namespace threewalls::timeline {
namespace {

using common::Side;

QString tr(const char* text) {
  return QCoreApplication::translate("threewalls::timeline::pictureText", text);
}

QString traceLine(const trace::TraceInfo& info, Side side) {
  const QString name = common::toText(std::string(info.file).substr(info.file.rfind('/') + 1));
  return tr("%1: %2 · content hash %3").arg(common::letter(side), name, common::toText(info.contentHash));
}

QString aligned(double time) {
  return common::signedDuration(base::Nanoseconds(std::llround(time)));
}

}  // namespace

QStringList pictureText(const common::Document& document, const ViewState& state, const EventSearch& search,
                        const common::Selection& selection, const QString& alignment, int rowsOutside) {
  QStringList lines;
  QStringList clocks;
  QStringList filters;
  for (const Side side : common::kSides) {
    const auto& run = document.run(side);
    if (!run || !run->analysis) continue;
    lines << traceLine(run->analysis->trace->info(), side);
    const base::Interval clock = state.alignment().toClock(side, state.range());
    clocks << tr("%1's clock %2 to %3 ns").arg(common::letter(side)).arg(clock.start.count()).arg(clock.end.count());
    if (const std::size_t hidden = state.hiddenCount(side); hidden > 0) {
      filters << tr("lanes of %1 that are hidden: %2").arg(common::letter(side)).arg(hidden);
    }
  }
  lines << tr("Shown: %1 to %2 of aligned time (%3)")
               .arg(aligned(state.range().start), aligned(state.range().end), clocks.join(QStringLiteral("; ")));
  if (!alignment.isEmpty()) lines.last() += QStringLiteral(" · ") + alignment;
  if (rowsOutside > 0) filters << tr("lanes above or below the picture: %1").arg(rowsOutside);
  if (search.active()) {
    filters << tr("search “%1”: %2 hits%3")
                   .arg(common::toText(search.query().pattern))
                   .arg(search.count())
                   .arg(search.hidingRest() ? tr(", the rest hidden") : QString());
  }
  if (const auto& range = selection.range(); range && document.run(range->side)) {
    filters << tr("selected range of %1: %2 to %3 ns, %4")
                   .arg(common::letter(range->side))
                   .arg(range->range.start.count())
                   .arg(range->range.end.count())
                   .arg(common::duration(range->range.length()));
  }
  QString last = filters.isEmpty() ? tr("Nothing hidden or searched for") : filters.join(QStringLiteral(" · "));
  last[0] = last[0].toUpper();
  lines << last + QStringLiteral(" · Threewalls ") + QCoreApplication::applicationVersion();
  return lines;
}

}  // namespace threewalls::timeline

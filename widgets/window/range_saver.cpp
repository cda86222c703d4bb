#include "window/range_saver.h"

#include "analysis/range_extract.h"
#include "base/format.h"
#include "common/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace threewalls::window {
namespace {

QString count(std::uint64_t number) {
  return QString::fromStdString(base::formatCount(number));
}

/// "step66" where the range lies within one step of the first GPU, else its length.
QString rangeWord(const analysis::Analysis& analysis, base::Interval range) {
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    for (const analysis::Step& step : lane.steps) {
      if (step.number && range.start >= step.interval.start && range.end <= step.interval.end) {
        return QStringLiteral("step%1").arg(*step.number);
      }
    }
  }
  return common::duration(range.length()).remove(QLatin1Char(' '));
}

}  // namespace

RangeSaver::RangeSaver(const common::Document* document, const common::Selection* selection, common::JobService* jobs,
                       QObject* parent)
    : QObject(parent), m_document(document), m_selection(selection), m_jobs(jobs) {}

bool RangeSaver::possible() const {
  const auto& range = m_selection->range();
  return range && m_document->run(range->side) && m_document->run(range->side)->analysis && !range->range.empty();
}

QString RangeSaver::suggestedPath() const {
  if (!possible()) return {};
  const auto& range = *m_selection->range();
  const common::Run& run = *m_document->run(range.side);
  const QDir folder = QFileInfo(QString::fromStdString(run.analysis->trace->info().file)).absoluteDir();
  return folder.filePath(run.name + QLatin1Char('_') + rangeWord(*run.analysis, range.range) +
                         QStringLiteral(".pt.trace.json.gz"));
}

void RangeSaver::save(const QString& path) {
  if (path.isEmpty() || !possible()) return;
  const auto& range = *m_selection->range();
  const common::Run& run = *m_document->run(range.side);
  const std::string program = ("Threewalls " + QCoreApplication::applicationVersion()).toStdString();
  m_jobs->submit<analysis::RangeExtract>(
      tr("Saving a range of %1").arg(run.name),
      [analysis = run.analysis, range = range.range, file = path.toStdString(), program](const base::Progress& progress) {
        return analysis::extractRange(*analysis, range, file, program, progress);
      },
      [self = QPointer<RangeSaver>(this), path](base::Result<analysis::RangeExtract> result) {
        if (self == nullptr) return;
        if (!result) {
          if (result.error().code != base::ErrorCode::Cancelled) emit self->failed(result.error());
          return;
        }
        const analysis::RangeSelection& selection = result->selection;
        const std::uint64_t others = selection.launchesBefore + selection.atTheEdges;
        QString details =
            tr("%1 · %2 events, %3 of them GPU work in the range; %4 from outside it, because launch calls belong to "
               "their kernels and idle time depends on its neighbours. ")
                .arg(QString::fromStdString(base::formatBytes(result->bytes)), count(result->events), count(selection.gpuEvents),
                     count(others));
        details += result->sameLedger ? tr("Opened again: the ledger of the range is the same to the nanosecond.")
                                      : tr("Opened again: the ledger of the range is not the same as in the whole trace.");
        emit self->saved(tr("Saved %1").arg(common::toText(path.toStdString())), details);
      });
}

}  // namespace threewalls::window

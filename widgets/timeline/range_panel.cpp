#include "timeline/range_panel.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"
#include "timeline/figure_table.h"

#include <QPushButton>
#include <QScrollArea>

#include <algorithm>
#include <map>

namespace threewalls::timeline {
namespace {

using common::Side;

constexpr std::size_t kTopNames = 5;
/// Both tables side by side from this width on.
constexpr int kWide = 760;

QString percent(double ratio) {
  return QString::fromStdString(base::formatPercent(ratio));
}

QString share(base::Nanoseconds part, base::Nanoseconds whole) {
  return whole.count() > 0 ? percent(static_cast<double>(part.count()) / static_cast<double>(whole.count())) : QString();
}

}  // namespace

RangePanel::RangePanel(const common::Document& document, const common::Selection& selection, const ViewState& state,
                       common::JobService* jobs)
    : Card(tr("Selected range")),
      m_document(document),
      m_selection(selection),
      m_state(state),
      m_jobs(jobs),
      m_showKernels(new QPushButton(tr("Longest kernels"))),
      m_tables(new QWidget),
      m_columns(new QHBoxLayout(m_tables)),
      m_ledger(new FigureTable),
      m_kernels(new FigureTable) {
  m_ledger->setAccessibleName(tr("Ledger of the selected range"));
  m_kernels->setAccessibleName(tr("Longest kernels of the selected range"));
  m_columns->setContentsMargins(0, 0, 0, 0);
  m_columns->setSpacing(20);
  m_columns->addWidget(m_ledger, 1, Qt::AlignTop);
  m_columns->addWidget(m_kernels, 1, Qt::AlignTop);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->viewport()->setAutoFillBackground(false);
  m_tables->setAutoFillBackground(false);
  scroll->setStyleSheet(QStringLiteral("QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }"));
  scroll->setWidget(m_tables);
  m_showKernels->setCheckable(true);
  connect(m_showKernels, &QPushButton::toggled, this, &RangePanel::arrange);
  heading()->addWidget(m_showKernels);
  body()->addWidget(scroll, 1);
  connect(&selection, &common::Selection::changed, this, &RangePanel::refresh);
  connect(&document, &common::Document::runsChanged, this, &RangePanel::refresh);
  connect(&state, &ViewState::alignmentChanged, this, &RangePanel::refresh);
  refresh();
}

void RangePanel::setTheme(const common::Theme& theme) {
  m_ledger->setTheme(theme);
  m_kernels->setTheme(theme);
}

RangePanel::~RangePanel() {
  if (m_job) m_job->cancel();
}

void RangePanel::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  arrange();
}

void RangePanel::arrange() {
  const bool wide = width() >= kWide;
  m_showKernels->setVisible(!wide);
  m_ledger->setVisible(wide || !m_showKernels->isChecked());
  m_kernels->setVisible(wide || m_showKernels->isChecked());
}

void RangePanel::refresh() {
  const Alignment& alignment = m_state.alignment();
  const auto& range = m_selection.range();
  const bool selected = range && m_document.run(range->side) && !range->range.empty();
  Questions questions;
  Stats stats;
  for (const Side side : common::kSides) {
    const auto& run = m_document.run(side);
    if (!run || !run->analysis) continue;
    base::Interval clock = run->analysis->trace->span();
    if (selected) {
      clock = side == range->side ? range->range : alignment.toClock(side, alignment.toAligned(range->side, range->range));
    } else if (alignment.anchor()) {
      const analysis::Step* step = alignment.step(side, *alignment.anchor());
      clock = step != nullptr ? step->interval : base::Interval{};
    }
    stats[static_cast<std::size_t>(side)] = analysis::rangeStats(*run->analysis, clock);
    questions[static_cast<std::size_t>(side)] = {run->analysis, clock};
  }
  m_tables->setVisible(stats[0] || stats[1]);
  if (selected) {
    setTitle(tr("Selected range"));
    setSubtitle(subtitle(alignment.toAligned(range->side, range->range)));
  } else {
    // Nothing selected: the step that both sides are aligned at, each over its own length.
    setTitle(alignment.anchor() ? tr("Step %1").arg(alignment.steps()[*alignment.anchor()].label) : tr("Whole trace"));
    setSubtitle(tr("Shift+drag to measure a range"));
  }
  sumKernels(questions);
  if (stats[0] || stats[1]) showLedger(stats);
}

QString RangePanel::subtitle(TimeRange aligned) const {
  const auto& range = *m_selection.range();
  const QString length = common::duration(range.range.length());
  const Alignment& alignment = m_state.alignment();
  for (std::size_t i = 0; i < alignment.steps().size(); ++i) {
    const analysis::Step* step = alignment.step(range.side, i);
    if (step == nullptr) continue;
    const TimeRange whole = alignment.toAligned(range.side, step->interval);
    const QString name = step->number ? QString::number(*step->number) : common::toText(step->name);
    if (whole == aligned) return tr("%1 · the whole of step %2 of %3").arg(length, name, common::letter(range.side));
    if (aligned.start >= whole.start && aligned.end <= whole.end) return tr("%1 of step %2").arg(length, name);
  }
  return alignment.steps().empty() ? length : tr("%1 · over a step's edge").arg(length);
}

void RangePanel::showLedger(const Stats& stats) {
  const bool both = stats[0] && stats[1];
  const bool fromA = m_state.reference() == Side::A;
  const analysis::RangeStats& only = stats[0] ? *stats[0] : *stats[1];
  const std::size_t gpus = std::max(stats[0] ? stats[0]->gpus : 0, stats[1] ? stats[1]->gpus : 0);
  QStringList header{gpus > 1 ? tr("mean of %1 GPUs").arg(gpus) : tr("per GPU")};
  if (both) {
    header << QStringLiteral("A") << QStringLiteral("B") << (fromA ? QStringLiteral("B − A") : QStringLiteral("A − B"));
  } else {
    header << common::letter(stats[0] ? Side::A : Side::B) << tr("of range");
  }
  std::vector<FigureTable::Line> lines;
  const auto add = [&](const QString& name, auto value, bool total) {
    QStringList cells{name};
    if (both) {
      const base::Nanoseconds a = value(stats[0]->ledger);
      const base::Nanoseconds b = value(stats[1]->ledger);
      cells << common::duration(a) << common::duration(b) << common::signedDuration(fromA ? b - a : a - b);
    } else {
      cells << common::duration(value(only.ledger)) << share(value(only.ledger), only.ledger.duration);
    }
    lines.push_back({cells, total, {}});
  };
  for (const analysis::LedgerPart part : analysis::kLedgerParts) {
    add(
        common::toText(analysis::label(part)), [part](const analysis::Ledger& ledger) { return analysis::part(ledger, part); },
        false);
  }
  add(
      tr("together"), [](const analysis::Ledger& ledger) { return ledger.duration; }, true);
  if (both) {
    const double points = (stats[1]->busy() - stats[0]->busy()) * (fromA ? 100 : -100);
    const QString sign = points < 0 ? QString(QChar(0x2212)) : points > 0 ? QStringLiteral("+") : QString();
    lines.push_back({{tr("GPU busy, of the range"), percent(stats[0]->busy()), percent(stats[1]->busy()),
                      tr("%1%2 points").arg(sign, QString::number(std::abs(points), 'f', 1))},
                     false,
                     {}});
  } else {
    lines.push_back({{tr("GPU busy, of the range"), common::duration(only.ledger.gpuActive()), percent(only.busy())}, false, {}});
  }
  m_ledger->setLines(header, std::move(lines));
}

void RangePanel::sumKernels(const Questions& questions) {
  if (questions == m_asked) return;
  // Kernels of a run that has been closed are not those of "the range before".
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (m_answered[i].analysis == questions[i].analysis) continue;
    m_answered = {};
    m_times = {};
    showKernels();
    break;
  }
  m_asked = questions;
  if (m_job) m_job->cancel();
  if (!questions[0].analysis && !questions[1].analysis) return;
  m_job = m_jobs->submit<Times>(
      tr("Summing the kernels of the range"),
      [questions](const base::Progress& progress) -> base::Result<Times> {
        Times times;
        for (std::size_t i = 0; i < questions.size(); ++i) {
          if (!questions[i].analysis) continue;
          auto found = analysis::timesByName(*questions[i].analysis->trace, questions[i].range, progress);
          if (!found) return base::fail(found.error());
          times[i] = std::move(*found);
        }
        return times;
      },
      [panel = QPointer<RangePanel>(this), questions](base::Result<Times> times) {
        // Cancelled: a later question is on its way, or nobody is left to ask.
        if (panel == nullptr || !times || panel->m_asked != questions) return;
        panel->m_answered = questions;
        panel->m_times = std::move(*times);
        panel->showKernels();
      },
      QStringLiteral("timeline.range"));
  // The first tick of the job: quick answers replace the old figures without a flicker in between.
  connect(m_job, &common::Job::progressed, this, &RangePanel::showKernels);
}

void RangePanel::showKernels() {
  const bool stale = m_answered != m_asked;
  const std::array<bool, 2> has{m_answered[0].analysis != nullptr, m_answered[1].analysis != nullptr};
  if (!has[0] && !has[1]) {
    m_kernels->setLines({tr("longest kernels")}, {{{tr("being summed")}, false, {}}});
    return;
  }
  // The names of both sides together, ordered by the larger of their times.
  std::map<std::string_view, std::array<base::Nanoseconds, 2>> byName;
  for (std::size_t i = 0; i < has.size(); ++i) {
    if (!has[i]) continue;
    const trace::NameTable& names = m_answered[i].analysis->trace->names();
    for (const analysis::NameTime& entry : m_times[i]) byName[names[entry.name]][i] = entry.sum;
  }
  QStringList header{stale ? tr("longest kernels, of the range before") : tr("longest kernels")};
  if (has[0]) header << QStringLiteral("A");
  if (has[1]) header << QStringLiteral("B");
  std::vector<std::pair<std::string_view, std::array<base::Nanoseconds, 2>>> order(byName.begin(), byName.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::max(a.second[0], a.second[1]) > std::max(b.second[0], b.second[1]);
  });
  order.resize(std::min(order.size(), kTopNames));
  std::vector<FigureTable::Line> lines;
  for (const auto& [name, times] : order) {
    QStringList cells{common::toText(base::shortKernelName(name, 64))};
    for (std::size_t i = 0; i < has.size(); ++i) {
      if (has[i]) cells << (times[i].count() > 0 ? common::duration(times[i]) : QStringLiteral("–"));
    }
    lines.push_back({cells, false, common::toText(name)});
  }
  if (lines.empty()) lines.push_back({{tr("no GPU event in this range")}, false, {}});
  m_kernels->setLines(header, std::move(lines));
}

}  // namespace threewalls::timeline

#include "window/status_line.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"
#include "common/text_scale.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

namespace threewalls::window {
namespace {

using common::Side;
using common::TextRole;

QString remainingText(std::chrono::milliseconds remaining) {
  const auto seconds = (remaining.count() + 999) / 1000;
  if (seconds < 60) return StatusLine::tr("about %1 s left").arg(seconds);
  return StatusLine::tr("about %1 min left").arg((seconds + 59) / 60);
}

}  // namespace

std::uint64_t noteCount(const common::Document& document) {
  std::uint64_t count = 0;
  for (const Side side : common::kSides) {
    if (document.run(side)) count += document.run(side)->analysis->diagnostics.entries().size();
  }
  return count;
}

StatusLine::StatusLine(const common::Document* document, common::JobService* jobs, QWidget* parent)
    : QWidget(parent), m_document(document), m_jobs(jobs) {
  setProperty("kind", QStringLiteral("bar"));
  setProperty("edge", QStringLiteral("top"));
  setAttribute(Qt::WA_StyledBackground);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 3, 12, 3);
  layout->setSpacing(18);
  for (const Side side : common::kSides) {
    auto* label = common::plainLabel({}, TextRole::Muted);
    label->setWordWrap(false);
    m_sides[static_cast<std::size_t>(side)] = label;
    layout->addWidget(label);
  }
  m_alignment = common::plainLabel({}, TextRole::Muted);
  m_alignment->setWordWrap(false);
  m_alignment->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  layout->addWidget(m_alignment, 1);

  m_jobBox = new QWidget;
  auto* job = new QHBoxLayout(m_jobBox);
  job->setContentsMargins(0, 0, 0, 0);
  job->setSpacing(8);
  m_jobText = common::plainLabel({});
  m_jobText->setWordWrap(false);
  m_bar = new QProgressBar;
  m_bar->setTextVisible(false);
  m_bar->setFixedSize(140, 10);
  auto* cancel = new QPushButton(tr("Cancel"));
  cancel->setObjectName(QStringLiteral("cancelJob"));
  cancel->setProperty("kind", QStringLiteral("small"));
  job->addWidget(m_jobText);
  job->addWidget(m_bar);
  job->addWidget(cancel);
  connect(cancel, &QPushButton::clicked, this, [this] {
    if (m_job != nullptr) m_job->cancel();
  });
  layout->addWidget(m_jobBox);

  m_notes = new QPushButton;
  m_notes->setObjectName(QStringLiteral("notes"));
  m_notes->setProperty("kind", QStringLiteral("small"));
  m_notes->setToolTip(tr("What was repaired, skipped or not known while reading"));
  connect(m_notes, &QPushButton::clicked, this, &StatusLine::notesWanted);
  layout->addWidget(m_notes);
  common::sizeFollowsText(this, {0, fontMetrics().height() + 16});

  connect(document, &common::Document::runsChanged, this, &StatusLine::refreshDocument);
  connect(jobs, &common::JobService::jobsChanged, this, &StatusLine::refreshJobs);
  refreshDocument();
  refreshJobs();
}

void StatusLine::setAlignmentText(const QString& text) {
  m_alignment->setText(text);
}

void StatusLine::refreshDocument() {
  for (const Side side : common::kSides) {
    QLabel* label = m_sides[static_cast<std::size_t>(side)];
    const auto& run = m_document->run(side);
    label->setVisible(run.has_value());
    if (!run) continue;
    const trace::Trace& trace = *run->analysis->trace;
    label->setText(tr("%1: %2 events · %3")
                       .arg(common::letter(side), QString::fromStdString(base::formatCount(trace.eventCount())),
                            QString::fromStdString(base::formatBytes(trace.info().textBytes))));
  }
  const std::uint64_t notes = noteCount(*m_document);
  m_notes->setVisible(notes > 0);
  m_notes->setText(notes == 1 ? tr("1 note on import ▸") : tr("%1 notes on import ▸").arg(notes));
}

void StatusLine::refreshJobs() {
  const auto running = m_jobs->jobs();
  common::Job* job = running.empty() ? nullptr : running.front();
  if (job != m_job) {
    m_job = job;
    if (job != nullptr) connect(job, &common::Job::progressed, this, &StatusLine::refreshProgress);
  }
  // Short questions come and go unseen: the first tick of a job shows it.
  if (job == nullptr) m_jobBox->hide();
}

void StatusLine::refreshProgress() {
  if (m_job == nullptr) return;
  QString text = m_job->title();
  if (const auto fraction = m_job->fraction()) {
    m_bar->setRange(0, 1000);
    m_bar->setValue(static_cast<int>(*fraction * 1000));
    text += QLatin1Char(' ') + QString::number(static_cast<int>(*fraction * 100)) + QStringLiteral(" %");
  } else {
    m_bar->setRange(0, 0);
  }
  if (const auto remaining = m_job->remaining()) text += QStringLiteral(" · ") + remainingText(*remaining);
  m_jobText->setText(text);
  m_jobBox->show();
}

}  // namespace threewalls::window

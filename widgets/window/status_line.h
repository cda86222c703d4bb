#pragma once

#include "common/document.h"
#include "common/job_service.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace threewalls::window {

/// The line at the bottom: what is open, notes on import, and the job in progress with its estimate and Cancel.
class StatusLine : public QWidget {
  Q_OBJECT
 public:
  StatusLine(const common::Document* document, common::JobService* jobs, QWidget* parent = nullptr);

  /// How the two sides are laid over each other; empty when there is one.
  void setAlignmentText(const QString& text);

 signals:
  void notesWanted();

 private:
  void refreshDocument();
  void refreshJobs();
  void refreshProgress();

  const common::Document* m_document;
  common::JobService* m_jobs;
  QPointer<common::Job> m_job;
  std::array<QLabel*, 2> m_sides{};
  QLabel* m_alignment;
  QPushButton* m_notes;
  QWidget* m_jobBox;
  QLabel* m_jobText;
  QProgressBar* m_bar;
};

/// How many notes import and analysis left on what is open.
std::uint64_t noteCount(const common::Document& document);

}  // namespace threewalls::window

#pragma once

#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"

namespace threewalls::window {

/// Saves the selected range as a trace of its own, on a worker (analysis/range_extract.h).
class RangeSaver : public QObject {
  Q_OBJECT
 public:
  RangeSaver(const common::Document* document, const common::Selection* selection, common::JobService* jobs, QObject* parent);

  /// A range of an open trace is selected.
  bool possible() const;
  /// Beside the trace: its name, and the step or the length of the range.
  QString suggestedPath() const;
  void save(const QString& path);

 signals:
  /// Words for people: the file, and what it holds.
  void saved(const QString& what, const QString& details);
  void failed(const threewalls::base::Error& error);

 private:
  const common::Document* m_document;
  const common::Selection* m_selection;
  common::JobService* m_jobs;
};

}  // namespace threewalls::window

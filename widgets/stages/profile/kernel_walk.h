#pragma once

#include "common/document.h"
#include "common/job_service.h"
#include "common/selection.h"

#include <vector>

namespace threewalls::profile {

/// All GPU events of a trace with one name, by start. Walks every GPU lane: for workers, not for the GUI thread.
std::vector<trace::EventRef> instancesOf(const trace::Trace& trace, trace::NameId name);

/// Goes through the instances of one kernel on one side: each step selects one and shows it on the timeline.
class KernelWalk : public QObject {
  Q_OBJECT
 public:
  KernelWalk(common::Document* document, common::Selection* selection, common::JobService* jobs, QObject* parent = nullptr);

  /// Looks for the instances on a worker and shows the first one.
  void start(common::Side side, trace::NameId name);
  void next();
  void previous();
  void stop();

  bool active() const { return !m_instances.empty(); }
  bool hasNext() const { return active() && m_current + 1 < m_instances.size(); }
  bool hasPrevious() const { return active() && m_current > 0; }
  std::size_t current() const { return m_current; }
  std::size_t count() const { return m_instances.size(); }
  common::Side side() const { return m_side; }
  QString name() const { return m_name; }

 signals:
  void changed();

 private:
  void show(std::size_t instance);

  common::Document* m_document;
  common::Selection* m_selection;
  common::JobService* m_jobs;
  common::Side m_side = common::Side::A;
  QString m_name;
  std::vector<trace::EventRef> m_instances;
  std::size_t m_current = 0;
};

}  // namespace threewalls::profile

#include "profile/kernel_walk.h"

#include "common/text.h"

#include <algorithm>

namespace threewalls::profile {

std::vector<trace::EventRef> instancesOf(const trace::Trace& trace, trace::NameId name) {
  std::vector<trace::EventRef> found;
  for (std::size_t l = 0; l < trace.lanes().size(); ++l) {
    const trace::Lane& lane = trace.lanes()[l];
    if (lane.key.kind != trace::LaneKind::GpuStream) continue;
    for (std::size_t s = 0; s < lane.subLanes.size(); ++s) {
      const auto names = lane.subLanes[s].names();
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name)
          found.push_back(
              {trace::LaneId(static_cast<std::uint32_t>(l)), static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)});
      }
    }
  }
  std::sort(found.begin(), found.end(), [&](const trace::EventRef& a, const trace::EventRef& b) {
    return std::tuple(trace.interval(a).start, a) < std::tuple(trace.interval(b).start, b);
  });
  return found;
}

KernelWalk::KernelWalk(common::Document* document, common::Selection* selection, common::JobService* jobs, QObject* parent)
    : QObject(parent), m_document(document), m_selection(selection), m_jobs(jobs) {
  connect(document, &common::Document::runsChanged, this, &KernelWalk::stop);
}

void KernelWalk::start(common::Side side, trace::NameId name) {
  if (!m_document->run(side)) return;
  const auto analysis = m_document->run(side)->analysis;
  m_jobs->submit<std::vector<trace::EventRef>>(
      tr("Finding kernels"),
      [analysis, name](const base::Progress&) -> base::Result<std::vector<trace::EventRef>> {
        return instancesOf(*analysis->trace, name);
      },
      [self = QPointer<KernelWalk>(this), analysis, side, name](base::Result<std::vector<trace::EventRef>> found) {
        // Meanwhile the run may have been closed: its events mean nothing then.
        if (self == nullptr || !found || !self->m_document->run(side) || self->m_document->run(side)->analysis != analysis)
          return;
        self->m_side = side;
        self->m_name = common::toText(analysis->trace->names()[name]);
        self->m_instances = std::move(*found);
        if (self->active())
          self->show(0);
        else
          emit self->changed();
      },
      QStringLiteral("kernel walk"));
}

void KernelWalk::next() {
  if (hasNext()) show(m_current + 1);
}

void KernelWalk::previous() {
  if (hasPrevious()) show(m_current - 1);
}

void KernelWalk::stop() {
  m_instances.clear();
  m_current = 0;
  emit changed();
}

void KernelWalk::show(std::size_t instance) {
  m_current = instance;
  m_selection->show(common::SelectedSlice{m_side, m_instances[instance]});
  emit changed();
}

}  // namespace threewalls::profile

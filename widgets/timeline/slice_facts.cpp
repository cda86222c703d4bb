#include "timeline/slice_facts.h"

#include "common/text.h"
#include "timeline/alignment.h"

#include <algorithm>

namespace threewalls::timeline {
namespace {

QString tr(const char* text) {
  return QObject::tr(text);
}

QString stepName(const analysis::Step& step) {
  return step.number ? tr("step %1").arg(*step.number) : common::toText(step.name);
}

}  // namespace

QString kindText(trace::EventKind kind) {
  switch (kind) {
    case trace::EventKind::Kernel: return tr("kernel");
    case trace::EventKind::MemoryCopy: return tr("memory copy");
    case trace::EventKind::MemorySet: return tr("memory set");
    case trace::EventKind::GraphSpan: return tr("graph launch, kernels not recorded");
    case trace::EventKind::GpuAnnotation: return tr("range on the GPU");
    case trace::EventKind::GpuSync: return tr("GPU sync marker");
    case trace::EventKind::RuntimeCall: return tr("runtime call");
    case trace::EventKind::DriverCall: return tr("driver call");
    case trace::EventKind::Operator: return tr("operator");
    case trace::EventKind::Annotation: return tr("annotation");
    case trace::EventKind::PythonFunction: return tr("Python function");
    case trace::EventKind::Overhead: return tr("profiler overhead");
    case trace::EventKind::Other: break;
  }
  return tr("event");
}

const analysis::Step* stepAt(const analysis::Analysis& analysis, const trace::Lane& lane, base::Nanoseconds time) {
  const analysis::DeviceLane* device = mainLane(analysis);
  for (const analysis::DeviceLane& candidate : analysis.lanes) {
    if (candidate.device == lane.key.device && lane.key.device >= 0 && !candidate.steps.empty()) device = &candidate;
  }
  if (device == nullptr) return nullptr;
  const auto after =
      std::upper_bound(device->steps.begin(), device->steps.end(), time,
                       [](base::Nanoseconds value, const analysis::Step& step) { return value < step.interval.start; });
  if (after == device->steps.begin() || time >= std::prev(after)->interval.end) return nullptr;
  return &*std::prev(after);
}

SliceFacts factsOf(const analysis::Analysis& analysis, const trace::EventRef& event) {
  const trace::Trace& trace = *analysis.trace;
  const trace::Lane& lane = trace.lane(event.lane);
  const trace::EventKind kind = trace.kind(event);
  SliceFacts facts;
  facts.name = common::toText(trace.name(event));
  facts.interval = trace.interval(event);
  facts.duration = common::duration(facts.interval.length());
  if (const analysis::Step* step = stepAt(analysis, lane, facts.interval.start)) {
    facts.start = tr("%1 in %2").arg(common::duration(facts.interval.start - step->interval.start), stepName(*step));
  } else {
    facts.start = tr("%1 in the trace, outside its steps").arg(common::duration(facts.interval.start - trace.span().start));
  }
  facts.lane = common::toText(lane.label);
  if (!lane.processLabel.empty()) facts.lane += QStringLiteral(" · ") + common::toText(lane.processLabel);
  if (trace::isGpuEvent(kind)) {
    const analysis::KernelClass& kernelClass = analysis.classes.classOf(trace.subLane(event).name(event.index));
    facts.what = common::toText(kernelClass.label);
    if (!kernelClass.group.empty()) facts.what += QStringLiteral(" · ") + common::toText(kernelClass.group).replace('_', ' ');
    if (kind == trace::EventKind::GraphSpan) facts.what += QStringLiteral(" · ") + kindText(kind);
  } else {
    facts.what = kindText(kind);
  }
  return facts;
}

QString accessibleText(const SliceFacts& facts, common::Side side) {
  const QString letter = side == common::Side::A ? QStringLiteral("A") : QStringLiteral("B");
  return tr("%1: %2, %3, starts %4, %5, %6").arg(letter, facts.name, facts.duration, facts.start, facts.lane, facts.what);
}

}  // namespace threewalls::timeline

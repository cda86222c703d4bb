#include "timeline/lane_layout.h"

#include "common/text.h"

#include <algorithm>
#include <map>

namespace threewalls::timeline {
namespace {

using common::Side;
using trace::LaneKind;

/// How many events of a lane tell what it is.
constexpr std::uint32_t kRoleSamples = 4096;

/// Communication's share of a stream's time, from evenly spaced events: only the order of lanes and a word depend on it.
double communicationShare(const trace::Lane& lane, const analysis::Classification& classes) {
  double all = 0;
  double communication = 0;
  for (const trace::SubLane& sub : lane.subLanes) {
    const std::uint32_t stride = std::max<std::uint32_t>(1, sub.size() / kRoleSamples);
    for (std::uint32_t i = 0; i < sub.size(); i += stride) {
      const auto length = static_cast<double>(sub.duration(i).count());
      all += length;
      if (classes.classOf(sub.name(i)).isCommunication) communication += length;
    }
  }
  return all > 0 ? communication / all : 0;
}

/// The outermost sub-lane that holds work rather than annotations, which tend to cover a thread from end to end.
std::uint32_t workDepth(const trace::Lane& lane) {
  for (std::uint32_t k = 0; k < lane.subLanes.size(); ++k) {
    const trace::SubLane& sub = lane.subLanes[k];
    const std::uint32_t stride = std::max<std::uint32_t>(1, sub.size() / kRoleSamples);
    double all = 0;
    double annotations = 0;
    for (std::uint32_t i = 0; i < sub.size(); i += stride) {
      const auto length = static_cast<double>(sub.duration(i).count());
      all += length;
      if (sub.kind(i) == trace::EventKind::Annotation) annotations += length;
    }
    if (all > 2 * annotations) return k;
  }
  return 0;
}

std::map<trace::LaneId, std::size_t> launchesByLane(const trace::Trace& trace) {
  std::map<trace::LaneId, std::size_t> counts;
  std::vector<std::size_t> byLane(trace.lanes().size());
  for (const trace::EventRef& call : trace.launches()) ++byLane[trace::index(call.lane)];
  for (std::size_t i = 0; i < byLane.size(); ++i) counts[static_cast<trace::LaneId>(i)] = byLane[i];
  return counts;
}

/// Lanes of one kind with events, in the trace's order.
std::vector<trace::LaneId> lanesOf(const trace::Trace& trace, LaneKind kind) {
  std::vector<trace::LaneId> out;
  for (std::size_t i = 0; i < trace.lanes().size(); ++i) {
    if (trace.lanes()[i].key.kind == kind && trace.lanes()[i].eventCount() > 0) out.push_back(static_cast<trace::LaneId>(i));
  }
  return out;
}

std::vector<trace::LaneId> hostThreads(const trace::Trace& trace) {
  std::vector<trace::LaneId> lanes = lanesOf(trace, LaneKind::HostThread);
  const auto counts = launchesByLane(trace);
  std::stable_sort(lanes.begin(), lanes.end(), [&](auto a, auto b) { return counts.at(a) > counts.at(b); });
  return lanes;
}

QString heading(const common::Run& run) {
  const trace::TraceInfo& info = run.analysis->trace->info();
  QStringList parts{run.name.simplified()};
  if (info.rank) parts << QObject::tr("rank %1").arg(*info.rank);
  if (!info.devices.empty() && !info.devices.front().name.empty()) {
    const int device = run.analysis->lanes.empty() ? info.devices.front().id : run.analysis->lanes.front().device;
    const auto used = std::find_if(info.devices.begin(), info.devices.end(), [&](const auto& d) { return d.id == device; });
    const trace::Device& named = used == info.devices.end() ? info.devices.front() : *used;
    // The maker goes without saying; "H200" is what people call it.
    QString name = common::toText(named.name).simplified();
    for (const char* maker : {"NVIDIA ", "AMD "}) {
      if (name.startsWith(QLatin1String(maker))) name = name.mid(static_cast<qsizetype>(qstrlen(maker)));
    }
    parts << name;
  }
  return parts.join(QStringLiteral(" · "));
}

/// Adds the rows of one side.
class SideRows {
 public:
  SideRows(std::vector<Row>& rows, Side side, const common::Run& run, const ViewState& state, const RowMetrics& metrics)
      : m_rows(rows), m_side(side), m_run(run), m_state(state), m_metrics(metrics), m_trace(*run.analysis->trace) {}

  void add() {
    Row& head = append(RowKind::Heading, m_metrics.heading);
    head.label = heading(m_run);
    if (const std::size_t hidden = m_state.hiddenCount(m_side); hidden > 0) head.note = QObject::tr("%1 hidden").arg(hidden);
    for (const auto lane : lanesOf(m_trace, LaneKind::GpuAnnotation))
      m_lanes.push_back({lane, QObject::tr("GPU ranges"), {}, m_metrics.nested});
    listStreams();
    const std::size_t launchesAt = m_lanes.size();
    for (const auto lane : hostThreads(m_trace)) m_lanes.push_back({lane, labelOf(lane), {}, m_metrics.nested});
    for (const LaneKind kind : {LaneKind::GpuSync, LaneKind::Overhead, LaneKind::Other}) {
      for (const auto lane : lanesOf(m_trace, kind)) {
        const QString label = kind == LaneKind::GpuSync ? QObject::tr("GPU sync") : labelOf(lane);
        m_lanes.push_back({lane, label, kind == LaneKind::Overhead ? QObject::tr("profiler") : QString(), m_metrics.nested});
      }
    }
    for (const LaneOfSide& pinned : m_state.pinned()) {
      if (pinned.side != m_side) continue;
      const auto found =
          std::find_if(m_lanes.begin(), m_lanes.end(), [&](const NamedLane& lane) { return lane.id == pinned.lane; });
      if (found != m_lanes.end()) addLane(*found);
    }
    for (std::size_t i = 0; i <= m_lanes.size(); ++i) {
      if (i == launchesAt && !m_trace.launches().empty()) {
        Row& row = append(RowKind::Launches, m_metrics.launches);
        row.label = QObject::tr("CPU launches");
        row.spacing = m_metrics.spacing;
      }
      if (i < m_lanes.size() && !m_state.isPinned({m_side, m_lanes[i].id})) addLane(m_lanes[i]);
    }
    append(RowKind::Gap, m_metrics.gap);
  }

 private:
  struct NamedLane {
    trace::LaneId id;
    QString label;
    QString note;
    int firstHeight;
  };

  void listStreams() {
    std::vector<std::pair<double, trace::LaneId>> streams;
    for (const auto lane : lanesOf(m_trace, LaneKind::GpuStream)) {
      streams.emplace_back(communicationShare(m_trace.lane(lane), m_run.analysis->classes), lane);
    }
    // Compute streams of a device first, then its communication streams, each group in the trace's order.
    std::stable_sort(streams.begin(), streams.end(), [&](const auto& a, const auto& b) {
      const int deviceA = m_trace.lane(a.second).key.device;
      const int deviceB = m_trace.lane(b.second).key.device;
      return deviceA != deviceB ? deviceA < deviceB : (a.first > 0.5) < (b.first > 0.5);
    });
    for (const auto& [share, lane] : streams) {
      m_lanes.push_back(
          {lane, labelOf(lane), share > 0.5 ? QObject::tr("communication") : QObject::tr("compute"), m_metrics.stream});
    }
  }

  QString labelOf(trace::LaneId id) const {
    const trace::Lane& lane = m_trace.lane(id);
    QString label = common::toText(lane.label).simplified();
    if (label.isEmpty()) label = common::toText(lane.key.thread).simplified();
    if (lane.key.device >= 0 && m_run.analysis->lanes.size() > 1)
      label = QObject::tr("GPU %1 · %2").arg(lane.key.device).arg(label);
    return label;
  }

  void addLane(const NamedLane& named) {
    const trace::LaneId id = named.id;
    if (m_state.isHidden({m_side, id})) return;
    const bool pinned = m_state.isPinned({m_side, id});
    const trace::Lane& lane = m_trace.lane(id);
    const bool foldable = lane.key.kind != LaneKind::GpuStream;
    if (foldable && m_state.isFolded({m_side, id})) {
      Row& row = append(RowKind::Folded, m_metrics.folded);
      row.lane = id;
      row.subLane = workDepth(lane);
      row.label = named.label;
      row.foldable = true;
      row.pinned = pinned;
      row.spacing = m_metrics.spacing;
      return;
    }
    bool first = true;
    for (std::uint32_t k = 0; k < lane.subLanes.size(); ++k) {
      if (lane.subLanes[k].size() == 0) continue;
      Row& row = append(RowKind::Slices, first ? named.firstHeight : m_metrics.nested);
      row.lane = id;
      row.subLane = k;
      if (first) {
        row.label = named.label;
        row.note = named.note;
        row.foldable = foldable;
        row.pinned = pinned;
      }
      first = false;
    }
    m_rows.back().spacing = m_metrics.spacing;
  }

  Row& append(RowKind kind, int height) {
    Row row;
    row.kind = kind;
    row.side = m_side;
    row.height = height;
    m_rows.push_back(std::move(row));
    return m_rows.back();
  }

  std::vector<NamedLane> m_lanes;
  std::vector<Row>& m_rows;
  Side m_side;
  const common::Run& m_run;
  const ViewState& m_state;
  const RowMetrics& m_metrics;
  const trace::Trace& m_trace;
};

Row deltaRow(const ViewState& state, const RowMetrics& metrics) {
  Row row;
  row.kind = RowKind::Delta;
  row.height = metrics.stream + metrics.nested / 2;
  row.spacing = metrics.spacing;
  const bool fromA = state.reference() == Side::A;
  row.label = fromA ? QObject::tr("B against A, per step") : QObject::tr("A against B, per step");
  row.note = QObject::tr("← faster · slower →");
  return row;
}

}  // namespace

RowMetrics::RowMetrics(const QFontMetrics& font)
    : heading(font.height() + 8),
      stream(font.height() * 2 + 8),
      nested(font.height() + 2),
      launches(font.height() * 2 + 2),
      folded(font.height() + 2),
      gap(font.height() / 2),
      spacing(6) {}

LaneLayout::LaneLayout(const common::Document& document, const ViewState& state, const RowMetrics& metrics) {
  for (const Side side : common::kSides) {
    const auto& run = document.run(side);
    if (!run || !run->analysis) continue;
    if (side == Side::B && !m_rows.empty() && state.alignment().anchor()) m_rows.push_back(deltaRow(state, metrics));
    SideRows(m_rows, side, *run, state, metrics).add();
  }
  int top = 0;
  for (Row& row : m_rows) {
    row.top = top;
    top += row.height + row.spacing;
  }
}

std::optional<std::size_t> LaneLayout::rowAt(int y) const {
  const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), y, [](int value, const Row& row) { return value < row.top; });
  if (y < 0 || after == m_rows.begin() || y >= height()) return std::nullopt;
  return static_cast<std::size_t>(after - m_rows.begin()) - 1;
}

std::optional<std::size_t> LaneLayout::rowOf(Side side, const trace::EventRef& event) const {
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    const Row& row = m_rows[i];
    if (row.kind == RowKind::Slices && row.side == side && row.lane == event.lane && row.subLane == event.subLane) return i;
  }
  return std::nullopt;
}

std::vector<LaneOfSide> initiallyFolded(const common::Document& document) {
  std::vector<LaneOfSide> out;
  const bool both = document.run(Side::A) && document.run(Side::B);
  for (const Side side : common::kSides) {
    const auto& run = document.run(side);
    if (!run || !run->analysis) continue;
    const trace::Trace& trace = *run->analysis->trace;
    const auto threads = hostThreads(trace);
    for (std::size_t i = both ? 0 : 1; i < threads.size(); ++i) out.push_back({side, threads[i]});
    for (const auto lane : lanesOf(trace, LaneKind::Overhead)) out.push_back({side, lane});
  }
  return out;
}

}  // namespace threewalls::timeline

#include "analyze_command.h"
#include "common_output.h"

#include <nlohmann/json.hpp>

namespace threewalls::cli {
namespace {

using analysis::Ledger;
using base::Nanoseconds;
using nlohmann::ordered_json;

template <class T>
ordered_json orNull(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

void addLedger(ordered_json& object, const Ledger& ledger, Nanoseconds host) {
  object["duration_ns"] = ledger.duration.count();
  object["host_duration_ns"] = host.count();
  object["compute_ns"] = ledger.compute.count();
  object["graph_ns"] = ledger.graph.count();
  object["communication_ns"] = ledger.communication.count();
  object["hidden_communication_ns"] = ledger.hidden.count();
  object["exposed_communication_ns"] = ledger.exposed.count();
  object["memory_ns"] = ledger.memory.count();
  object["idle_ns"] = ledger.idle.count();
  object["host_bound_idle_ns"] = ledger.hostBoundIdle.count();
  object["profiler_idle_ns"] = ledger.profilerIdle.count();
}

Nanoseconds hostDuration(const analysis::DeviceLane& lane) {
  Nanoseconds sum{0};
  for (const analysis::Step& step : lane.steps) sum += step.hostDuration;
  return sum;
}

ordered_json traceJson(const analysis::Analysis& analysis) {
  const trace::TraceInfo& info = analysis.trace->info();
  ordered_json devices = ordered_json::array();
  for (const trace::Device& device : info.devices) {
    devices.push_back({{"id", device.id},
                       {"name", device.name},
                       {"memory_bytes", device.memoryBytes},
                       {"multiprocessors", device.multiprocessors}});
  }
  return {{"file", info.file},
          {"format", info.format},
          {"rank", orNull(info.rank)},
          {"world_size", orNull(info.worldSize)},
          {"devices", std::move(devices)},
          {"event_count", analysis.trace->eventCount()},
          {"gpu_event_count", analysis.trace->gpuEventCount()},
          {"span_ns", analysis.trace->span().length().count()},
          {"content_hash", info.contentHash},
          {"base_time_ns", orNull(info.baseTimeNanoseconds)}};
}

ordered_json stepJson(const analysis::DeviceLane& lane, const analysis::Step& step) {
  ordered_json marks = ordered_json::array();
  if ((step.marks & analysis::step_mark::kWarmup) != 0) marks.push_back("warmup");
  if ((step.marks & analysis::step_mark::kOutlier) != 0) marks.push_back("outlier");
  if ((step.marks & analysis::step_mark::kOpenEnd) != 0) marks.push_back("open_end");
  ordered_json out = {{"name", step.name},
                      {"rank", orNull(lane.rank)},
                      {"process", lane.process},
                      {"device", lane.device},
                      {"start_ns", step.interval.start.count()}};
  addLedger(out, step.ledger, step.hostDuration);
  out["boundary"] = std::string(toText(step.boundary));
  out["marks"] = std::move(marks);
  return out;
}

ordered_json laneJson(const analysis::DeviceLane& lane) {
  ordered_json out = {{"rank", orNull(lane.rank)}, {"process", lane.process}, {"device", lane.device}};
  addLedger(out, lane.totals, hostDuration(lane));
  out["gpu_active_ns"] = lane.totals.gpuActive().count();
  const Nanoseconds communication = lane.totals.communication;
  out["hidden_communication_ratio"] =
      communication.count() == 0
          ? ordered_json()
          : ordered_json(static_cast<double>(lane.totals.hidden.count()) / static_cast<double>(communication.count()));
  out["events_outside_steps"] = lane.eventsOutsideSteps;
  return out;
}

ordered_json wallJson(const analysis::Analysis& analysis) {
  const analysis::Wall& wall = analysis.wall;
  const auto name = [](const std::optional<analysis::WallKind>& kind) {
    return kind ? ordered_json(std::string(id(*kind))) : ordered_json();
  };
  ordered_json recoverable;
  for (const analysis::WallKind kind : analysis::kWallKinds) {
    recoverable[std::string(id(kind))] = wall.recoverable[static_cast<std::size_t>(kind)];
  }
  ordered_json reasons = ordered_json::array();
  for (const analysis::WallReason& reason : wall.reasons) {
    ordered_json intervals = ordered_json::array();
    for (const base::Interval& interval : reason.intervals) {
      intervals.push_back({{"start_ns", interval.start.count()}, {"end_ns", interval.end.count()}});
    }
    reasons.push_back({{"wall", std::string(id(reason.wall))},
                       {"text", reason.text},
                       {"amount_ns", reason.amount.count()},
                       {"intervals", std::move(intervals)}});
  }
  ordered_json out = {{"dominant", name(wall.dominant)},
                      {"runner_up", name(wall.runnerUp)},
                      {"recoverable", std::move(recoverable)},
                      {"reasons", std::move(reasons)},
                      {"verdict", wall.verdict}};
  if (wall.lane) {
    const analysis::DeviceLane& lane = analysis.lanes[*wall.lane];
    out["rank"] = orNull(lane.rank);
    out["device"] = lane.device;
    out["step"] = lane.steps[*wall.step].name;
  }
  return out;
}

}  // namespace

ordered_json analyzeJson(const AnalyzeReport& report) {
  ordered_json out = {{"traces", ordered_json::array()}, {"steps", ordered_json::array()}};
  ordered_json lanes = ordered_json::array();
  Nanoseconds host{0};
  for (const auto& analysis : report.traces) {
    out["traces"].push_back(traceJson(*analysis));
    for (const analysis::DeviceLane& lane : analysis->lanes) {
      for (const analysis::Step& step : lane.steps) out["steps"].push_back(stepJson(lane, step));
      lanes.push_back(laneJson(lane));
      host += hostDuration(lane);
    }
  }
  const Ledger totals = report.totals();
  addLedger(out["totals"], totals, host);
  out["totals"]["gpu_active_ns"] = totals.gpuActive().count();
  out["lanes"] = std::move(lanes);
  out["classes"] = ordered_json::array();
  for (const analysis::ClassRow& row : report.classes()) {
    const analysis::KernelClass& kernelClass = report.classTable()[row.classId];
    out["classes"].push_back({{"class", kernelClass.id},
                              {"group", kernelClass.group},
                              {"count", row.count},
                              {"sum_ns", row.sum.count()},
                              {"union_ns", row.unionTime.count()}});
  }
  out["phases"] = ordered_json::array();  // told apart by annotations and process groups, which come with a later version
  out["kernels"] = ordered_json::array();
  for (const AnalyzeReport::Kernel& kernel : report.kernels()) {
    const auto count = static_cast<std::int64_t>(kernel.count);
    out["kernels"].push_back({{"name", kernel.name},
                              {"class", kernel.classId},
                              {"count", kernel.count},
                              {"sum_ns", kernel.sum.count()},
                              {"mean_ns", kernel.sum.count() / count},
                              {"max_ns", kernel.max.count()}});
  }
  out["wall"] = wallJson(report.slowest());
  out["diagnostics"] = toJson(report.diagnostics);
  return out;
}

}  // namespace threewalls::cli

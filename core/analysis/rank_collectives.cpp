// collectivesOf() of rank_alignment.h.
#include "analysis/rank_alignment.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace threewalls::analysis {
namespace {

using base::Nanoseconds;

bool isNccl(std::string_view name) {
  return name.find("nccl") != std::string_view::npos || name.find("rccl") != std::string_view::npos;
}

/// Name, group and sequence from the event's own text where it has them; a few µs an event.
void readArguments(const trace::Trace& trace, const trace::EventRef& event, CollectiveCall& call) {
  const auto text = trace.rawJson(event);
  if (!text) return;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("args") || !json["args"].is_object()) return;
  const auto& args = json["args"];
  const auto word = [&](const char* key) {
    const auto at = args.find(key);
    return at != args.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  if (std::string name = word("Collective name"); !name.empty()) call.name = std::move(name);
  call.group = word("Process Group Name");
  if (const auto at = args.find("Seq"); at != args.end() && at->is_number_integer()) call.sequence = at->get<std::int64_t>();
}

}  // namespace

RankCollectives collectivesOf(const trace::Trace& trace, const Classification& classes) {
  RankCollectives out;
  out.rank = trace.info().rank;
  const Nanoseconds base(trace.info().baseTimeNanoseconds.value_or(0));
  const bool text = trace.info().format == "kineto";
  for (std::uint32_t l = 0; l < trace.lanes().size(); ++l) {
    const trace::Lane& lane = trace.lanes()[l];
    if (lane.key.kind != trace::LaneKind::GpuStream) continue;
    for (std::uint32_t s = 0; s < lane.subLanes.size(); ++s) {
      const trace::SubLane& row = lane.subLanes[s];
      for (std::uint32_t i = 0; i < row.size(); ++i) {
        const std::string_view name = trace.names()[row.name(i)];
        if (row.kind(i) != trace::EventKind::Kernel || !classes.classOf(row.name(i)).isCommunication || !isNccl(name)) continue;
        CollectiveCall call;
        call.name = name;
        call.interval = {row.start(i) + base, row.end(i) + base};
        if (text) readArguments(trace, {trace::LaneId(l), s, i}, call);
        out.calls.push_back(std::move(call));
      }
    }
  }
  std::stable_sort(out.calls.begin(), out.calls.end(), [](const auto& a, const auto& b) { return a.interval < b.interval; });
  return out;
}

}  // namespace threewalls::analysis

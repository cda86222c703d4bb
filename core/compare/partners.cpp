#include "compare/partners.h"

#include "trace/stop_check.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace threewalls::compare {
namespace {

using analysis::Analysis;
using analysis::ClassId;
using base::Nanoseconds;
using trace::EventRef;
using trace::StopCheck;

/// Stands for "no key at this level".
constexpr std::uint32_t kNoKey = std::numeric_limits<std::uint32_t>::max();

/// Names and classes of B as A numbers them; what only B has gets the numbers after A's.
struct SharedNumbers {
  std::array<std::vector<std::uint32_t>, 2> names;    ///< by NameId
  std::array<std::vector<std::uint32_t>, 2> classes;  ///< by NameId of a GPU event; kNoKey when unclassified
  std::uint32_t nameCount = 0;
};

std::uint32_t numberFor(std::unordered_map<std::string_view, std::uint32_t>& numbers, std::string_view text) {
  return numbers.emplace(text, static_cast<std::uint32_t>(numbers.size())).first->second;
}

SharedNumbers sharedNumbers(const std::array<const Analysis*, 2>& sides, const StopCheck& check) {
  SharedNumbers out;
  std::unordered_map<std::string_view, std::uint32_t> names;
  std::unordered_map<std::string_view, std::uint32_t> classes;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const trace::NameTable& table = sides[s]->trace->names();
    const analysis::Classification& rules = sides[s]->classes;
    for (std::size_t i = 0; i < table.size(); ++i) {
      check.tick();
      const trace::NameId name{static_cast<std::uint32_t>(i)};
      out.names[s].push_back(numberFor(names, table[name]));
      const ClassId id = rules.of(name);
      out.classes[s].push_back(id == rules.table().unclassified() ? kNoKey : numberFor(classes, rules.table()[id].id));
    }
  }
  out.nameCount = static_cast<std::uint32_t>(names.size());
  return out;
}

/// Calls `visit(subLane number, first, last)` with the events of each sub-lane of a stream that start inside a step.
template <class Visit>
void forEachRun(const trace::Lane& lane, const base::Interval& step, const Visit& visit) {
  for (std::uint32_t k = 0; k < lane.subLanes.size(); ++k) {
    const std::uint32_t first = lane.subLanes[k].firstStartingAt(step.start);
    const std::uint32_t last = lane.subLanes[k].firstStartingAt(step.end);
    if (first < last) visit(k, first, last);
  }
}

/// Roles by LaneId, of the streams of a device.
std::vector<StreamRole> rolesOf(const Analysis& analysis, const analysis::DeviceLane& device,
                                const std::vector<base::Interval>& steps, const StopCheck& check) {
  std::vector<StreamRole> roles(analysis.trace->lanes().size(), StreamRole::Compute);
  for (const trace::LaneId id : device.streams) {
    const trace::Lane& lane = analysis.trace->lane(id);
    Nanoseconds all{0}, communication{0}, memory{0};
    for (const base::Interval& step : steps) {
      forEachRun(lane, step, [&](std::uint32_t k, std::uint32_t first, std::uint32_t last) {
        const trace::SubLane& row = lane.subLanes[k];
        for (std::uint32_t i = first; i < last; ++i) {
          check.tick();
          const Nanoseconds length = row.duration(i);
          const analysis::KernelClass& kernelClass = analysis.classes.classOf(row.name(i));
          all += length;
          if (kernelClass.isCommunication) {
            communication += length;
          } else if (kernelClass.isMemory) {
            memory += length;
          }
        }
      });
    }
    StreamRole& role = roles[trace::index(id)];
    if (communication > all - communication) role = StreamRole::Communication;
    if (memory > all - memory) role = StreamRole::Memory;
  }
  return roles;
}

/// What decides about one event.
struct Traits {
  Nanoseconds start{0};
  std::uint32_t name = 0;
  std::uint32_t kernelClass = 0;
  StreamRole role = StreamRole::Compute;
};

/// Groups the events of a step by the keys of one level after the other.
class StepMatcher {
 public:
  StepMatcher(const SharedNumbers& numbers, const StopCheck& check)
      : m_check(check), m_slots(numbers.nameCount * kStreamRoleCount + 1, kNoKey) {}

  /// Pairs the events of both sides; `traits` are by number.
  void match(StepPartners& step, const std::array<std::vector<Traits>, 2>& traits) {
    for (std::size_t s = 0; s < 2; ++s) {
      step.sides[s].partner.assign(traits[s].size(), StepEvents::kNone);
      m_left[s].resize(traits[s].size());
      for (std::uint32_t i = 0; i < m_left[s].size(); ++i) m_left[s][i] = i;
    }
    step.levels.assign(traits[0].size(), MatchLevel::Stream);
    for (const MatchLevel level : {MatchLevel::Stream, MatchLevel::Name, MatchLevel::Class}) matchLevel(level, step, traits);
  }

 private:
  static std::uint32_t keyOf(MatchLevel level, const Traits& event) {
    const auto withRole = [&](std::uint32_t number) {
      return number == kNoKey ? kNoKey
                              : number * static_cast<std::uint32_t>(kStreamRoleCount) + static_cast<std::uint32_t>(event.role);
    };
    switch (level) {
      case MatchLevel::Stream: return withRole(event.name);
      case MatchLevel::Name: return event.name;
      case MatchLevel::Class: return withRole(event.kernelClass);
    }
    return kNoKey;
  }

  void matchLevel(MatchLevel level, StepPartners& step, const std::array<std::vector<Traits>, 2>& traits) {
    m_groups.clear();
    std::vector<std::uint32_t> used;
    for (std::size_t s = 0; s < 2; ++s) {
      for (const std::uint32_t event : m_left[s]) {
        m_check.tick();
        const std::uint32_t key = keyOf(level, traits[s][event]);
        if (key == kNoKey) continue;
        // More classes than names times roles cannot occur, as every class here is of a name.
        std::uint32_t& slot = m_slots[key];
        if (slot == kNoKey) {
          slot = static_cast<std::uint32_t>(m_groups.size());
          m_groups.emplace_back();
          used.push_back(key);
        }
        m_groups[slot][s].push_back(event);
      }
      m_left[s].clear();
    }
    for (const std::uint32_t key : used) m_slots[key] = kNoKey;
    for (auto& group : m_groups) {
      if (group[0].empty() || group[1].empty()) {
        for (std::size_t s = 0; s < 2; ++s) m_left[s].insert(m_left[s].end(), group[s].begin(), group[s].end());
        continue;
      }
      for (std::size_t s = 0; s < 2; ++s) byStart(group[s], traits[s]);
      const std::size_t pairs = std::min(group[0].size(), group[1].size());
      for (std::size_t i = 0; i < pairs; ++i) {
        step.sides[0].partner[group[0][i]] = group[1][i];
        step.sides[1].partner[group[1][i]] = group[0][i];
        step.levels[group[0][i]] = level;
      }
      step.matched[static_cast<std::size_t>(level)] += pairs;
    }
  }

  /// Events of one sub-lane are in order already: sorting is for keys that several streams share.
  void byStart(std::vector<std::uint32_t>& events, const std::vector<Traits>& traits) const {
    const auto before = [&](std::uint32_t x, std::uint32_t y) {
      m_check.tick();
      return traits[x].start != traits[y].start ? traits[x].start < traits[y].start : x < y;
    };
    if (!std::is_sorted(events.begin(), events.end(), before)) std::sort(events.begin(), events.end(), before);
  }

  const StopCheck& m_check;
  std::array<std::vector<std::uint32_t>, 2> m_left;  ///< events that no level had a partner for so far
  std::vector<std::array<std::vector<std::uint32_t>, 2>> m_groups;
  std::vector<std::uint32_t> m_slots;  ///< group by key
};

/// One side while its steps are gone through.
struct SideAtWork {
  const Analysis& analysis;
  const analysis::DeviceLane& device;
  std::vector<StreamRole> roles;
};

std::vector<Traits> collect(const SideAtWork& side, const base::Interval& step, const std::vector<std::uint32_t>& names,
                            const std::vector<std::uint32_t>& classes, StepEvents& out, const StopCheck& check) {
  std::vector<Traits> traits;
  for (const trace::LaneId id : side.device.streams) {
    const trace::Lane& lane = side.analysis.trace->lane(id);
    forEachRun(lane, step, [&](std::uint32_t k, std::uint32_t first, std::uint32_t last) {
      const trace::SubLane& row = lane.subLanes[k];
      out.runs.push_back({id, k, first, static_cast<std::uint32_t>(traits.size()), {}});
      for (std::uint32_t i = first; i < last; ++i) {
        check.tick();
        const std::size_t name = trace::index(row.name(i));
        traits.push_back({row.start(i), names[name], classes[name], side.roles[trace::index(id)]});
      }
    });
  }
  return traits;
}

void listUnmatched(StepEvents& events) {
  for (std::size_t r = 0; r < events.runs.size(); ++r) {
    StepEvents::Run& run = events.runs[r];
    const std::size_t end = r + 1 < events.runs.size() ? events.runs[r + 1].number : events.partner.size();
    for (std::size_t i = run.number; i < end; ++i) {
      if (events.partner[i] == StepEvents::kNone) run.unmatched.push_back(run.first + static_cast<std::uint32_t>(i - run.number));
    }
    events.unmatched += run.unmatched.size();
  }
}

}  // namespace

std::optional<std::uint32_t> StepEvents::numberOf(const EventRef& event) const {
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Run& run = runs[r];
    if (run.lane != event.lane || run.subLane != event.subLane || event.index < run.first) continue;
    const std::size_t number = std::size_t{run.number} + (event.index - run.first);
    if (number < (r + 1 < runs.size() ? runs[r + 1].number : partner.size())) return static_cast<std::uint32_t>(number);
  }
  return std::nullopt;
}

EventRef StepEvents::eventOf(std::uint32_t number) const {
  const auto after =
      std::upper_bound(runs.begin(), runs.end(), number, [](std::uint32_t value, const Run& run) { return value < run.number; });
  const Run& run = *std::prev(after);
  return {run.lane, run.subLane, run.first + (number - run.number)};
}

std::span<const std::uint32_t> StepEvents::unmatchedIn(trace::LaneId lane, std::uint32_t subLane) const {
  for (const Run& run : runs) {
    if (run.lane == lane && run.subLane == subLane) return run.unmatched;
  }
  return {};
}

std::optional<Partner> StepPartners::partnerOf(std::size_t side, const EventRef& event) const {
  const auto number = sides[side].numberOf(event);
  if (!number || sides[side].partner[*number] == StepEvents::kNone) return std::nullopt;
  const std::uint32_t other = sides[side].partner[*number];
  return Partner{sides[1 - side].eventOf(other), levels[side == 0 ? *number : other]};
}

base::Result<std::vector<StepPartners>> findPartners(const Analysis& a, const Analysis& b, const base::Progress& progress) {
  const analysis::DeviceLane* deviceA = mainLane(a);
  const analysis::DeviceLane* deviceB = mainLane(b);
  const std::vector<analysis::Step> none;
  const auto pairs = pairSteps(deviceA ? deviceA->steps : none, deviceB ? deviceB->steps : none);
  std::vector<StepPartners> out(pairs.size());
  if (deviceA == nullptr || deviceB == nullptr) return out;

  const StopCheck check(progress);
  try {
    std::array<std::vector<base::Interval>, 2> compared;
    for (const StepIndices& pair : pairs) {
      if (!pair.both()) continue;
      compared[0].push_back(deviceA->steps[*pair.index[0]].interval);
      compared[1].push_back(deviceB->steps[*pair.index[1]].interval);
    }
    const std::array<SideAtWork, 2> sides{SideAtWork{a, *deviceA, rolesOf(a, *deviceA, compared[0], check)},
                                          SideAtWork{b, *deviceB, rolesOf(b, *deviceB, compared[1], check)}};
    const SharedNumbers numbers = sharedNumbers({&a, &b}, check);
    StepMatcher matcher(numbers, check);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      progress.report(p, pairs.size());
      if (!pairs[p].both()) continue;
      std::array<std::vector<Traits>, 2> traits;
      for (std::size_t s = 0; s < 2; ++s) {
        const base::Interval& step = sides[s].device.steps[*pairs[p].index[s]].interval;
        traits[s] = collect(sides[s], step, numbers.names[s], numbers.classes[s], out[p].sides[s], check);
      }
      matcher.match(out[p], traits);
      for (StepEvents& events : out[p].sides) listUnmatched(events);
    }
  } catch (const StopCheck::Stopped&) {
    return base::fail({base::ErrorCode::Cancelled, "Cancelled."});
  }
  return out;
}

}  // namespace threewalls::compare

#pragma once

#include "analysis/analysis.h"
#include "base/progress.h"
#include "base/result.h"
#include "compare/step_pairs.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace threewalls::compare {

/// What two partners have in common besides the step and their place among the events of which the same is true.
enum class MatchLevel : std::uint8_t {
  Stream,  ///< role of the stream and name
  Name,    ///< name; the other side runs it on streams of other roles only
  Class,   ///< role of the stream and kernel class; neither name occurs in the other side's step
};
constexpr std::size_t kMatchLevelCount = 3;

/// What a stream is mostly used for, by time in the compared steps. Streams have other numbers in every run.
enum class StreamRole : std::uint8_t { Compute, Communication, Memory };
constexpr std::size_t kStreamRoleCount = 3;

struct Partner {
  trace::EventRef event;  ///< on the other side
  MatchLevel level = MatchLevel::Stream;
};

/// The GPU events of one side that start in a step, and which of them have no partner. Events are numbered through, sub-lane
/// after sub-lane.
struct StepEvents {
  struct Run {
    trace::LaneId lane{0};
    std::uint32_t subLane = 0;
    std::uint32_t first = 0;               ///< index of the first event within the sub-lane
    std::uint32_t number = 0;              ///< of that event
    std::vector<std::uint32_t> unmatched;  ///< indices within the sub-lane, ascending
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::vector<Run> runs;
  std::vector<std::uint32_t> partner;  ///< by number: the partner's number on the other side, or kNone
  std::uint64_t unmatched = 0;

  std::optional<std::uint32_t> numberOf(const trace::EventRef& event) const;
  trace::EventRef eventOf(std::uint32_t number) const;
  /// Events of a sub-lane without a partner; empty when the step has none there.
  std::span<const std::uint32_t> unmatchedIn(trace::LaneId lane, std::uint32_t subLane) const;
};

/// Partners within one step; both sides are empty when only one of them ran it.
struct StepPartners {
  std::array<StepEvents, 2> sides;                        ///< A, B
  std::vector<MatchLevel> levels;                         ///< by number in A; of no meaning where there is no partner
  std::array<std::uint64_t, kMatchLevelCount> matched{};  ///< pairs by level

  std::uint64_t pairs() const { return matched[0] + matched[1] + matched[2]; }
  /// Whether the event of a side (0: A, 1: B) starts in this step and was looked at.
  bool holds(std::size_t side, const trace::EventRef& event) const { return sides[side].numberOf(event).has_value(); }
  /// None as well for events that the step does not hold.
  std::optional<Partner> partnerOf(std::size_t side, const trace::EventRef& event) const;
};

/// For every GPU event of A's main lane that starts in a step its partner in the same step of B's: the one with the same key
/// and the same place by start among the events of that key. Keys are tried in the order of MatchLevel; an event goes on to the
/// next level only when the other side has none with its key, so that surplus occurrences stay unmatched. Kernels that the class
/// table does not know have no class to match by. One entry for each of pairSteps(). Costs the events of the compared steps;
/// fails with ErrorCode::Cancelled only.
base::Result<std::vector<StepPartners>> findPartners(const analysis::Analysis& a, const analysis::Analysis& b,
                                                     const base::Progress& progress = {});

}  // namespace threewalls::compare

#pragma once

#include "analysis/ledger.h"
#include "analysis/steps.h"
#include "base/units.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::analysis {

/// The walls of definitions.md.
enum class WallKind : std::uint8_t { Communication, HostLaunch, Compute, Memory };
constexpr std::array<WallKind, 4> kWallKinds = {WallKind::Communication, WallKind::HostLaunch, WallKind::Compute,
                                                WallKind::Memory};
/// "communication", "host_launch", "compute", "memory".
std::string_view id(WallKind wall);
/// "communication", "host / launch", "compute", "memory".
std::string_view label(WallKind wall);

/// One figure behind a wall, with where to see it.
struct WallReason {
  WallKind wall = WallKind::Compute;
  std::string text;                       ///< one sentence with the figure and what it is a share of
  base::Nanoseconds amount{0};            ///< time behind the figure
  std::vector<base::Interval> intervals;  ///< the largest stretches behind it, longest first, at most 16
};

/// What limits the median steady step of the slowest lane; each share is an upper bound on what fixing that wall alone gives.
struct Wall {
  std::optional<WallKind> dominant;  ///< none: no wall above 10 %, or two within 2 points of each other
  std::optional<WallKind> runnerUp;
  std::array<double, 4> recoverable{};  ///< share of the step, 0..1, by WallKind; memory is 0: a trace alone does not show it
  std::vector<WallReason> reasons;      ///< largest first
  std::string verdict;                  ///< one sentence for people: the claim, or why there is none
  /// The step it was taken from: index into Analysis::lanes and into its steps.
  std::optional<std::size_t> lane;
  std::optional<std::size_t> step;
};

constexpr double kWallThreshold = 0.10;  ///< no wall below this share of the step
constexpr double kWallTie = 0.02;        ///< two walls closer than this are both named and none is claimed
constexpr std::size_t kReasonIntervals = 16;

/// The wall of one step of one device; `lane` and `step` are left to the caller.
Wall findWall(const trace::Trace& trace, const Classification& classes, const std::vector<trace::LaneId>& streams,
              const DeviceOccupancy& occupancy, const Step& step);
/// Names dominant and runner-up from the recoverable shares and writes the verdict about `step`.
void judge(Wall& wall, const Step& step);

}  // namespace threewalls::analysis

#pragma once

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
constexpr std::array<WallKind, 4> kWallKinds = {WallKind::Communication, WallKind::HostLaunch, WallKind::Compute, WallKind::Memory};
/// "communication", "host_launch", "compute", "memory".
std::string_view id(WallKind wall);
/// "communication", "host / launch", "compute", "memory".
std::string_view label(WallKind wall);

/// One figure behind a wall, with where to see it.
struct WallReason {
  WallKind wall = WallKind::Compute;
  std::string text;               ///< one sentence with the figure and what it is a share of
  base::Nanoseconds amount{0};    ///< time behind the figure
  std::vector<base::Interval> intervals;  ///< the largest stretches behind it, longest first, at most 16
};

/// What limits the median steady step of the slowest lane; each share is an upper bound on what fixing that wall alone gives.
struct Wall {
  std::optional<WallKind> dominant;  ///< none: no wall above 10 %, or two within 2 points
  std::optional<WallKind> runnerUp;
  std::array<double, 4> recoverable{};  ///< share of the step, 0..1, by WallKind
  std::vector<WallReason> reasons;      ///< largest first
  std::string verdict;                  ///< one sentence for people: the claim, or why there is none
  /// The step it was taken from: index into Analysis::lanes and into its steps.
  std::optional<std::size_t> lane;
  std::optional<std::size_t> step;
};

}  // namespace threewalls::analysis

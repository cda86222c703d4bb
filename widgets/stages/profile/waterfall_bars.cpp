#include "profile/waterfall_bars.h"

#include "common/badge.h"
#include "common/text.h"

#include <algorithm>

namespace threewalls::profile {
namespace {

using analysis::LedgerPart;
using base::Nanoseconds;
using common::Side;

WaterfallBar whole(Side side, Nanoseconds duration) {
  return {
      common::letter(side) + QStringLiteral(" step"), common::duration(duration), Nanoseconds(0), duration, std::nullopt, side};
}

analysis::IntervalSet stretches(const analysis::DeviceOccupancy& occupancy, LedgerPart part) {
  switch (part) {
    case LedgerPart::Compute: return occupancy.compute();
    case LedgerPart::ExposedCommunication: return occupancy.exposed();
    case LedgerPart::Memory: return occupancy.memory();
    case LedgerPart::IdleHost: return occupancy.hostBoundIdle();
    case LedgerPart::IdleProfiler: return occupancy.profilerIdle();
    case LedgerPart::IdleOther: return subtract(subtract(occupancy.idle(), occupancy.hostBoundIdle()), occupancy.profilerIdle());
  }
  return {};
}

}  // namespace

QString shortLabel(LedgerPart part) {
  switch (part) {
    case LedgerPart::Compute: return QStringLiteral("compute");
    case LedgerPart::ExposedCommunication: return QStringLiteral("exposed comm.");
    case LedgerPart::Memory: return QStringLiteral("memory ops");
    case LedgerPart::IdleHost: return QStringLiteral("idle: host");
    case LedgerPart::IdleProfiler: return QStringLiteral("idle: profiler");
    case LedgerPart::IdleOther: return QStringLiteral("idle: other");
  }
  return {};
}

std::vector<WaterfallBar> waterfallBars(const compare::Waterfall& waterfall) {
  std::vector<WaterfallBar> bars = {whole(Side::A, waterfall.meanA)};
  Nanoseconds level = waterfall.meanA;
  for (const LedgerPart part : analysis::kLedgerParts) {
    const Nanoseconds delta = waterfall.delta[static_cast<std::size_t>(part)];
    bars.push_back({shortLabel(part), common::signedDuration(delta), level, level + delta, part, Side::A});
    level += delta;
  }
  bars.push_back(whole(Side::B, waterfall.meanB));
  return bars;
}

std::vector<WaterfallBar> breakdownBars(const compare::Waterfall& parts, Side side) {
  std::vector<WaterfallBar> bars;
  Nanoseconds level{0};
  for (const LedgerPart part : analysis::kLedgerParts) {
    const Nanoseconds length = parts.delta[static_cast<std::size_t>(part)];
    bars.push_back({shortLabel(part), common::duration(length), level, level + length, part, side});
    level += length;
  }
  bars.push_back(whole(side, parts.meanB));
  return bars;
}

std::optional<base::Interval> longestStretch(const analysis::Analysis& analysis, LedgerPart part) {
  std::optional<base::Interval> longest;
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    if (lane.steps.empty()) continue;
    const base::Interval steps{lane.steps.front().interval.start, lane.steps.back().interval.end};
    const analysis::IntervalSet inSteps = stretches(lane.occupancy, part).clipped(steps);
    for (const base::Interval& stretch : inSteps.intervals()) {
      if (!longest || stretch.length() > longest->length()) longest = stretch;
    }
  }
  return longest;
}

}  // namespace threewalls::profile

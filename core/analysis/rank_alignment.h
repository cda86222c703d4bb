#pragma once

#include "analysis/kernel_class.h"
#include "base/result.h"
#include "base/units.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace threewalls::analysis {

/// One collective as one rank recorded it, on that rank's clock.
struct CollectiveCall {
  std::string name;            ///< of the collective where it is recorded, else of the kernel
  std::string group;           ///< process group; empty when not recorded
  std::int64_t sequence = -1;  ///< number within the group; -1 when not recorded
  base::Interval interval;
};

/// What one rank's recording brings to an alignment, by start.
struct RankCollectives {
  std::optional<int> rank;
  std::vector<CollectiveCall> calls;
};

/// NCCL's and RCCL's kernels of a trace of one rank. Times count from the Unix epoch where the file says what its times count
/// from.
RankCollectives collectivesOf(const trace::Trace& trace, const Classification& classes);

/// How the collectives of different ranks were taken for the same one.
enum class MatchBasis : std::uint8_t {
  GroupAndSequence,
  NameAndOrder,  ///< the n-th of a name, for names that occur equally often on all ranks: an assumption, to be said
};
/// "group_and_sequence", "name_and_order".
std::string_view toText(MatchBasis basis);

/// How a rank's clock runs against the first rank's.
struct RankClock {
  base::Nanoseconds offset{0};  ///< to add to the rank's times, at Alignment::middle
  double driftPpm = 0;  ///< change of the offset, in µs per second; 0 where none can be told from scatter or fewer than 16 match
  /// 95 % of the matched ends agree this closely once aligned. Ranks that always finish late by the same time look like an
  /// offset: that part cannot be seen in a trace.
  base::Nanoseconds errorBar{0};
  std::size_t matched = 0;
};

/// One collective on all ranks that took part, on the first rank's clock.
struct MatchedCollective {
  std::string name;
  std::vector<std::optional<base::Interval>> byRank;  ///< as the input
};

struct Alignment {
  MatchBasis basis = MatchBasis::NameAndOrder;
  std::vector<RankClock> clocks;               ///< as the input; the first is zero
  base::Nanoseconds middle{0};                 ///< where offsets hold, on the first rank's clock
  base::Nanoseconds errorBar{0};               ///< the largest of all ranks
  std::vector<MatchedCollective> collectives;  ///< by first start
};

/// Clock offsets from matched collectives: no rank can leave one before the last has entered, so they end together. The offset is
/// the median difference of ends; a drift (median of pairwise slopes) is taken out where it shows. Refuses, with the reason, when
/// there are fewer than two ranks, fewer than three common collectives, ends that scatter by more than the collectives last, or
/// collectives that would end on one rank before they began on another.
base::Result<Alignment> alignRanks(const std::vector<RankCollectives>& ranks);

/// Who waited for whom.
struct Arrivals {
  struct Rank {
    std::size_t last = 0;           ///< collectives that this rank entered last, by more than twice the error bar
    base::Nanoseconds lateness{0};  ///< median of its arrival after the middle rank's
  };
  std::vector<Rank> ranks;              ///< as the input of the alignment
  base::Nanoseconds medianSkew{0};      ///< last arrival less first
  base::Nanoseconds medianTransfer{0};  ///< end less last arrival: what is left when nobody waits
  /// Index of the rank that was last in more than half of the collectives whose skew can be told from scatter; none otherwise.
  std::optional<std::size_t> straggler;
};
Arrivals arrivalsOf(const Alignment& alignment);

}  // namespace threewalls::analysis

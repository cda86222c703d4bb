#include "analysis/rank_alignment.h"

#include "base/format.h"
#include "base/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace threewalls::analysis {
namespace {

using base::Interval;
using base::Nanoseconds;

constexpr std::size_t kFewest = 3;  ///< collectives in common
constexpr std::size_t kFewestForDrift = 16;
constexpr std::size_t kMostForSlope = 200;
constexpr double kContradictions = 0.2;     ///< share of collectives that may contradict the alignment
constexpr double kSmallestErrorBar = 1000;  ///< ns: profilers round to a microsecond

/// Collective -> its interval on each rank, on the ranks' own clocks.
using Matches = std::map<std::string, std::vector<std::optional<Interval>>>;

bool sequenced(const std::vector<RankCollectives>& ranks) {
  return std::all_of(ranks.begin(), ranks.end(), [](const RankCollectives& rank) {
    return !rank.calls.empty() && std::all_of(rank.calls.begin(), rank.calls.end(), [](const CollectiveCall& call) {
      return !call.group.empty() && call.sequence >= 0;
    });
  });
}

/// A collective that a rank recorded as several kernels gets its parts numbered.
Matches matchBySequence(const std::vector<RankCollectives>& ranks) {
  Matches out;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    std::map<std::string, int> parts;
    for (const CollectiveCall& call : ranks[r].calls) {
      const std::string key = call.name + '\0' + call.group + '\0' + std::to_string(call.sequence);
      auto& row = out.try_emplace(key + '\0' + std::to_string(parts[key]++), ranks.size()).first->second;
      row[r] = call.interval;
    }
  }
  return out;
}

Matches matchByOrder(const std::vector<RankCollectives>& ranks) {
  std::vector<std::map<std::string, std::vector<Interval>>> byName(ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    for (const CollectiveCall& call : ranks[r].calls) byName[r][call.name].push_back(call.interval);
  }
  Matches out;
  for (const auto& [name, first] : byName.front()) {
    const bool equal = std::all_of(byName.begin(), byName.end(), [&, &wanted = name, count = first.size()](const auto& rank) {
      const auto at = rank.find(wanted);
      return at != rank.end() && at->second.size() == count;
    });
    for (std::size_t i = 0; equal && i < first.size(); ++i) {
      auto& row = out.try_emplace(name + '\0' + std::to_string(i), ranks.size()).first->second;
      for (std::size_t r = 0; r < ranks.size(); ++r) row[r] = byName[r].at(name)[i];
    }
  }
  return out;
}

/// Difference of ends to what is already aligned, over time, in ns from `origin`.
struct Difference {
  double time = 0;
  double value = 0;
};

double slopeOf(const std::vector<Difference>& points) {
  const std::size_t stride = std::max<std::size_t>(1, points.size() / kMostForSlope);
  std::vector<double> slopes;
  for (std::size_t i = 0; i < points.size(); i += stride) {
    for (std::size_t j = i + stride; j < points.size(); j += stride) {
      const double dt = points[j].time - points[i].time;
      if (dt > 0) slopes.push_back((points[j].value - points[i].value) / dt);
    }
  }
  return base::median(std::move(slopes));
}

struct Fit {
  double offset = 0;  ///< at the origin of time
  double slope = 0;
  std::vector<double> scatter;  ///< absolute residuals, ascending
  double at(double time) const { return offset + slope * time; }
};

Fit fitWith(const std::vector<Difference>& points, double slope) {
  Fit out;
  out.slope = slope;
  std::vector<double> values;
  for (const Difference& point : points) values.push_back(point.value - slope * point.time);
  out.offset = base::median(std::move(values));
  for (const Difference& point : points) out.scatter.push_back(std::abs(point.value - out.at(point.time)));
  std::sort(out.scatter.begin(), out.scatter.end());
  return out;
}

/// Takes a drift when the slope is more than four of its standard errors, judged by the scatter around it.
Fit fit(const std::vector<Difference>& points) {
  Fit flat = fitWith(points, 0);
  if (points.size() < kFewestForDrift) return flat;
  Fit drifting = fitWith(points, slopeOf(points));
  const auto count = static_cast<double>(points.size());
  double mean = 0, spread = 0;
  for (const Difference& point : points) mean += point.time / count;
  for (const Difference& point : points) spread += (point.time - mean) * (point.time - mean) / count;
  const double error = 1.4826 * base::median(drifting.scatter) / std::sqrt(count * spread);
  return spread > 0 && std::abs(drifting.slope) > 4 * error ? drifting : flat;
}

double quantile95(const std::vector<double>& ascending) {
  const auto at = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(ascending.size())));
  return ascending[std::min(ascending.size(), std::max<std::size_t>(at, 1)) - 1];
}

base::Error refused(std::string why) {
  return {base::ErrorCode::Unsupported,
          "The clocks of these ranks cannot be aligned: " + why + ".",
          "",
          {},
          {},
          "Record the same steps on every rank, with the collectives' process groups and sequence numbers if possible."};
}

class Aligner {
 public:
  Aligner(const std::vector<RankCollectives>& ranks, Matches matches) : m_ranks(ranks), m_matches(std::move(matches)) {}

  base::Result<Alignment> run(MatchBasis basis) {
    m_out.basis = basis;
    std::erase_if(m_matches, [](const auto& match) {
      return std::count_if(match.second.begin(), match.second.end(), [](const auto& part) { return part.has_value(); }) < 2;
    });
    findOrigin();
    m_fits.resize(m_ranks.size());
    m_out.clocks.resize(m_ranks.size());
    m_fits[0] = Fit{};
    for (std::size_t done = 1; done < m_ranks.size(); ++done) {
      const std::size_t next = mostConnected();
      const std::vector<Difference> points = differences(next);
      if (points.size() < kFewest) {
        return base::fail(refused("rank " + word(next) + " shares " + std::to_string(points.size()) +
                                  " collectives with the others, and " + std::to_string(kFewest) + " are needed"));
      }
      m_fits[next] = fit(points);
      RankClock& clock = m_out.clocks[next];
      clock.offset = Nanoseconds(std::llround(m_fits[next]->offset) - m_start[next] + m_start[0]);
      clock.driftPpm = m_fits[next]->slope * 1e6;
      clock.errorBar = Nanoseconds(std::llround(std::max(quantile95(m_fits[next]->scatter), kSmallestErrorBar)));
      clock.matched = points.size();
      m_out.errorBar = std::max(m_out.errorBar, clock.errorBar);
    }
    collect();
    if (const auto why = contradiction()) return base::fail(refused(*why));
    return std::move(m_out);
  }

 private:
  /// Each rank's times count from its own first matched start, so that they fit a double; time 0 of fits is the middle of rank
  /// 0's.
  void findOrigin() {
    m_start.assign(m_ranks.size(), std::numeric_limits<std::int64_t>::max());
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const auto& [key, row] : m_matches) {
      for (std::size_t r = 0; r < row.size(); ++r) {
        if (row[r]) m_start[r] = std::min(m_start[r], row[r]->start.count());
      }
      if (row[0]) last = std::max(last, row[0]->end.count());
    }
    for (std::int64_t& start : m_start) {
      if (start == std::numeric_limits<std::int64_t>::max()) start = 0;
    }
    if (last < m_start[0]) last = m_start[0];
    m_out.middle = Nanoseconds(m_start[0] + (last - m_start[0]) / 2);
    m_half = static_cast<double>((last - m_start[0]) / 2);
  }

  double local(std::size_t rank, Nanoseconds time) const { return static_cast<double>(time.count() - m_start[rank]) - m_half; }
  /// On rank 0's clock, counted as local(0, ...) counts.
  double aligned(std::size_t rank, Nanoseconds time) const {
    const double t = local(rank, time);
    return t + m_fits[rank]->at(t);
  }
  std::string word(std::size_t index) const {
    return m_ranks[index].rank ? std::to_string(*m_ranks[index].rank) : "of file " + std::to_string(index + 1);
  }

  std::vector<Difference> differences(std::size_t rank) const {
    std::vector<Difference> out;
    for (const auto& [key, row] : m_matches) {
      if (!row[rank]) continue;
      std::vector<double> ends;
      for (std::size_t r = 0; r < row.size(); ++r) {
        if (row[r] && m_fits[r]) ends.push_back(aligned(r, row[r]->end));
      }
      if (ends.empty()) continue;
      const double own = local(rank, row[rank]->end);
      out.push_back({own, base::median(std::move(ends)) - own});
    }
    std::sort(out.begin(), out.end(), [](const Difference& a, const Difference& b) { return a.time < b.time; });
    return out;
  }

  std::size_t mostConnected() const {
    std::vector<std::size_t> common(m_ranks.size());
    for (const auto& [key, row] : m_matches) {
      bool known = false;
      for (std::size_t r = 0; r < row.size(); ++r) known |= row[r] && m_fits[r];
      for (std::size_t r = 0; known && r < row.size(); ++r) common[r] += row[r] ? 1 : 0;
    }
    std::optional<std::size_t> best;
    for (std::size_t r = 0; r < common.size(); ++r) {
      if (!m_fits[r] && (!best || common[r] > common[*best])) best = r;
    }
    return *best;
  }

  void collect() {
    for (const auto& [key, row] : m_matches) {
      MatchedCollective& out = m_out.collectives.emplace_back();
      out.name = key.substr(0, key.find('\0'));
      for (std::size_t r = 0; r < row.size(); ++r) {
        const auto at = [&](Nanoseconds time) { return m_out.middle + Nanoseconds(std::llround(aligned(r, time))); };
        out.byRank.push_back(row[r] ? std::optional<Interval>({at(row[r]->start), at(row[r]->end)}) : std::nullopt);
      }
    }
    std::sort(m_out.collectives.begin(), m_out.collectives.end(), [](const MatchedCollective& a, const MatchedCollective& b) {
      const auto first = [](const MatchedCollective& c) {
        Nanoseconds out = Nanoseconds::max();
        for (const auto& part : c.byRank) out = part ? std::min(out, part->start) : out;
        return out;
      };
      return first(a) < first(b);
    });
  }

  std::optional<std::string> contradiction() const {
    std::vector<double> lengths;
    std::size_t impossible = 0;
    for (const MatchedCollective& collective : m_out.collectives) {
      Nanoseconds lastStart = Nanoseconds::min(), firstEnd = Nanoseconds::max();
      for (const auto& part : collective.byRank) {
        if (!part) continue;
        lengths.push_back(static_cast<double>(part->length().count()));
        lastStart = std::max(lastStart, part->start);
        firstEnd = std::min(firstEnd, part->end);
      }
      impossible += lastStart > firstEnd + m_out.errorBar ? 1 : 0;
    }
    if (static_cast<double>(m_out.errorBar.count()) > std::max(base::median(lengths), 10 * kSmallestErrorBar)) {
      return "the ends of matched collectives scatter by " + base::formatDuration(m_out.errorBar) +
             ", more than the collectives last";
    }
    if (static_cast<double>(impossible) > kContradictions * static_cast<double>(m_out.collectives.size())) {
      return std::to_string(impossible) + " of " + std::to_string(m_out.collectives.size()) +
             " collectives would end on one rank before they began on another";
    }
    return std::nullopt;
  }

  const std::vector<RankCollectives>& m_ranks;
  Matches m_matches;
  std::vector<std::int64_t> m_start;
  double m_half = 0;
  std::vector<std::optional<Fit>> m_fits;
  Alignment m_out;
};

}  // namespace

std::string_view toText(MatchBasis basis) {
  return basis == MatchBasis::GroupAndSequence ? "group_and_sequence" : "name_and_order";
}

base::Result<Alignment> alignRanks(const std::vector<RankCollectives>& ranks) {
  if (ranks.size() < 2) return base::fail(refused("there are fewer than two ranks"));
  const MatchBasis basis = sequenced(ranks) ? MatchBasis::GroupAndSequence : MatchBasis::NameAndOrder;
  return Aligner(ranks, basis == MatchBasis::GroupAndSequence ? matchBySequence(ranks) : matchByOrder(ranks)).run(basis);
}

}  // namespace threewalls::analysis

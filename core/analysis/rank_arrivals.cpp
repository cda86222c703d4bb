// arrivalsOf() of rank_alignment.h.
#include "analysis/rank_alignment.h"
#include "base/statistics.h"

#include <algorithm>
#include <cmath>

namespace threewalls::analysis {

using base::Nanoseconds;

Arrivals arrivalsOf(const Alignment& alignment) {
  Arrivals out;
  out.ranks.resize(alignment.clocks.size());
  std::vector<std::vector<double>> lateness(out.ranks.size());
  std::vector<double> skews, transfers;
  std::size_t told = 0;
  for (const MatchedCollective& collective : alignment.collectives) {
    std::vector<double> arrivals;
    Nanoseconds first = Nanoseconds::max(), last = Nanoseconds::min(), end = Nanoseconds::max();
    std::size_t lastRank = 0;
    for (std::size_t r = 0; r < collective.byRank.size(); ++r) {
      const auto& part = collective.byRank[r];
      if (!part) continue;
      arrivals.push_back(static_cast<double>((part->start - alignment.middle).count()));
      if (part->start > last) {
        last = part->start;
        lastRank = r;
      }
      first = std::min(first, part->start);
      end = std::min(end, part->end);
    }
    const double middle = base::median(arrivals);
    for (std::size_t r = 0; r < collective.byRank.size(); ++r) {
      if (const auto& part = collective.byRank[r])
        lateness[r].push_back(static_cast<double>((part->start - alignment.middle).count()) - middle);
    }
    skews.push_back(static_cast<double>((last - first).count()));
    transfers.push_back(static_cast<double>(std::max(end - last, Nanoseconds{0}).count()));
    if (last - first <= 2 * alignment.errorBar) continue;
    ++told;
    ++out.ranks[lastRank].last;
  }
  const auto rounded = [](double value) { return Nanoseconds(std::llround(value)); };
  for (std::size_t r = 0; r < out.ranks.size(); ++r) {
    out.ranks[r].lateness = rounded(base::median(lateness[r]));
    if (2 * out.ranks[r].last > told) out.straggler = r;
  }
  out.medianSkew = rounded(base::median(skews));
  out.medianTransfer = rounded(base::median(transfers));
  return out;
}

}  // namespace threewalls::analysis

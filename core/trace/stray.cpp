#include "trace/stray.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

namespace threewalls::trace {
namespace {

constexpr std::size_t kCoveredStarts = 3;
constexpr std::int64_t kTimesPercentile = 10;

std::int64_t percentile999(std::vector<std::int64_t>& durations) {
  const std::size_t rank = (durations.size() * 999 + 999) / 1000;  // nearest rank: ceil(0.999 n), counted from 1
  const auto place = durations.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(durations.begin(), place, durations.end());
  return *place;
}

}  // namespace

void checkGpuDurations(std::vector<SortedLane>& lanes, const std::string& file, base::Diagnostics& diagnostics) {
  std::vector<std::int64_t> durations;
  double total = 0;
  for (const SortedLane& lane : lanes) {
    if (lane.key->kind != LaneKind::GpuStream) continue;
    for (const RawEvent& event : lane.events) {
      durations.push_back(event.duration);
      total += static_cast<double>(event.duration);
    }
  }
  if (durations.empty()) return;
  const std::int64_t usual = percentile999(durations);
  durations = {};

  std::uint64_t strays = 0;
  std::uint64_t overlaps = 0;
  double strayTime = 0;
  for (SortedLane& lane : lanes) {
    if (lane.key->kind != LaneKind::GpuStream) continue;
    std::int64_t lastEnd = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i < lane.events.size(); ++i) {
      RawEvent& event = lane.events[i];
      const std::int64_t end = event.start + event.duration;
      const std::size_t witness = i + kCoveredStarts + 1;
      overlaps += event.start < lastEnd ? 1 : 0;
      if (event.duration / kTimesPercentile >= usual && event.duration > usual * kTimesPercentile &&
          witness < lane.events.size() && lane.events[witness].start < end) {
        event.flags |= event_flag::kStray;
        ++strays;
        strayTime += static_cast<double>(event.duration);
      } else {
        lastEnd = std::max(lastEnd, end);
      }
    }
  }
  if (strays > 0) {
    char share[32];
    std::snprintf(share, sizeof(share), "%.1f %%", 100 * strayTime / total);
    diagnostics.note({base::Severity::Warning,
                      "stray_duration",
                      std::string("Some GPU events last unbelievably long, over many later ones of their stream; they make up ") +
                          share + " of the summed GPU time.",
                      file,
                      {},
                      {},
                      strays});
  }
  if (overlaps > 0) {
    diagnostics.note({base::Severity::Info,
                      "same_stream_overlap",
                      "Some GPU events start before an earlier one of their stream has ended (programmatic dependent launch, or "
                      "clock artefacts); they stand on further rows and times are unions.",
                      file,
                      {},
                      {},
                      overlaps});
  }
}

}  // namespace threewalls::trace

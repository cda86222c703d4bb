#include "trace/sub_lane.h"

#include <algorithm>

namespace threewalls::trace {

base::Nanoseconds SubLane::duration(std::uint32_t i) const {
  if (m_duration[i] != kLong) return base::Nanoseconds(m_duration[i]);
  const auto entry = std::lower_bound(m_longDurations.begin(), m_longDurations.end(), i,
                                      [](const auto& pair, std::uint32_t index) { return pair.first < index; });
  return base::Nanoseconds(entry->second);
}

std::uint64_t SubLane::byteOffset(std::uint32_t i) const {
  return (static_cast<std::uint64_t>(m_offsetHigh[i]) << 32) | m_offsetLow[i];
}

std::uint32_t SubLane::firstEndingAfter(base::Nanoseconds time) const {
  // Events never overlap: the ends stand in the order of the starts, and the last event that starts at or before `time` and is
  // not over yet is at most one step before the first later start. Zero-length events at `time` itself can lie in between.
  std::uint32_t low = 0;
  std::uint32_t high = size();
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (end(middle) > time) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

std::uint32_t SubLane::firstStartingAt(base::Nanoseconds time) const {
  return static_cast<std::uint32_t>(std::lower_bound(m_start.begin(), m_start.end(), time.count()) - m_start.begin());
}

RangeSummary SubLane::summary(std::uint32_t first, std::uint32_t last) const {
  return m_pyramid.summary(first, last, [this](std::uint32_t i) { return duration(i).count(); });
}

RangeSummary SubLane::summary(base::Interval range) const {
  if (range.empty()) return {};
  const std::uint32_t first = firstEndingAfter(range.start);
  const std::uint32_t last = firstStartingAt(range.end);
  RangeSummary out = summary(first, last);
  if (out.count == 0) return out;
  out.busy -= std::max(base::Nanoseconds(0), range.start - start(first));
  out.busy -= std::max(base::Nanoseconds(0), end(last - 1) - range.end);
  return out;
}

std::size_t SubLane::bytes() const {
  return sizeof(SubLane) + m_start.capacity() * sizeof(m_start[0]) + m_duration.capacity() * sizeof(m_duration[0]) +
         m_name.capacity() * sizeof(m_name[0]) + m_launch.capacity() * sizeof(m_launch[0]) + m_kindAndFlags.capacity() +
         m_offsetHigh.capacity() + m_offsetLow.capacity() * sizeof(m_offsetLow[0]) +
         m_longDurations.capacity() * sizeof(m_longDurations[0]) + m_pyramid.bytes();
}

void SubLane::reserve(std::uint32_t count) {
  m_start.reserve(count);
  m_duration.reserve(count);
  m_name.reserve(count);
  m_launch.reserve(count);
  m_kindAndFlags.reserve(count);
  m_offsetHigh.reserve(count);
  m_offsetLow.reserve(count);
}

void SubLane::append(const RawEvent& event) {
  if (event.duration >= kLong) m_longDurations.emplace_back(size(), event.duration);
  const std::uint64_t offset = std::min(event.byteOffset, kNoOffset);
  m_start.push_back(event.start);
  m_duration.push_back(static_cast<std::uint32_t>(std::min<std::int64_t>(event.duration, kLong)));
  m_name.push_back(event.name);
  m_launch.push_back(kNoLaunch);
  m_kindAndFlags.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(event.kind) | (event.flags & 7U) << 5));
  m_offsetHigh.push_back(static_cast<std::uint8_t>(offset >> 32));
  m_offsetLow.push_back(static_cast<std::uint32_t>(offset));
}

void SubLane::finish() {
  m_pyramid = Pyramid(size(), [this](std::uint32_t i) { return duration(i).count(); });
}

}  // namespace threewalls::trace

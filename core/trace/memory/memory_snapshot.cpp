#include "trace/memory/memory_snapshot.h"

#include "trace/memory/call_site.h"
#include "trace/memory/pickle_reader.h"
#include "trace/plain_file.h"
#include "trace/valid_text.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace threewalls::trace::memory {
namespace {

using Ref = PickleData::Ref;

constexpr std::uint64_t kRounding = 512;                      ///< CUDACachingAllocator.h, kMinBlockSize
constexpr std::int64_t kLargestSize = std::int64_t{1} << 50;  ///< a petabyte: larger ones are damage
constexpr std::uint64_t kLargestSnapshot = std::uint64_t{2} << 30;
constexpr std::size_t kMostSites = 1000;
constexpr int kMostDevices = 128;

/// One entry of a device's trace.
struct Event {
  enum class Action { Alloc, Free, SegmentAlloc, SegmentFree, OutOfMemory, Other } action = Action::Other;
  std::int64_t address = 0;
  std::uint64_t size = 0;
  std::int64_t timeUs = 0;
  std::optional<Ref> frames;
};

Event::Action actionOf(std::string_view word) {
  if (word == "alloc") return Event::Action::Alloc;
  if (word == "free_requested" || word == "free") return Event::Action::Free;
  if (word == "segment_alloc" || word == "segment_map") return Event::Action::SegmentAlloc;
  if (word == "segment_free" || word == "segment_unmap") return Event::Action::SegmentFree;
  return word == "oom" ? Event::Action::OutOfMemory : Event::Action::Other;
}

std::uint64_t rounded(std::uint64_t size) {
  return (size + kRounding - 1) / kRounding * kRounding;
}

class SnapshotReader {
 public:
  /// Shared lists could be walked through over and over: all entries together may not be more than the file has `bytes`.
  SnapshotReader(const PickleData& data, const std::string& file, std::uint64_t bytes)
      : m_data(data), m_file(file), m_budget(bytes) {}

  base::Result<MemorySnapshot> read() {
    const auto traces = m_data.member(m_data.root(), "device_traces");
    const auto segments = m_data.member(m_data.root(), "segments");
    if (!traces && !segments) {
      return base::fail({base::ErrorCode::UnknownFormat,
                         "This pickle is no PyTorch memory snapshot: it has neither segments nor device_traces.",
                         m_file,
                         {},
                         {},
                         "Write one with torch.cuda.memory._dump_snapshot(\"NAME.pickle\")."});
    }
    std::map<int, std::vector<Event>> events;
    if (traces) {
      int device = 0;
      for (const Ref trace : m_data.items(*traces)) {
        if (device < kMostDevices) events[device++] = eventsOf(trace);
      }
    }
    if (segments) readSegments(*segments);
    for (const auto& [device, list] : events) {
      if (!list.empty()) m_devices[device].device = device;
    }
    for (auto& [number, device] : m_devices) {
      device.device = number;
      replay(events[number], device);
      m_out.devices.push_back(std::move(device));
    }
    note(base::Severity::Warning, "bad_event", "Some entries have no size or address that can be believed; they were left out.",
         m_bad);
    note(base::Severity::Info, "history_incomplete",
         "The recording does not go back to the first allocation; what was allocated before has no call stack.", m_incomplete);
    note(base::Severity::Warning, "out_of_memory", "Allocations failed while the recording ran.", m_outOfMemory);
    note(base::Severity::Info, "history_not_recorded",
         "The snapshot holds no allocation history: only the state at its end is known.", m_withoutHistory);
    return std::move(m_out);
  }

 private:
  std::optional<std::int64_t> number(Ref value, std::string_view key) const {
    const auto member = m_data.member(value, key);
    return member ? m_data.integer(*member) : std::nullopt;
  }
  std::string_view word(Ref value, std::string_view key) const {
    const auto member = m_data.member(value, key);
    return member ? m_data.text(*member) : std::string_view();
  }
  std::uint64_t size(Ref value, std::string_view key) const {
    const auto bytes = number(value, key);
    return bytes && *bytes >= 0 && *bytes <= kLargestSize ? static_cast<std::uint64_t>(*bytes) : 0;
  }

  std::vector<Event> eventsOf(Ref trace) {
    std::vector<Event> out;
    for (const Ref entry : m_data.items(trace)) {
      if (!spend()) break;
      Event event;
      event.action = actionOf(word(entry, "action"));
      const auto address = number(entry, "addr");
      const auto bytes = number(entry, "size");
      const bool believable = bytes && *bytes >= 0 && *bytes <= kLargestSize;
      if (event.action != Event::Action::Other && event.action != Event::Action::OutOfMemory && (!address || !believable)) {
        ++m_bad;
        continue;
      }
      event.address = address.value_or(0);
      event.size = believable ? static_cast<std::uint64_t>(*bytes) : 0;
      event.timeUs = number(entry, "time_us").value_or(0);
      event.frames = m_data.member(entry, "frames");
      out.push_back(event);
    }
    return out;
  }

  void readSegments(Ref segments) {
    for (const Ref segment : m_data.items(segments)) {
      const std::int64_t number64 = number(segment, "device").value_or(0);
      if (number64 < 0 || number64 >= kMostDevices) continue;
      DeviceMemory& device = m_devices[static_cast<int>(number64)];
      device.reservedAtEnd += size(segment, "total_size");
      const auto blocks = m_data.member(segment, "blocks");
      if (!blocks) continue;
      for (const Ref block : m_data.items(*blocks)) {
        if (!spend()) break;
        if (word(block, "state") == "active_allocated") device.allocatedAtEnd += size(block, "size");
      }
    }
  }

  /// Two passes over the events: when the peak is, then what was alive at it.
  void replay(const std::vector<Event>& events, DeviceMemory& device) {
    device.events = events.size();
    std::unordered_map<std::int64_t, std::uint64_t> alive;
    std::int64_t net = 0, netReserved = 0;
    bool unknownFree = false;
    for (const Event& event : events) {
      if (event.action == Event::Action::Alloc) {
        net += static_cast<std::int64_t>(rounded(event.size));
        alive[event.address] = event.size;
      } else if (event.action == Event::Action::Free) {
        net -= static_cast<std::int64_t>(rounded(event.size));
        unknownFree |= alive.erase(event.address) == 0;
      } else if (event.action == Event::Action::SegmentAlloc) {
        netReserved += static_cast<std::int64_t>(event.size);
      } else if (event.action == Event::Action::SegmentFree) {
        netReserved -= static_cast<std::int64_t>(event.size);
      }
      device.outOfMemory += event.action == Event::Action::OutOfMemory ? 1 : 0;
    }
    m_outOfMemory += device.outOfMemory;
    const std::int64_t startReserved = static_cast<std::int64_t>(device.reservedAtEnd) - netReserved;
    device.wholeHistory = !events.empty() && !unknownFree && startReserved == 0;
    m_incomplete += !events.empty() && !device.wholeHistory ? 1 : 0;
    m_withoutHistory += events.empty() ? 1 : 0;
    std::int64_t allocated =
        device.wholeHistory ? 0 : std::max<std::int64_t>(static_cast<std::int64_t>(device.allocatedAtEnd) - net, 0);
    std::int64_t reserved = std::max<std::int64_t>(startReserved, 0);
    const std::int64_t before = allocated;

    std::int64_t peak = allocated, peakReserved = reserved, reservedAtPeak = reserved;
    std::optional<std::size_t> peakAt;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i];
      if (event.action == Event::Action::Alloc) allocated += static_cast<std::int64_t>(rounded(event.size));
      if (event.action == Event::Action::Free) allocated -= static_cast<std::int64_t>(rounded(event.size));
      if (event.action == Event::Action::SegmentAlloc) reserved += static_cast<std::int64_t>(event.size);
      if (event.action == Event::Action::SegmentFree) reserved -= static_cast<std::int64_t>(event.size);
      peakReserved = std::max(peakReserved, reserved);
      if (allocated <= peak) continue;
      peak = allocated;
      reservedAtPeak = reserved;
      peakAt = i;
    }
    device.peakAllocated = static_cast<std::uint64_t>(peak);
    device.peakReserved = static_cast<std::uint64_t>(std::max<std::int64_t>(peakReserved, 0));
    device.reservedAtPeak = static_cast<std::uint64_t>(std::max<std::int64_t>(reservedAtPeak, 0));
    if (peakAt && events[*peakAt].timeUs > 0 && events[*peakAt].timeUs < std::int64_t{1} << 53)
      device.peakTimeNs = events[*peakAt].timeUs * 1000;
    collectSites(events, peakAt ? *peakAt + 1 : 0, static_cast<std::uint64_t>(before), device);
  }

  void collectSites(const std::vector<Event>& events, std::size_t until, std::uint64_t before, DeviceMemory& device) {
    std::unordered_map<std::int64_t, const Event*> alive;
    for (std::size_t i = 0; i < until; ++i) {
      const Event& event = events[i];
      if (event.action == Event::Action::Alloc) alive[event.address] = &event;
      if (event.action != Event::Action::Free) continue;
      if (alive.erase(event.address) == 0) before -= std::min(before, rounded(event.size));
    }
    std::map<Site, AllocationSite> sites;
    for (const auto& [address, event] : alive) {
      const auto key = event->frames ? siteOf(m_data, *event->frames) : Site{};
      AllocationSite& site = sites[key];
      site.bytes += rounded(event->size);
      ++site.count;
    }
    for (auto& [key, site] : sites) {
      site.function = key.function.empty() ? "(no call stack)" : validText(key.function);
      site.file = validText(key.file);
      site.line = key.line;
      device.sites.push_back(std::move(site));
    }
    if (before > 0) device.sites.push_back({"(allocated before the recording)", "", 0, before, 0});
    std::stable_sort(device.sites.begin(), device.sites.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    if (device.sites.size() > kMostSites) device.sites.resize(kMostSites);
  }

  bool spend() {
    if (m_budget == 0) return false;
    --m_budget;
    return true;
  }

  void note(base::Severity severity, const char* code, const char* message, std::uint64_t count) {
    if (count > 0) m_out.diagnostics.note({severity, code, message, m_file, {}, {}, count});
  }

  const PickleData& m_data;
  const std::string& m_file;
  std::uint64_t m_budget;
  std::map<int, DeviceMemory> m_devices;
  std::uint64_t m_bad = 0, m_incomplete = 0, m_outOfMemory = 0, m_withoutHistory = 0;
  MemorySnapshot m_out;
};

}  // namespace

bool recognised(std::string_view firstBytes) {
  if (firstBytes.size() < 2 || firstBytes[0] != '\x80') return false;
  const std::string_view head = firstBytes.substr(0, 4096);
  return head.find("segments") != std::string_view::npos || head.find("device_traces") != std::string_view::npos;
}

base::Result<MemorySnapshot> readMemorySnapshot(std::string_view bytes, const std::string& file) {
  const auto data = PickleData::read(bytes);
  if (!data) {
    base::Error error = data.error();
    error.file = file;
    if (error.hint.empty()) error.hint = "Write a snapshot with torch.cuda.memory._dump_snapshot(\"NAME.pickle\").";
    return base::fail(std::move(error));
  }
  return SnapshotReader(*data, file, bytes.size()).read();
}

base::Result<MemorySnapshot> openMemorySnapshot(const std::string& path, const base::Progress& progress) {
  const auto file = readPlainFile(path, progress);
  if (!file) return base::fail(file.error());
  const auto bytes = wholeText(*file, kLargestSnapshot);
  if (!bytes) return base::fail(bytes.error());
  auto snapshot = readMemorySnapshot(*bytes, path);
  if (snapshot) snapshot->diagnostics.merge(file->diagnostics);
  return snapshot;
}

}  // namespace threewalls::trace::memory

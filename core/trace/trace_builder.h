#pragma once

#include "base/progress.h"
#include "trace/stop_check.h"
#include "trace/trace.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace threewalls::trace {

/// Gathers events in any order and makes a Trace of them: sorts each lane, splits it into sub-lanes, ties GPU events to their
/// launch calls, flags stray durations and builds the pyramids. Importers, tests and benchmarks all go through it.
class TraceBuilder {
 public:
  TraceInfo info;
  base::Diagnostics diagnostics;

  NameId intern(std::string_view name) { return m_names.intern(name); }
  /// Takes a whole table, for importers that keep their own; replaces what was interned here.
  void setNames(NameTable&& names) { m_names = std::move(names); }
  /// The lane with this key, made when it is new. Handles stay valid until build().
  std::uint32_t lane(const LaneKey& key);
  /// Words for people; an empty one gives "stream 7", "thread 415", "GPU 0", "process 415".
  void setLabels(std::uint32_t lane, std::string label, std::string processLabel);
  /// Display order: lanes sort by (kind, process order, process label, thread order, label), numbers in labels as numbers; 0 when
  /// not set.
  void setSortOrder(std::uint32_t lane, std::int64_t processOrder, std::int64_t threadOrder);
  void add(std::uint32_t lane, const RawEvent& event) { m_pending[lane].chunks.back().push_back(event); }
  /// Takes a whole vector at once, for importers that read pieces in parallel.
  void add(std::uint32_t lane, std::vector<RawEvent>&& events);
  void setText(std::shared_ptr<const RawText> text) { m_text = std::move(text); }

  /// Leaves the builder empty. Empty lanes are dropped. Launch calls are those of host threads; they are tied to events of GPU
  /// streams by (correlation space, correlation), where the space of a GPU lane is its key's process or, when that is empty, the
  /// only process of the file that launches anything.
  /// Null when `progress` asks to stop.
  std::shared_ptr<const Trace> build(const base::Progress& progress = {}) &&;

 private:
  struct Pending {
    LaneKey key;
    std::string label;
    std::string processLabel;
    std::int64_t processOrder = 0;
    std::int64_t threadOrder = 0;
    std::vector<std::vector<RawEvent>> chunks;  ///< the last one is for single events
  };
  std::shared_ptr<const Trace> assemble(const StopCheck& check) &&;
  struct KeyHash {
    std::size_t operator()(const LaneKey& key) const;
  };

  NameTable m_names;
  std::vector<Pending> m_pending;
  std::unordered_map<LaneKey, std::uint32_t, KeyHash> m_laneOf;
  std::shared_ptr<const RawText> m_text;
};

}  // namespace threewalls::trace

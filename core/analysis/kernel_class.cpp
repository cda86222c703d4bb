#include "analysis/kernel_class.h"

#include <algorithm>
#include <utility>

namespace threewalls::analysis {
namespace {

constexpr std::array<std::string_view, kColourClassCount> kColourNames = {
    "attention", "dense GEMM", "expert GEMM", "dispatch", "combine", "other collectives", "memory", "other"};

bool isBlank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::string_view toText(ColourClass colour) {
  return kColourNames[static_cast<std::size_t>(colour)];
}

std::string normalisedKernelName(std::string_view name) {
  constexpr std::array<std::string_view, 2> kUnnamed = {"(anonymous namespace)::", "<unnamed>::"};
  std::string out;
  out.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto unnamed = std::find_if(kUnnamed.begin(), kUnnamed.end(),
                                      [rest = name.substr(i)](std::string_view word) { return rest.starts_with(word); });
    if (unnamed != kUnnamed.end()) {
      i += unnamed->size() - 1;
    } else if (!isBlank(name[i])) {
      out += name[i];
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

Classification::Classification(const trace::Trace& trace, std::shared_ptr<const ClassTable> table)
    : m_table(std::move(table)), m_byName(trace.names().size(), m_table->unclassified()) {
  std::vector<bool> seen(trace.names().size(), false);
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.key.kind != trace::LaneKind::GpuStream) continue;
    for (const trace::SubLane& subLane : lane.subLanes) {
      for (const trace::NameId name : subLane.names()) {
        if (seen[trace::index(name)]) continue;
        seen[trace::index(name)] = true;
        m_byName[trace::index(name)] = m_table->classify(trace.names()[name]);
      }
    }
  }
}

}  // namespace threewalls::analysis

#include "base/diagnostics.h"

#include <algorithm>

namespace threewalls::base {

std::string_view toText(Severity severity) {
  switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "error";
}

void Diagnostics::note(Diagnostic diagnostic) {
  const auto same = std::find_if(m_entries.begin(), m_entries.end(), [&](const Diagnostic& entry) {
    return entry.code == diagnostic.code && entry.file == diagnostic.file;
  });
  if (same == m_entries.end()) {
    m_entries.push_back(std::move(diagnostic));
    return;
  }
  same->count += diagnostic.count;
  // Pieces are read in any order: the earliest place is the one worth showing.
  if (diagnostic.byteOffset && (!same->byteOffset || *diagnostic.byteOffset < *same->byteOffset)) {
    same->byteOffset = diagnostic.byteOffset;
    same->line = diagnostic.line;
  }
}

void Diagnostics::merge(const Diagnostics& other) {
  for (const Diagnostic& entry : other.m_entries) note(entry);
}

std::uint64_t Diagnostics::count(std::string_view code) const {
  std::uint64_t total = 0;
  for (const Diagnostic& entry : m_entries) {
    if (entry.code == code) total += entry.count;
  }
  return total;
}

}  // namespace threewalls::base

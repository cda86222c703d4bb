#pragma once

#include "base/diagnostics.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace threewalls::trace {

/// What a text importer repairs, skips or counts; `diagnosticsOf` says it in words.
enum class Finding : std::uint8_t {
  ByteOrderMark,
  ControlCharacter,
  InvalidUtf8,
  NotANumberToken,
  TextNumber,
  BadNumber,
  MissingDuration,
  NegativeDuration,
  MissingTime,
  TimeOutOfRange,
  DuplicateKey,
  UnfinishedBegin,
  UnmatchedEnd,
  DamagedEvent,
  NotAnEvent,
  TruncatedText,
  MissingBracket,
  TrailingText,
  ImplausibleTime,
  Instant,
  Counter,
  Async,
  UnknownPhase,
  Count
};

/// Counts of findings with the place of the first, in the plain text.
class Findings {
 public:
  void note(Finding finding, std::uint64_t offset, std::uint64_t count = 1) {
    Entry& entry = m_entries[static_cast<std::size_t>(finding)];
    if (entry.count == 0 || offset < entry.offset) entry.offset = offset;
    entry.count += count;
  }
  void merge(const Findings& other);
  std::uint64_t count(Finding finding) const { return m_entries[static_cast<std::size_t>(finding)].count; }
  /// One diagnostic for each finding, in the order of the enumeration.
  base::Diagnostics diagnosticsOf(const std::string& file) const;

 private:
  struct Entry {
    std::uint64_t count = 0;
    std::uint64_t offset = 0;
  };
  std::array<Entry, static_cast<std::size_t>(Finding::Count)> m_entries{};
};

}  // namespace threewalls::trace

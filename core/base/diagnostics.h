#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::base {

enum class Severity { Info, Warning, Error };

/// "info", "warning", "error": the words of the command line contract.
std::string_view toText(Severity severity);

/// Something that was repaired, skipped or not known while reading, with how often it happened and where it was first seen.
struct Diagnostic {
  Severity severity = Severity::Info;
  std::string code = {};     ///< stable snake_case id, such as `missing_duration`
  std::string message = {};  ///< one sentence for people
  std::string file = {};
  std::optional<std::uint64_t> byteOffset = {};
  std::optional<std::uint64_t> line = {};
  std::uint64_t count = 1;
};

/// An ordered list with one entry per (code, file): noting a code again adds to its count and keeps the first place.
class Diagnostics {
 public:
  void note(Diagnostic diagnostic);
  void merge(const Diagnostics& other);
  const std::vector<Diagnostic>& entries() const { return m_entries; }
  bool empty() const { return m_entries.empty(); }
  /// How often `code` was noted over all files; 0 when never.
  std::uint64_t count(std::string_view code) const;

 private:
  std::vector<Diagnostic> m_entries;
};

}  // namespace threewalls::base

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::trace::ncu {

/// Records of a CSV text (RFC 4180: quotes, doubled quotes, line breaks inside quotes), one at a time. A quote that is never
/// closed ends with the text.
class CsvRecords {
 public:
  explicit CsvRecords(std::string_view text, std::uint64_t firstLine = 1) : m_text(text), m_line(firstLine) {}
  /// Reads the next record into fields(); false at the end. Empty lines are skipped. At most kMostFields fields are kept.
  bool next();
  const std::vector<std::string>& fields() const { return m_fields; }
  std::uint64_t line() const { return m_recordLine; }  ///< where the record began, from 1
  bool unclosedQuote() const { return m_unclosed; }
  /// The record as it stands, for lines that are no CSV.
  std::string_view raw() const { return m_raw; }

  static constexpr std::size_t kMostFields = 65536;

 private:
  std::string_view m_text;
  std::size_t m_at = 0;
  std::uint64_t m_line;
  std::uint64_t m_recordLine = 1;
  bool m_unclosed = false;
  std::vector<std::string> m_fields;
  std::string_view m_raw;
};

}  // namespace threewalls::trace::ncu

#include "trace/findings.h"

namespace threewalls::trace {
namespace {

using base::Severity;

struct Words {
  Severity severity;
  const char* code;
  const char* message;
};

Words wordsOf(Finding finding) {
  switch (finding) {
    case Finding::ByteOrderMark:
      return {Severity::Info, "byte_order_mark", "A byte order mark in front of the text was skipped."};
    case Finding::ControlCharacter:
      return {Severity::Warning, "control_character", "Raw control characters, which JSON forbids, were read as blanks."};
    case Finding::InvalidUtf8:
      return {Severity::Warning, "invalid_utf8", "Bytes that are not UTF-8 were replaced by question marks."};
    case Finding::NotANumberToken:
      return {Severity::Info, "not_a_number_token",
              "Arguments of copies hold NaN or Infinity, which JSON does not know; they are left aside."};
    case Finding::TextNumber: return {Severity::Info, "text_number", "Times written as text were read as numbers."};
    case Finding::BadNumber:
      return {Severity::Warning, "bad_number",
              "Times that are no numbers: such a duration counts as zero, an event without a start is left out."};
    case Finding::MissingDuration:
      return {Severity::Warning, "missing_duration", "Complete events without a duration count as zero long."};
    case Finding::NegativeDuration: return {Severity::Warning, "negative_duration", "Negative durations were set to zero."};
    case Finding::MissingTime: return {Severity::Warning, "missing_time", "Events without a start time were left out."};
    case Finding::TimeOutOfRange:
      return {Severity::Warning, "time_out_of_range", "Events more than 126 years from the others were left out."};
    case Finding::DuplicateKey:
      return {Severity::Info, "duplicate_key", "A key stands twice in one object; the last value counts."};
    case Finding::UnfinishedBegin:
      return {Severity::Warning, "unfinished_begin", "Begin events without an end were drawn to the last time of their thread."};
    case Finding::UnmatchedEnd: return {Severity::Warning, "unmatched_end", "End events without a begin were left out."};
    case Finding::DamagedEvent: return {Severity::Warning, "damaged_event", "Events whose text is damaged were left out."};
    case Finding::NotAnEvent:
      return {Severity::Warning, "not_an_event", "Entries of the event list that are no objects were left out."};
    case Finding::TruncatedText:
      return {Severity::Warning, "truncated_text",
              "The text ends in the middle of an event: the file was cut short, later events are missing."};
    case Finding::MissingBracket:
      return {Severity::Info, "missing_bracket",
              "The event list is not closed; the file may have been cut short between two events."};
    case Finding::TrailingText: return {Severity::Info, "trailing_text", "Text behind the end of the document was left aside."};
    case Finding::ImplausibleTime:
      return {
          Severity::Warning, "implausible_time",
          "Times lie beyond the year 2096 when read as microseconds, as the format says; perhaps the writer used nanoseconds. "
          "Event times count from the first event."};
    case Finding::Instant: return {Severity::Info, "instant_event", "Instant events, such as memory records, are not shown."};
    case Finding::Counter: return {Severity::Info, "counter_event", "Counter events are not shown."};
    case Finding::Async: return {Severity::Info, "async_event", "Asynchronous events are not shown."};
    case Finding::UnknownPhase: return {Severity::Info, "unknown_phase", "Events of an unknown phase (ph) were left out."};
    case Finding::Count: break;
  }
  return {Severity::Info, "", ""};
}

}  // namespace

void Findings::merge(const Findings& other) {
  for (std::size_t i = 0; i < m_entries.size(); ++i) {
    if (other.m_entries[i].count > 0) note(static_cast<Finding>(i), other.m_entries[i].offset, other.m_entries[i].count);
  }
}

base::Diagnostics Findings::diagnosticsOf(const std::string& file) const {
  base::Diagnostics out;
  for (std::size_t i = 0; i < m_entries.size(); ++i) {
    if (m_entries[i].count == 0) continue;
    const Words words = wordsOf(static_cast<Finding>(i));
    out.note({words.severity, words.code, words.message, file, m_entries[i].offset, {}, m_entries[i].count});
  }
  return out;
}

}  // namespace threewalls::trace

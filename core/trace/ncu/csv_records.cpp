#include "trace/ncu/csv_records.h"

namespace threewalls::trace::ncu {

bool CsvRecords::next() {
  while (m_at < m_text.size() && (m_text[m_at] == '\n' || m_text[m_at] == '\r')) m_line += m_text[m_at++] == '\n' ? 1 : 0;
  if (m_at >= m_text.size()) return false;
  m_recordLine = m_line;
  m_fields.clear();
  const std::size_t begin = m_at;
  std::string field;
  bool quoted = false;
  const auto finishField = [&] {
    if (m_fields.size() < kMostFields) m_fields.push_back(std::move(field));
    field.clear();
  };
  for (; m_at < m_text.size(); ++m_at) {
    const char c = m_text[m_at];
    if (quoted) {
      if (c == '\n') ++m_line;
      if (c != '"') {
        field += c;
      } else if (m_at + 1 < m_text.size() && m_text[m_at + 1] == '"') {
        field += m_text[++m_at];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      finishField();
    } else if (c == '\n') {
      break;
    } else if (c != '\r') {
      field += c;
    }
  }
  m_unclosed = quoted;
  finishField();
  m_raw = m_text.substr(begin, m_at - begin);
  return true;
}

}  // namespace threewalls::trace::ncu

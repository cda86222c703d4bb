#include "table.h"

#include <algorithm>

namespace threewalls::cli {
namespace {

constexpr std::size_t kLineWidth = 100;

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Bytes of the well-formed UTF-8 character at the start of `text`; 0 when there is none.
std::size_t characterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    // C1 control characters (U+0080 to U+009F) steer terminals, too.
    const bool control =
        lead < 0x20 || lead == 0x7F || (length == 2 && lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0);
    if (length == 0 || control) {
      out += '?';
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

void Table::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < m_columns.size(); ++c) {
    std::size_t widest = width(m_columns[c].title);
    for (const auto& row : m_rows) widest = std::max(widest, c < row.size() ? width(row[c]) : 0);
    widths.push_back(widest);
  }
  const auto printRow = [&](const auto& cellAt) {
    std::string line = "  ";
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
      const std::string& cell = cellAt(c);
      const std::string fill(widths[c] - width(cell), ' ');
      line += m_columns[c].align == Align::Left ? cell + fill : fill + cell;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  static const std::string kBlank;
  printRow([&](std::size_t c) -> const std::string& { return m_columns[c].title; });
  for (const auto& row : m_rows) printRow([&](std::size_t c) -> const std::string& { return c < row.size() ? row[c] : kBlank; });
}

void printWrapped(std::ostream& out, std::string_view first, std::string_view text) {
  const std::string indent(width(first), ' ');
  std::string line(first);
  bool fresh = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!fresh && width(line) + 1 + width(word) > kLineWidth) {
      out << line << '\n';
      line = indent;
      fresh = true;
    }
    if (!fresh) line += ' ';
    line += word;
    fresh = false;
  }
  out << line << '\n';
}

}  // namespace threewalls::cli

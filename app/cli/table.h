#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::cli {

/// Text from a file made fit for a terminal: control characters, which could be escape sequences, and broken UTF-8 become "?".
std::string printable(std::string_view text);

/// A table of text for people: columns as wide as their widest cell, two blanks between them.
class Table {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Right;
  };

  explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}
  /// One cell a column; missing ones are blank.
  void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
  void print(std::ostream& out) const;

 private:
  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

/// Breaks `text` at blanks into lines of at most 100 characters and prints it after `first`, further lines after as many blanks.
void printWrapped(std::ostream& out, std::string_view first, std::string_view text);

}  // namespace threewalls::cli

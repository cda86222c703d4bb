#pragma once

#include "base/result.h"
#include "trace/raw_text.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace threewalls::trace::nsys {

/// One ordinary table: views, virtual tables and tables with generated columns could make SQLite run what the file's author
/// chose, and are never listed.
struct SqliteTable {
  std::string name;
  std::vector<std::string> columns;
};

/// Rows of one table in the file's order. Valid as long as its SqliteFile.
class SqliteRows {
 public:
  /// Steps to the next row; false at the end and at damage, see damaged().
  bool next();
  /// The rest of the table could not be read, or the rows went on longer than a file of this size can hold.
  bool damaged() const { return m_damaged; }
  const std::string& error() const { return m_error; }
  std::uint64_t rowsRead() const { return m_rows; }

  /// Row number in the table, 0 where it has none.
  std::int64_t rowId() const;
  /// Column by its place in the list that was asked for; none when it is NULL, no whole number, or not in the table.
  std::optional<std::int64_t> integer(int column) const;
  bool isNull(int column) const;
  /// At most kLongestText bytes; empty when NULL. Valid until next().
  std::string_view text(int column) const;

  static constexpr std::size_t kLongestText = std::size_t{64} << 10;

 private:
  friend class SqliteFile;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalizer> m_statement;
  std::string m_error;
  std::uint64_t m_rows = 0;
  std::uint64_t m_mostRows = 0;
  bool m_damaged = false;
};

/// A SQLite database that is only ever read: through a descriptor, without locks, journals, triggers or the schema's own
/// functions. A file that is shorter than its header says is read as far as it goes.
class SqliteFile {
 public:
  /// True when the first bytes are those of a SQLite database.
  static bool recognised(std::string_view firstBytes);
  /// Errors when the file is no database or its schema cannot be read.
  static base::Result<SqliteFile> open(std::shared_ptr<const RawText> file);

  const std::vector<SqliteTable>& tables() const { return m_tables; }
  /// None when there is no such table.
  const SqliteTable* table(std::string_view name) const;
  /// The whole table; columns that it lacks read as NULL. An error only when SQLite refuses the query.
  base::Result<SqliteRows> rows(const SqliteTable& table, const std::vector<std::string>& columns) const;
  /// As rows(), but only the row with this number.
  base::Result<SqliteRows> row(const SqliteTable& table, const std::vector<std::string>& columns, std::int64_t rowId) const;
  /// The highest row number: about how many rows a table has. 0 when unknown.
  std::uint64_t estimatedRows(const SqliteTable& table) const;
  /// Bytes that the header promises and the file lacks.
  std::uint64_t missingBytes() const { return m_missingBytes; }

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  base::Result<SqliteRows> prepare(const std::string& sql) const;

  std::shared_ptr<const RawText> m_file;
  std::unique_ptr<sqlite3, Closer> m_database;
  std::vector<SqliteTable> m_tables;
  std::uint64_t m_missingBytes = 0;
};

}  // namespace threewalls::trace::nsys

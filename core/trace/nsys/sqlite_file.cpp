#include "trace/nsys/sqlite_file.h"

#include "trace/nsys/descriptor_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>

namespace threewalls::trace::nsys {
namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::uint64_t kSmallestRow = 2;  ///< bytes of a row in a table leaf, without its columns
constexpr std::size_t kMostTables = 4096;

std::uint32_t bigEndian32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// What the database header says about the size of the file; 0 when it does not say.
std::uint64_t sizeByHeader(std::string_view header) {
  if (header.size() < 100 || bigEndian32(header, 24) != bigEndian32(header, 92)) return 0;
  std::uint64_t page =
      static_cast<std::uint64_t>(static_cast<unsigned char>(header[16])) << 8 | static_cast<unsigned char>(header[17]);
  if (page == 1) page = 65536;
  return page * bigEndian32(header, 28);
}

/// Between `mark`s, with marks inside doubled: names in double quotes, texts in single ones.
std::string quoted(std::string_view text, char mark = '"') {
  std::string out(1, mark);
  for (const char c : text) {
    out += c;
    if (c == mark) out += mark;
  }
  return out += mark;
}

bool has(const SqliteTable& table, std::string_view column) {
  return std::find(table.columns.begin(), table.columns.end(), column) != table.columns.end();
}

std::string selectFrom(const SqliteTable& table, const std::vector<std::string>& columns, std::string_view rowId) {
  std::string sql = "SELECT " + std::string(rowId);
  for (const std::string& column : columns) sql += has(table, column) ? ", " + quoted(column) : ", NULL";
  return sql + " FROM " + quoted(table.name);
}

base::Error badDatabase(std::string message) {
  return {base::ErrorCode::BadData,
          std::move(message),
          "",
          {},
          {},
          "Export the report again: nsys export --type sqlite REPORT.nsys-rep"};
}

}  // namespace

void SqliteRows::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

bool SqliteRows::next() {
  if (m_damaged) return false;
  const int code = sqlite3_step(m_statement.get());
  if (code == SQLITE_DONE) return false;
  if (code == SQLITE_ROW && m_rows < m_mostRows) {
    ++m_rows;
    return true;
  }
  m_damaged = true;
  m_error = code == SQLITE_ROW ? "more rows than the file has room for" : sqlite3_errmsg(sqlite3_db_handle(m_statement.get()));
  return false;
}

std::int64_t SqliteRows::rowId() const {
  return sqlite3_column_int64(m_statement.get(), 0);
}

std::optional<std::int64_t> SqliteRows::integer(int column) const {
  if (sqlite3_column_type(m_statement.get(), column + 1) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(m_statement.get(), column + 1);
}

bool SqliteRows::isNull(int column) const {
  return sqlite3_column_type(m_statement.get(), column + 1) == SQLITE_NULL;
}

std::string_view SqliteRows::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column + 1));
  if (bytes == nullptr) return {};
  return {bytes, std::min(static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column + 1)), kLongestText)};
}

void SqliteFile::Closer::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

bool SqliteFile::recognised(std::string_view firstBytes) {
  return firstBytes.starts_with(kMagic);
}

base::Result<SqliteFile> SqliteFile::open(std::shared_ptr<const RawText> file) {
  const auto header = file->read(0, 100);
  if (!header) return base::fail(header.error());
  if (!recognised(*header)) return base::fail({base::ErrorCode::UnknownFormat, "This is not a SQLite database."});
  const std::uint64_t promised = sizeByHeader(*header);

  SqliteFile out;
  out.m_missingBytes = promised > file->size() ? promised - file->size() : 0;
  sqlite3* database = nullptr;
  const std::string path = descriptorPath(file->descriptor(), std::max(promised, file->size()));
  const int code = descriptorVfs() == nullptr
                       ? SQLITE_ERROR
                       : sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, descriptorVfs());
  out.m_file = std::move(file);
  out.m_database.reset(database);
  if (code != SQLITE_OK) return base::fail(badDatabase("SQLite cannot open this file."));
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_exec(database, "PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);

  auto names = out.prepare("SELECT 0, name FROM sqlite_master WHERE type='table' AND rootpage>0");
  if (!names) return base::fail(names.error());
  while (names->next() && out.m_tables.size() < kMostTables) out.m_tables.push_back({std::string(names->text(0)), {}});
  if (names->damaged())
    return base::fail(badDatabase("The table list of this SQLite file cannot be read: " + names->error() + "."));
  std::erase_if(out.m_tables, [&](SqliteTable& table) {
    auto columns = out.prepare("SELECT hidden, name FROM pragma_table_xinfo(" + quoted(table.name, '\'') + ")");
    bool computes = false;
    while (columns && columns->next()) {
      table.columns.emplace_back(columns->text(0));
      computes |= columns->rowId() != 0;  // the first result: a generated column, which runs an expression of the file's author
    }
    return computes;
  });
  return out;
}

const SqliteTable* SqliteFile::table(std::string_view name) const {
  const auto at = std::find_if(m_tables.begin(), m_tables.end(), [&](const SqliteTable& table) { return table.name == name; });
  return at == m_tables.end() ? nullptr : &*at;
}

base::Result<SqliteRows> SqliteFile::prepare(const std::string& sql) const {
  SqliteRows rows;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(m_database.get(), sql.c_str(), static_cast<int>(sql.size()) + 1, &statement, nullptr) != SQLITE_OK) {
    return base::fail(
        badDatabase("SQLite cannot read a table of this file: " + std::string(sqlite3_errmsg(m_database.get())) + "."));
  }
  rows.m_statement.reset(statement);
  rows.m_mostRows = m_file->size() / kSmallestRow;
  return rows;
}

base::Result<SqliteRows> SqliteFile::rows(const SqliteTable& table, const std::vector<std::string>& columns) const {
  auto rows = prepare(selectFrom(table, columns, "_rowid_"));
  return rows ? std::move(rows) : prepare(selectFrom(table, columns, "0"));  // a table WITHOUT ROWID
}

base::Result<SqliteRows> SqliteFile::row(const SqliteTable& table, const std::vector<std::string>& columns,
                                         std::int64_t rowId) const {
  return prepare(selectFrom(table, columns, "_rowid_") + " WHERE _rowid_ = " + std::to_string(rowId));
}

std::uint64_t SqliteFile::estimatedRows(const SqliteTable& table) const {
  auto rows = prepare("SELECT 0, max(_rowid_) FROM " + quoted(table.name));
  if (!rows || !rows->next()) return 0;
  const std::int64_t highest = rows->integer(0).value_or(0);
  return std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max<std::int64_t>(highest, 0)), m_file->size() / kSmallestRow);
}

}  // namespace threewalls::trace::nsys

#pragma once

#include "base/result.h"
#include "base/units.h"
#include "trace/trace.h"

#include <QByteArray>
#include <QString>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace threewalls::timeline {

/// A slice, or a stretch of a trace's own clock, that somebody marked.
struct Mark {
  std::uint64_t id = 0;  ///< within the session
  base::Interval interval;
  bool slice = false;  ///< of a slice: full name and label of its lane find it again in the same file
  QString name;
  QString lane;
  std::optional<trace::EventRef> event;  ///< of the slice; none where the open trace has no such
  QString note;                          ///< one line, may be empty, never markup
  bool temporary = false;                ///< has no note and ends with the session
  bool operator==(const Mark&) const = default;
};

constexpr int kLongestNote = 500;  ///< characters that can be typed

/// Text of any origin as a note: one line without control characters.
QString noteText(const QString& text);
/// The marked slice in its trace, by its times, name and lane; of another lane when there is none of that label.
std::optional<trace::EventRef> findSlice(const trace::Trace& trace, const Mark& mark);
/// A mark of a slice, without a note.
Mark markOf(const trace::Trace& trace, const trace::EventRef& event);

/// Where marks outlive the session: a folder with one JSON file a trace, named by the trace's content hash. Without a folder
/// nothing is read or written.
class MarkStore {
 public:
  MarkStore() = default;
  explicit MarkStore(QString folder) : m_folder(std::move(folder)) {}

  struct Loaded {
    std::vector<Mark> marks;  ///< without ids and events
    std::optional<base::Error> error;
  };
  /// What can be read of the marks of a trace. A damaged file is renamed and kept; the error says where.
  Loaded load(const QString& hash);
  /// Replaces the marks of a trace; temporary ones stay out. Those that another window has added since stay in the file. Fails
  /// with CannotWrite, and for a trace whose file could be neither read nor put aside.
  base::Result<void> save(const QString& hash, const std::string& traceFile, const std::vector<Mark>& marks);

 private:
  bool keeps(const QString& hash) const;
  QString pathOf(const QString& hash) const;
  base::Error putAside(const QString& hash, const std::string& why);

  QString m_folder;
  std::map<QString, std::set<QByteArray>> m_known;  ///< by hash: entries of the file that this session has read or written
  std::set<QString> m_closed;                       ///< hashes whose file must not be written over
};

}  // namespace threewalls::timeline

#pragma once

#include "trace/kineto_reader.h"

#include <QTemporaryDir>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::test {

/// JSON with ' for " where that reads better: no text of it may hold either.
std::string json(std::string text);

/// One complete event: `cat`, `name` (already escaped), pid, tid, ts and dur as they shall stand in the text, further members of
/// args.
std::string completeEvent(const std::string& cat, const std::string& name, const std::string& pid, const std::string& tid,
                          const std::string& ts, const std::string& dur, const std::string& args = "");

/// A cpu_op of process 1 and thread 1, in µs.
std::string op(const std::string& name, int start, int length);

/// A trace document of these events, laid out as kineto does.
std::string document(const std::vector<std::string>& events, const std::string& keysBefore = "",
                     const std::string& keysBehind = "");

/// A recording that is hard to cut: names with "},{", quotes and backslashes, nested arguments, begin and end events, launches
/// over several streams, metadata events in between.
std::vector<std::string> awkwardEvents(int count);

/// `text` as one gzip member.
std::string gzip(const std::string& text);

/// Files that vanish with the test.
class Folder {
 public:
  std::string write(const std::string& name, const std::string& content) const;
  std::string path() const { return m_folder.path().toStdString(); }

 private:
  QTemporaryDir m_folder;
};

/// The trace in a file, or in a file with this text; null with a warning when it cannot be read.
std::shared_ptr<const trace::Trace> opened(const std::string& path, const trace::ReadOptions& options = {});
std::shared_ptr<const trace::Trace> openedText(const std::string& text);

/// All that a trace says, lane by lane and event by event, as text that can be compared.
std::string dump(const trace::Trace& trace);

/// Every event with this name, in the order of lanes, rows and time.
std::vector<trace::EventRef> eventsNamed(const trace::Trace& trace, std::string_view name);

/// Of the first event with this name; -1 ns when there is none.
base::Nanoseconds startOf(const trace::Trace& trace, std::string_view name);
base::Nanoseconds lengthOf(const trace::Trace& trace, std::string_view name);

}  // namespace threewalls::test

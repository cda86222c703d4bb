#include "trace/kineto_reader.h"

#include "trace/event_list_reader.h"
#include "trace/file_recognition.h"
#include "trace/json_text.h"
#include "trace/text_source.h"
#include "trace/top_level_scanner.h"
#include "trace/trace_assembly.h"
#include "trace/trace_metadata.h"

#include <algorithm>
#include <array>
#include <thread>

namespace threewalls::trace {
namespace {

constexpr std::size_t kHead = std::size_t{64} << 10;
/// From this many µs on a time does not fit 64 bits of ns: such files count from their first event.
constexpr std::int64_t kLargestMicroseconds = kLargestTime / 1000;

/// One reading of a file's text from front to back.
class KinetoReader {
 public:
  KinetoReader(const std::string& path, TextSource& source, const base::Progress& progress, const ReadOptions& options)
      : m_path(path), m_source(source), m_progress(progress), m_options(options) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    if (m_options.threads == 0) m_options.threads = std::min(cores, 8U);
  }

  /// Null when the launch flows are needed and were not kept.
  base::Result<std::shared_ptr<const Trace>> run(bool keepFlows);

 private:
  using Stop = TopLevelScanner::Stop;

  base::Result<bool> readDocument(bool keepFlows);
  base::Result<bool> readEvents(bool keepFlows);
  base::Result<bool> readOrigin(std::uint64_t start);
  base::Result<std::shared_ptr<const Trace>> finish();

  const std::string& m_path;
  TextSource& m_source;
  const base::Progress& m_progress;
  ReadOptions m_options;
  std::uint64_t m_at = 0;  ///< in the plain text
  std::string m_head;
  TopLevelScanner m_scanner;
  TraceAssembly m_assembly;
  bool m_sawEvents = false;
  std::int64_t m_originMicroseconds = 0;
};

base::Result<std::shared_ptr<const Trace>> KinetoReader::run(bool keepFlows) {
  if (const auto read = readDocument(keepFlows); !read) return base::fail(read.error());
  if (!keepFlows && m_assembly.needsFlows()) return std::shared_ptr<const Trace>();
  const Findings& findings = m_assembly.findings();
  const std::uint64_t foreign = findings.count(Finding::NotAnEvent) + findings.count(Finding::UnknownPhase);
  const bool otherList = m_scanner.bareArray() && m_assembly.eventCount() == 0 && foreign > 0;
  if (m_sawEvents && !otherList) return finish();
  if (!m_scanner.inDocument() || (otherList && !looksLikeJsonList(m_head))) return base::fail(notATrace(m_path, m_head));
  return base::fail(jsonWithoutEvents(m_path, otherList ? std::string() : m_scanner.key()));
}

base::Result<bool> KinetoReader::readDocument(bool keepFlows) {
  std::vector<char> buffer(kHead);
  while (true) {
    if (m_progress.stopRequested()) return base::fail({base::ErrorCode::Cancelled, "Opening the trace was cancelled.", m_path});
    const auto got = m_source.read(m_at, buffer.data(), buffer.size());
    if (!got) return base::fail(got.error());
    std::string_view text(buffer.data(), *got);
    if (m_at == 0) {
      m_head = text;
      if (text.starts_with("\xEF\xBB\xBF")) {
        m_assembly.findings().note(Finding::ByteOrderMark, 0);
        text.remove_prefix(3);
        m_at = 3;
      }
    }
    if (text.empty()) {
      // The document did not end. What was missing is known if the event list was open; else it was cut behind it.
      if (m_sawEvents && !m_scanner.bareArray()) m_assembly.findings().note(Finding::MissingBracket, m_at);
      return true;
    }
    const TopLevelScanner::Step step = m_scanner.feed(text);
    m_at += step.consumed;
    if (tellsAnotherFormat(m_scanner.key())) return true;
    if (step.stop == Stop::Events) {
      const auto more = readEvents(keepFlows);
      if (!more || !*more) return more;
    } else if (step.stop == Stop::End || step.stop == Stop::NotJson) {
      if (step.stop == Stop::NotJson) --m_at;
      const bool onlyBlanks = text.substr(step.consumed).find_first_not_of(" \t\r\n") == std::string_view::npos;
      if (step.stop == Stop::NotJson || !onlyBlanks) m_assembly.findings().note(Finding::TrailingText, m_at);
      return true;
    }
  }
}

/// False when the file ended within the list.
base::Result<bool> KinetoReader::readEvents(bool keepFlows) {
  m_sawEvents = true;
  if (const auto origin = readOrigin(m_at); !origin) return origin;
  PiecePool pool(m_options.threads, {m_originMicroseconds, keepFlows});
  EventListReader reader(m_source, m_assembly, pool, m_options.threads, m_options.pieceBytes);
  const auto end = reader.read(m_at, m_progress);
  if (!end) {
    base::Error error = end.error();
    error.file = m_path;
    return base::fail(std::move(error));
  }
  m_scanner.eventsEnded();
  if (*end) {
    m_at = **end;
    return true;
  }
  m_at = m_source.textBytes();
  if (m_assembly.findings().count(Finding::TruncatedText) == 0) m_assembly.findings().note(Finding::MissingBracket, m_at);
  return false;
}

/// Sets the origin from the first time in the list when such times do not fit.
base::Result<bool> KinetoReader::readOrigin(std::uint64_t start) {
  std::vector<char> buffer(kHead);
  const auto got = m_source.read(start, buffer.data(), buffer.size());
  if (!got) return base::fail(got.error());
  std::string_view text(buffer.data(), *got);
  const std::size_t key = text.find("\"ts\"");
  if (key == std::string_view::npos) return true;
  text.remove_prefix(key + 4);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n:\""), text.size()));
  const auto first = parseInteger(text.substr(0, text.find_first_not_of("0123456789")));
  if (first && *first >= kLargestMicroseconds) {
    m_originMicroseconds = *first;
    m_assembly.findings().note(Finding::ImplausibleTime, start + key);
  }
  return true;
}

base::Result<std::shared_ptr<const Trace>> KinetoReader::finish() {
  const auto drained = m_source.drain(m_progress);
  if (!drained) return base::fail(drained.error());
  TraceBuilder builder;
  builder.info.file = m_path;
  readMetadata(m_scanner.entries(), builder.info);
  builder.info.format = m_assembly.kineto() || !builder.info.devices.empty() ? "kineto" : "chrome";
  builder.info.fileBytes = m_source.storedBytes();
  builder.info.contentHash = m_source.hash();
  m_assembly.moveTo(builder);
  builder.diagnostics = m_source.diagnostics();
  builder.diagnostics.merge(m_assembly.findings().diagnosticsOf(m_path));
  if (m_assembly.eventCount() == 0) {
    builder.diagnostics.note(
        {base::Severity::Warning, "no_events", "The file holds no events that last: there is nothing to show.", m_path});
  }
  builder.info.textBytes = m_source.textBytes();
  builder.setText(m_source.takeText());
  auto trace = std::move(builder).build(m_progress);
  if (trace == nullptr) return base::fail({base::ErrorCode::Cancelled, "Opening the trace was cancelled.", m_path});
  return trace;
}

}  // namespace

base::Result<std::shared_ptr<const Trace>> readTrace(const std::string& path, const base::Progress& progress,
                                                     const ReadOptions& options) {
  auto source = TextSource::open(path);
  if (!source) return base::fail(source.error());
  auto trace = KinetoReader(path, **source, progress, options).run(false);
  if (trace && *trace == nullptr) trace = KinetoReader(path, **source, progress, options).run(true);
  return trace;
}

}  // namespace threewalls::trace

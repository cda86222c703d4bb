#include "trace/ncu/ncu_report.h"

#include "trace/ncu/csv_records.h"
#include "trace/ncu/join_name.h"
#include "trace/ncu/localised_number.h"
#include "trace/ncu/metric_table.h"
#include "trace/plain_file.h"
#include "trace/valid_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace threewalls::trace::ncu {
namespace {

constexpr std::size_t kLongestMessage = 500;
constexpr std::uint64_t kLargestText = std::uint64_t{1} << 30;
constexpr std::size_t kMostLaunches = 1'000'000;

/// Place of the header line; npos when there is none.
std::size_t headerPlace(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const bool id = line.starts_with("\"ID\",") || line.starts_with("ID,");
    if (id && line.find("Kernel Name") != std::string_view::npos) return at;
    at += line.size() + 1;
  }
  return std::string_view::npos;
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional<std::int64_t>(value)
                                                                                   : std::nullopt;
}

/// "(320, 1, 1)".
std::array<std::int64_t, 3> triple(std::string_view text) {
  std::array<std::int64_t, 3> out{0, 0, 0};
  std::size_t part = 0;
  for (std::size_t at = 0; at < text.size() && part < 3; ++at) {
    if (text[at] < '0' || text[at] > '9') continue;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), out[part]);
    ++part;
    at = static_cast<std::size_t>(end - text.data());
  }
  return out;
}

class Reader {
 public:
  Reader(const std::string& file, const base::Progress& progress) : m_file(file), m_progress(progress) {}

  base::Result<NcuReport> read(std::string_view text) {
    const std::size_t header = headerPlace(text);
    if (header == std::string_view::npos) {
      return base::fail({base::ErrorCode::UnknownFormat,
                         "This is no CSV of Nsight Compute: no line begins with \"ID\".",
                         m_file,
                         {},
                         {},
                         "Write one with: ncu --csv --page raw -i REPORT.ncu-rep"});
    }
    const std::string_view preamble = text.substr(0, header);
    for (std::size_t at = 0; at < preamble.size();) {
      const std::string_view line = preamble.substr(at, preamble.find('\n', at) - at);
      noteMessage(line);
      at += line.size() + 1;
    }
    m_firstLine = static_cast<std::uint64_t>(std::count(preamble.begin(), preamble.end(), '\n')) + 1;
    // Two passes: how numbers are written is known only when all of them were seen.
    for (const bool learning : {true, false}) {
      if (!pass(text.substr(header), learning)) return base::fail({base::ErrorCode::Cancelled, "Loading was cancelled.", m_file});
    }
    if (m_launches.empty()) {
      return base::fail({base::ErrorCode::BadData,
                         "This Nsight Compute CSV holds no kernel launch.",
                         m_file,
                         {},
                         m_firstLine,
                         m_errors.empty() ? "" : "Nsight Compute said: " + m_errors});
    }
    return finish();
  }

 private:
  struct Launch {
    KernelMetrics kernel;
    MetricValues values;
  };

  void noteMessage(std::string_view line) {
    const bool error = line.starts_with("==ERROR==");
    if (!error && !line.starts_with("==WARNING==")) return;
    const std::string message = validText(line.substr(0, kLongestMessage));
    if (error) m_errors = m_errors.empty() ? message : (m_errors + " " + message).substr(0, 4 * kLongestMessage);
    if (!error) m_warnings = m_warnings.empty() ? message : (m_warnings + " " + message).substr(0, 4 * kLongestMessage);
    ++(error ? m_errorCount : m_warningCount);
  }

  std::size_t column(std::string_view name) const {
    const auto at = std::find(m_header.begin(), m_header.end(), name);
    return static_cast<std::size_t>(at - m_header.begin());
  }

  static std::string_view cell(const std::vector<std::string>& row, std::size_t column) {
    return column < row.size() ? std::string_view(row[column]) : std::string_view();
  }

  /// False when cancelled.
  bool pass(std::string_view text, bool learning) {
    CsvRecords records(text, m_firstLine);
    records.next();
    m_header = records.fields();
    if (m_header.size() > 1 && m_header[0].starts_with("\"")) m_header[0] = "ID";
    m_metricName = column("Metric Name");
    m_metricValue = column("Metric Value");
    m_cc = column("CC");
    const bool wide = m_metricName == m_header.size();
    std::vector<Unit> units(m_header.size());
    std::uint64_t count = 0;
    while (records.next()) {
      if (++count % 1024 == 0) {
        m_progress.report(records.line(), 0);
        if (m_progress.stopRequested()) return false;
      }
      const auto& row = records.fields();
      if (row[0].starts_with("==")) {
        if (!learning) noteMessage(records.raw());
        continue;
      }
      if (records.unclosedQuote() && !learning) ++m_cutRows;
      if (row[0].empty() && wide) {
        for (std::size_t i = 0; i < units.size(); ++i) units[i] = unitOf(cell(row, i));
        continue;
      }
      const auto id = wholeNumber(row[0]);
      const bool cut = wide && row.size() < m_header.size();
      if (!id || row.size() > m_header.size()) {
        if (!learning) ++m_badRows;
        continue;
      }
      if (cut && !learning) ++m_cutRows;
      if (wide) {
        readWide(row, *id, units, learning);
      } else {
        readLong(row, *id, learning);
      }
    }
    return true;
  }

  void readWide(const std::vector<std::string>& row, std::int64_t id, const std::vector<Unit>& units, bool learning) {
    const std::size_t first = firstMetric();
    if (learning) {
      for (std::size_t i = first; i < row.size(); ++i) m_style.learn(row[i]);
      return;
    }
    Launch* target = launch(row, id);
    for (std::size_t i = first; target != nullptr && i < row.size(); ++i) {
      if (const auto value = m_style.parse(row[i])) target->values.insert_or_assign(m_header[i], *value * units[i].factor);
    }
  }

  void readLong(const std::vector<std::string>& row, std::int64_t id, bool learning) {
    const std::string_view name = cell(row, m_metricName), text = cell(row, m_metricValue);
    if (learning) {
      m_style.learn(text);
      return;
    }
    Launch* target = launch(row, id);
    const auto value = m_style.parse(text);
    if (target == nullptr || name.empty() || !value) return;  // rows of rules have no metric
    const Unit unit = unitOf(cell(row, column("Metric Unit")));
    const bool raw = name.find("__") != std::string_view::npos;
    std::string key(name);
    if (!raw) key = std::string(cell(row, column("Section Name"))) + "/" + key + " [" + unit.base + "]";
    target->values.insert_or_assign(std::move(key), *value * unit.factor);
  }

  /// Columns before the first metric say which launch a row is about.
  std::size_t firstMetric() const {
    const auto at = std::find_if(m_header.begin(), m_header.end(),
                                 [](const std::string& name) { return name.find("__") != std::string::npos; });
    return static_cast<std::size_t>(at - m_header.begin());
  }

  Launch* launch(const std::vector<std::string>& row, std::int64_t id) {
    const std::string process = validText(cell(row, column("Process ID")));
    const auto [at, fresh] = m_byKey.try_emplace({process, id}, m_launches.size());
    if (!fresh) return &m_launches[at->second];
    if (m_launches.size() >= kMostLaunches) return nullptr;
    KernelMetrics& kernel = m_launches.emplace_back().kernel;
    kernel.id = id;
    kernel.process = process;
    kernel.name = validText(cell(row, column("Kernel Name")));
    kernel.joinName = joinName(kernel.name);
    kernel.stream = validText(cell(row, column("Stream")));
    kernel.computeCapability = validText(cell(row, m_cc));
    kernel.grid = triple(cell(row, column("Grid Size")));
    kernel.block = triple(cell(row, column("Block Size")));
    if (const auto device = wholeNumber(cell(row, column("Device"))); device && *device >= 0 && *device < 1024)
      kernel.device = static_cast<int>(*device);
    return &m_launches.back();
  }

  void note(base::Severity severity, const char* code, std::string message, std::uint64_t count) {
    if (count > 0) m_report.diagnostics.note({severity, code, std::move(message), m_file, {}, {}, count});
  }

  NcuReport finish() {
    std::map<std::string, std::uint64_t> missing, unknown;
    std::uint64_t generations = 0, half2 = 0;
    for (Launch& launch : m_launches) {
      const Understood understood = applyMetricTable(launch.values, launch.kernel);
      for (const std::string& word : understood.missing) ++missing[word];
      for (const std::string& word : understood.unknown) ++unknown[word];
      generations += understood.unknownGeneration ? 1 : 0;
      half2 += understood.half2 ? 1 : 0;
      m_report.kernels.push_back(std::move(launch.kernel));
    }
    const auto list = [](const std::map<std::string, std::uint64_t>& words) {
      std::string out;
      for (const auto& [word, count] : words)
        out += (out.empty() ? "" : ", ") + word + " (" + std::to_string(count) + " launches)";
      return validText(out.substr(0, 4 * kLongestMessage));
    };
    note(base::Severity::Error, "profiler_error",
         "Nsight Compute stopped with an error; what it wrote before was read: " + m_errors, m_errorCount);
    note(base::Severity::Warning, "profiler_warning", "Nsight Compute warned: " + m_warnings, m_warningCount);
    note(base::Severity::Warning, "row_left_out", "Some lines are no rows of the table; they were left out.", m_badRows);
    note(base::Severity::Warning, "row_cut_short", "Some rows end early; the metrics that they have were read.", m_cutRows);
    note(base::Severity::Warning, "number_style_unclear", "Numbers are written in two ways in this file; some may be wrong.",
         m_style.contradictory() ? 1 : 0);
    note(base::Severity::Info, "metric_not_collected", "Not measured for every launch: " + list(missing) + ".", missing.size());
    note(base::Severity::Warning, "metric_unknown",
         "Metrics that count work under names that are not known: " + list(unknown) + ".", unknown.size());
    note(base::Severity::Warning, "generation_unknown",
         "The table of metric names does not know this GPU generation; names of known ones were used.", generations);
    note(base::Severity::Info, "half2_uncertain",
         "FP16 instructions outside the tensor pipe were counted once each; packed ones do twice the work.", half2);
    return std::move(m_report);
  }

  const std::string& m_file;
  const base::Progress& m_progress;
  NumberStyle m_style;
  std::vector<std::string> m_header;
  std::size_t m_metricName = 0, m_metricValue = 0, m_cc = 0;
  std::uint64_t m_firstLine = 1;
  std::vector<Launch> m_launches;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> m_byKey;
  std::string m_errors, m_warnings;
  std::uint64_t m_errorCount = 0, m_warningCount = 0, m_badRows = 0, m_cutRows = 0;
  NcuReport m_report;
};

}  // namespace

bool recognised(std::string_view text) {
  return headerPlace(text) != std::string_view::npos;
}

base::Result<NcuReport> readNcuCsv(std::string_view text, const std::string& file, const base::Progress& progress) {
  return Reader(file, progress).read(text);
}

base::Result<NcuReport> openNcuCsv(const std::string& path, const base::Progress& progress) {
  const auto file = readPlainFile(path, progress);
  if (!file) return base::fail(file.error());
  const auto text = wholeText(*file, kLargestText);
  if (!text) return base::fail(text.error());
  auto report = readNcuCsv(*text, path, progress);
  if (report) report->diagnostics.merge(file->diagnostics);
  return report;
}

}  // namespace threewalls::trace::ncu

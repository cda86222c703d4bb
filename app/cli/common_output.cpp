#include "common_output.h"

#include "base/format.h"
#include "table.h"
#include "trace/open.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <set>

namespace threewalls::cli {

using nlohmann::ordered_json;

ordered_json toJson(const base::Diagnostics& diagnostics) {
  ordered_json list = ordered_json::array();
  for (const base::Diagnostic& entry : diagnostics.entries()) {
    list.push_back({{"severity", std::string(base::toText(entry.severity))},
                    {"code", entry.code},
                    {"message", entry.message},
                    {"file", entry.file},
                    {"byte_offset", entry.byteOffset ? ordered_json(*entry.byteOffset) : ordered_json()},
                    {"line", entry.line ? ordered_json(*entry.line) : ordered_json()},
                    {"count", entry.count}});
  }
  return list;
}

void printJson(const ordered_json& object) {
  std::cout << object.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

void printProvenance(std::ostream& out, const std::string& label, const analysis::Analysis& analysis) {
  const trace::TraceInfo& info = analysis.trace->info();
  out << label << printable(info.file) << '\n';
  std::set<std::string> gpus;
  for (const analysis::DeviceLane& lane : analysis.lanes) {
    std::string name = "GPU " + std::to_string(lane.device);
    for (const trace::Device& device : info.devices) {
      if (device.id == lane.device && !device.name.empty()) name += " " + printable(device.name);
    }
    gpus.insert(name);
  }
  std::string gpuText;
  for (const std::string& gpu : gpus) gpuText += (gpuText.empty() ? "" : ", ") + gpu;
  std::string rank = "not recorded";
  if (info.rank) rank = std::to_string(*info.rank) + (info.worldSize ? " of " + std::to_string(*info.worldSize) : "");
  const std::string indent(label.size(), ' ');
  printWrapped(out, indent,
               "format " + printable(info.format) + " | rank " + rank + " | " + (gpuText.empty() ? "no GPU work" : gpuText) +
                   " | " + base::formatCount(analysis.trace->eventCount()) + " events, " +
                   base::formatCount(analysis.trace->gpuEventCount()) + " on the GPU");
  out << indent << "content hash " << info.contentHash << '\n';
}

void printDiagnostics(std::ostream& out, const base::Diagnostics& diagnostics) {
  if (diagnostics.empty()) return;
  out << "\nNotes on the input\n";
  std::set<std::string> files;
  for (const base::Diagnostic& entry : diagnostics.entries()) files.insert(entry.file);
  for (const base::Diagnostic& entry : diagnostics.entries()) {
    const std::string file = files.size() > 1 ? std::filesystem::path(entry.file).filename().string() + ": " : "";
    printWrapped(out, "  " + std::string(base::toText(entry.severity)) + ": " + printable(file),
                 printable(entry.message) + " (" + entry.code + ", " + base::formatCount(entry.count) + "x" +
                     (entry.byteOffset ? ", first at byte " + std::to_string(*entry.byteOffset) : "") + ")");
  }
}

void printError(const base::Error& error) {
  std::cerr << "threewalls-cli: " << printable(error.text()) << '\n';
}

base::Result<std::shared_ptr<const analysis::Analysis>> load(const std::string& path, const analysis::AnalysisOptions& options,
                                                             const TimeRangeArguments& range) {
  auto trace = trace::openTrace(path);
  if (!trace) return base::fail(trace.error());
  analysis::AnalysisOptions here = options;
  if (range.given()) {
    const auto stretch = intervalOf(range, **trace);
    if (!stretch) return base::fail(stretch.error());
    here.range = *stretch;
  }
  return analysis::analyze(*trace, analysis::ClassTable::builtIn(), here);
}

}  // namespace threewalls::cli

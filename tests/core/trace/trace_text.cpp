#include "trace_text.h"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace threewalls::test {

std::string json(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

std::string completeEvent(const std::string& cat, const std::string& name, const std::string& pid, const std::string& tid,
                          const std::string& ts, const std::string& dur, const std::string& args) {
  std::string text = R"({"ph": "X", "cat": ")" + cat + R"(", "name": ")" + name + R"(", "pid": )" + pid + R"(, "tid": )" + tid +
                     R"(, "ts": )" + ts;
  if (!dur.empty()) text += R"(, "dur": )" + dur;
  return text + R"(, "args": {)" + args + "}}";
}

std::string op(const std::string& name, int start, int length) {
  return completeEvent("cpu_op", name, "1", "1", std::to_string(start), std::to_string(length));
}

std::string document(const std::vector<std::string>& events, const std::string& keysBefore, const std::string& keysBehind) {
  std::string text = "{\n" + keysBefore + R"("traceEvents": [)";
  for (std::size_t i = 0; i < events.size(); ++i) text += (i > 0 ? ",\n  " : "\n  ") + events[i];
  return text + "\n  ]" + keysBehind + "\n}\n";
}

std::vector<std::string> awkwardEvents(int count) {
  const std::vector<std::string> names = {"aten::mm",
                                          R"(},{\"ph\": \"X\", \"name\": \"no event\"},{)",
                                          R"(C:\\temp\\)",
                                          R"(a \"quoted\" \\\" name)",
                                          R"(]}],\n{)",
                                          "Ἑλλάς \\uD83D\\uDE80 \xF0\x9F\x9A\x80",
                                          ""};
  std::vector<std::string> events;
  for (int i = 0; i < count; ++i) {
    const std::string start = std::to_string(1000 + i * 10) + "." + std::to_string(100 + i % 900);
    const std::string correlation = R"("correlation": )" + std::to_string(i);
    const std::string& name = names[static_cast<std::size_t>(i / 7) % names.size()];
    switch (i % 7) {
      case 0:
        events.push_back(
            completeEvent("cpu_op", name, "41", "41", start, "9.25",
                          R"("Input Dims": [[1, 2], []], "list": [{"a": "}, {"},{"b": 2}], "deep": {"x": {"y": [{},{}]}})"));
        break;
      case 1: events.push_back(completeEvent("cuda_runtime", "cudaLaunchKernel", "41", "41", start, "4", correlation)); break;
      case 2:
        events.push_back(completeEvent("kernel", name, "0", std::to_string(7 + i % 3), start, "12.001",
                                       R"("stream": 7, "correlation": )" + std::to_string(i - 1) + R"(, "grid": [1, 2, 3])"));
        break;
      case 3:
        events.push_back(R"({"ph":"B","cat":"user_annotation","name":")" + name + R"(","pid":41,"tid":42,"ts":)" + start + "}");
        break;
      case 4: events.push_back(R"({"args":{},"tid":42,"ts":)" + start + R"(,"pid":41,"ph":"E"})"); break;
      case 5:
        events.push_back(json("{'name': 'thread_name', 'ph': 'M', 'pid': 41, 'tid': 41, 'ts': 0, 'args': {'name': 'thread 41 (},{)'}}"));
        break;
      default: events.push_back(R"({"ph": "f", "id": 3, "pid": 0, "tid": 7, "ts": 5, "cat": "ac2g", "name": "ac2g", "bp": "e"})");
}
}
return events;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Folder::write(const std::string& name, const std::string& content) const {
  const std::string file = path() + "/" + name;
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

std::shared_ptr<const trace::Trace> opened(const std::string& path, const trace::ReadOptions& options) {
  const auto result = trace::readTrace(path, {}, options);
  if (!result) qWarning("%s", result.error().text().c_str());
  return result ? *result : nullptr;
}

std::shared_ptr<const trace::Trace> openedText(const std::string& text) {
  const Folder folder;
  return opened(folder.write("t.json", text));
}

std::string dump(const trace::Trace& trace) {
  std::ostringstream out;
  const trace::TraceInfo& info = trace.info();
  out << info.format << " rank " << info.rank.value_or(-1) << " text " << info.textBytes << " hash " << info.contentHash << "\n";
  for (const auto& [key, value] : info.metadata) out << key << "=" << value << "\n";
  for (const base::Diagnostic& d : trace.diagnostics().entries()) {
    out << d.code << " x" << d.count << " at " << d.byteOffset.value_or(0) << "\n";
  }
  for (std::size_t l = 0; l < trace.lanes().size(); ++l) {
    const trace::Lane& lane = trace.lanes()[l];
    out << "lane " << static_cast<int>(lane.key.kind) << " '" << lane.key.process << "' '" << lane.key.thread << "' "
        << lane.key.device << " '" << lane.processLabel << "' '" << lane.label << "'\n";
    for (std::size_t s = 0; s < lane.subLanes.size(); ++s) {
      const trace::SubLane& row = lane.subLanes[s];
      for (std::uint32_t i = 0; i < row.size(); ++i) {
        const trace::EventRef ref{trace::LaneId(static_cast<std::uint32_t>(l)), static_cast<std::uint32_t>(s), i};
        out << " " << s << ": " << row.start(i).count() << "+" << row.duration(i).count() << " " << trace.name(ref) << " kind "
            << static_cast<int>(row.kind(i)) << " flags " << static_cast<int>(row.flags(i)) << " at " << row.byteOffset(i);
        if (const auto call = trace.launchOf(ref)) out << " launched at " << trace.interval(*call).start.count();
        out << "\n";
      }
    }
  }
  return out.str();
}

std::vector<trace::EventRef> eventsNamed(const trace::Trace& trace, std::string_view name) {
  std::vector<trace::EventRef> found;
  for (std::size_t l = 0; l < trace.lanes().size(); ++l) {
    for (std::size_t s = 0; s < trace.lanes()[l].subLanes.size(); ++s) {
      for (std::uint32_t i = 0; i < trace.lanes()[l].subLanes[s].size(); ++i) {
        const trace::EventRef ref{trace::LaneId(static_cast<std::uint32_t>(l)), static_cast<std::uint32_t>(s), i};
        if (trace.name(ref) == name) found.push_back(ref);
      }
    }
  }
  return found;
}

base::Nanoseconds startOf(const trace::Trace& trace, std::string_view name) {
  const auto found = eventsNamed(trace, name);
  return found.empty() ? base::Nanoseconds(-1) : trace.interval(found.front()).start;
}

base::Nanoseconds lengthOf(const trace::Trace& trace, std::string_view name) {
  const auto found = eventsNamed(trace, name);
  return found.empty() ? base::Nanoseconds(-1) : trace.interval(found.front()).length();
}

}  // namespace threewalls::test

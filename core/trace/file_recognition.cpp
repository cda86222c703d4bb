#include "trace/file_recognition.h"

#include <algorithm>

namespace threewalls::trace {
namespace {

base::Error error(const std::string& path, base::ErrorCode code, std::string message, std::string hint) {
  return {code, std::move(message), path, {}, {}, std::move(hint)};
}

bool contains(std::string_view head, std::string_view word) {
  return head.find(word) != std::string_view::npos;
}

bool isText(std::string_view head) {
  const auto odd = std::count_if(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1B';
  });
  return odd == 0;
}

constexpr const char* kExpected = "A PyTorch profiler (Kineto) or Chrome trace is expected, as .json or .json.gz.";

}  // namespace

base::Error notATrace(const std::string& path, std::string_view head) {
  using base::ErrorCode;
  if (head.empty())
    return error(path, ErrorCode::BadData, "The file is empty.", "The recording may have been interrupted; record again.");
  if (head.starts_with("SQLite format 3")) {
    return error(path, ErrorCode::Unsupported,
                 "This is a SQLite database, perhaps an Nsight Systems export, which is not read yet.", kExpected);
  }
  if (head.starts_with('\x80') && head.size() > 1 && head[1] >= 2 && head[1] <= 5) {
    return error(path, ErrorCode::Unsupported,
                 "This is a Python pickle, perhaps a PyTorch memory snapshot, which is not a trace.", kExpected);
  }
  if (head.starts_with("PK\x03\x04")) {
    return error(path, ErrorCode::UnknownFormat, "This is a zip archive.", "Unpack it and open the trace inside.");
  }
  if (head.starts_with("\x28\xB5\x2F\xFD") ||
      head.starts_with("\xFD"
                       "7zXZ") ||
      head.starts_with("BZh")) {
    return error(path, ErrorCode::UnknownFormat, "This file is compressed with zstd, xz or bzip2.",
                 "Unpack it first; plain files and gzip are read directly.");
  }
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
    return error(path, ErrorCode::UnknownFormat, "This is UTF-16 text.", "Convert it to UTF-8 first.");
  }
  if (contains(head, "\"ID\",\"Process ID\"") || head.starts_with("==PROF==")) {
    return error(path, ErrorCode::Unsupported, "This is an Nsight Compute CSV export: kernel metrics, not a timeline.",
                 kExpected);
  }
  if (contains(head, "elapsed time per iteration") || contains(head, "consumed samples")) {
    return error(path, ErrorCode::Unsupported, "This is a Megatron training log, not a trace.", kExpected);
  }
  if (contains(head, "algbw") && contains(head, "busbw")) {
    return error(path, ErrorCode::Unsupported, "This is nccl-tests output, not a trace.", kExpected);
  }
  if (contains(head, "/device:GPU") || contains(head, "/host:CPU") || contains(head, "/host:metadata")) {
    return error(path, ErrorCode::Unsupported, "This is an XPlane profile (JAX or TensorFlow), which is not read.",
                 "Convert it to a Chrome trace with xprof or TensorBoard.");
  }
  if (head.starts_with('<')) return error(path, ErrorCode::UnknownFormat, "This is HTML or XML, not a trace.", kExpected);
  if (isText(head)) return error(path, ErrorCode::UnknownFormat, "This is text, but not a JSON trace.", kExpected);
  return error(path, ErrorCode::UnknownFormat, "This is a binary file of a kind that is not known.", kExpected);
}

bool looksLikeJsonList(std::string_view head) {
  const std::size_t open = head.find('[');
  const std::size_t first = head.find_first_not_of(" \t\r\n", open + 1);
  return open != std::string_view::npos && first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

bool tellsAnotherFormat(std::string_view key) {
  return key == "rocprofiler-sdk-tool";
}

base::Error jsonWithoutEvents(const std::string& path, std::string_view key) {
  using base::ErrorCode;
  if (tellsAnotherFormat(key)) {
    return error(path, ErrorCode::Unsupported, "This is rocprofv3 JSON, not a Chrome trace.",
                 "The PyTorch profiler writes Chrome traces on ROCm, too.");
  }
  if (key == "nodes" || key == "schema") {
    return error(path, ErrorCode::Unsupported, "This is an execution trace (Chakra ET), not a timeline.", kExpected);
  }
  if (key.empty()) {
    return error(path, ErrorCode::UnknownFormat,
                 "This is a JSON list, but its entries are no trace events (perhaps a memory timeline).", kExpected);
  }
  return error(path, ErrorCode::UnknownFormat, "This is JSON, but it holds no list of trace events.", kExpected);
}

}  // namespace threewalls::trace

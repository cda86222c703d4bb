#include "trace/trace_metadata.h"

#include "trace/json_text.h"

#include <simdjson.h>

#include <algorithm>
#include <limits>

namespace threewalls::trace {
namespace {

using simdjson::dom::element;

constexpr std::size_t kLongestText = 4096;

std::optional<std::int64_t> integer(const element& object, const char* key) {
  std::int64_t value = 0;
  if (object[key].get(value)) return std::nullopt;
  return value;
}

std::optional<int> smallInteger(const element& object, const char* key) {
  const auto value = integer(object, key);
  if (!value || *value < 0 || *value > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*value);
}

void readDistributedInfo(const element& object, TraceInfo& info) {
  info.rank = smallInteger(object, "rank");
  info.worldSize = smallInteger(object, "world_size");
  for (const char* key : {"backend", "nccl_version"}) {
    std::string_view text;
    if (!object[key].get(text)) info.metadata.emplace(key, text.substr(0, kLongestText));
  }
}

void readDevices(const element& array, TraceInfo& info) {
  simdjson::dom::array devices;
  if (array.get(devices)) return;
  for (const element device : devices) {
    Device out;
    out.id = smallInteger(device, "id").value_or(-1);
    std::string_view name;
    if (!device["name"].get(name)) out.name = name;
    out.memoryBytes = static_cast<std::uint64_t>(std::max<std::int64_t>(integer(device, "totalGlobalMem").value_or(0), 0));
    out.multiprocessors = smallInteger(device, "numSms").value_or(0);
    info.devices.push_back(std::move(out));
  }
}

/// Keys that may name a person, a machine or their job.
bool isPersonal(std::string key) {
  std::transform(key.begin(), key.end(), key.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return key.find("user") != std::string::npos || key.find("host") != std::string::npos;
}

}  // namespace

void readMetadata(const std::vector<std::pair<std::string, std::string>>& entries, TraceInfo& info) {
  simdjson::dom::parser parser;
  for (const auto& [key, value] : entries) {
    const bool nested = value.front() == '{' || value.front() == '[';
    if (key == "baseTimeNanoseconds") {
      info.baseTimeNanoseconds = parseInteger(scalarText(value));
    } else if (!nested) {
      if (!isPersonal(key)) info.metadata[unescapeJson(key)] = scalarText(value).substr(0, kLongestText);
    } else if (key == "distributedInfo" || key == "deviceProperties") {
      element root;
      if (parser.parse(value).get(root)) continue;
      if (key == "deviceProperties") {
        readDevices(root, info);
      } else if (root.is_object()) {
        readDistributedInfo(root, info);
      }
    }
  }
}

}  // namespace threewalls::trace

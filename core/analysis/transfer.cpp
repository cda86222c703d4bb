#include "analysis/transfer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace threewalls::analysis {
namespace {

using nlohmann::json;

/// Names of torch::ScalarType as the profiler writes them (c10/core/ScalarType.h), in bytes.
constexpr std::array<std::pair<std::string_view, std::uint64_t>, 14> kTypes = {{{"Byte", 1},
                                                                                {"Char", 1},
                                                                                {"Bool", 1},
                                                                                {"Float8_e5m2", 1},
                                                                                {"Float8_e4m3fn", 1},
                                                                                {"Short", 2},
                                                                                {"Half", 2},
                                                                                {"BFloat16", 2},
                                                                                {"Int", 4},
                                                                                {"Float", 4},
                                                                                {"Long", 8},
                                                                                {"Double", 8},
                                                                                {"ComplexFloat", 8},
                                                                                {"ComplexDouble", 16}}};

std::optional<std::uint64_t> count(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer() || (!found->is_number_unsigned() && found->get<std::int64_t>() < 0)) {
    return std::nullopt;
  }
  return found->get<std::uint64_t>();
}

std::optional<Transfer> collective(const json& args) {
  const auto in = count(args, "In msg nelems");
  const auto out = count(args, "Out msg nelems");
  const auto type = args.find("dtype");
  if ((!in && !out) || type == args.end() || !type->is_string()) return std::nullopt;
  const auto known = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) {
    return entry.first == type->get_ref<const std::string&>();
  });
  const std::uint64_t elements = std::max(in.value_or(0), out.value_or(0));
  if (known == kTypes.end() || elements > std::numeric_limits<std::uint64_t>::max() / known->second) return std::nullopt;
  Transfer transfer;
  transfer.bytes = elements * known->second;
  transfer.source = std::string(out.value_or(0) >= in.value_or(0) ? "Out" : "In") + " msg nelems × " + std::string(known->first);
  return transfer;
}

}  // namespace

std::optional<Transfer> transferIn(const std::string& text, trace::EventKind kind, base::Nanoseconds length) {
  const json event = json::parse(text, nullptr, false);
  if (!event.is_object()) return std::nullopt;
  const auto inside = event.find("args");
  const bool kineto = inside != event.end() && inside->is_object();
  const json& args = kineto ? *inside : event;
  std::optional<Transfer> transfer;
  if (kind == trace::EventKind::MemoryCopy || kind == trace::EventKind::MemorySet) {
    if (const auto bytes = count(args, "bytes")) transfer = Transfer{*bytes, {}, kineto ? "args.bytes" : "bytes"};
  } else if (kind == trace::EventKind::Kernel) {
    transfer = collective(args);
  }
  if (transfer && length.count() > 0) {
    transfer->bytesPerSecond = static_cast<double>(transfer->bytes) * 1e9 / static_cast<double>(length.count());
  }
  return transfer;
}

std::optional<Transfer> transferOf(const trace::Trace& trace, const trace::EventRef& event) {
  const trace::EventKind kind = trace.kind(event);
  if (!trace::isGpuEvent(kind) || kind == trace::EventKind::GraphSpan) return std::nullopt;
  const auto text = trace.rawJson(event);
  return text ? transferIn(*text, kind, trace.interval(event).length()) : std::nullopt;
}

}  // namespace threewalls::analysis

#include "trace/nsys/nsys_names.h"

#include <algorithm>

namespace threewalls::trace::nsys {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// "HTOD" -> "HtoD", "UVM_HTOD" -> "Unified HtoD".
std::string copyWord(std::string_view word) {
  std::string prefix;
  if (word.starts_with("UVM_")) {
    prefix = "Unified ";
    word.remove_prefix(4);
  }
  if (word.size() != 4 || word.substr(1, 2) != "TO") return {};
  return prefix + word[0] + "to" + word[3];
}

/// "DEVICE_STATIC" -> "Device Static".
std::string memoryWord(std::string_view word) {
  std::string out;
  bool first = true;
  for (const char c : word) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    out += c == '_' ? ' ' : !first && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    first = !letter;
  }
  return out;
}

template <class Kinds>
std::string_view wordOf(const Kinds& kinds, std::optional<std::int64_t> id) {
  if (!id || *id < 0 || static_cast<std::size_t>(*id) >= kinds.size()) return {};
  return kinds[static_cast<std::size_t>(*id)];
}

std::string_view withoutPrefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : std::string_view();
}

}  // namespace

std::string_view apiName(std::string_view recorded) {
  std::string_view name = recorded;
  for (const std::string_view tail : {"_ptsz", "_ptds"}) {
    if (name.ends_with(tail)) name.remove_suffix(tail.size());
  }
  for (int pass = 0; pass < 2; ++pass) {  // both of cudaX_ptsz_v7000 and cuX_v2_ptsz exist
    const std::size_t at = name.rfind("_v");
    if (at == std::string_view::npos || at == 0 || at + 2 == name.size()) break;
    if (!std::all_of(name.begin() + static_cast<std::ptrdiff_t>(at) + 2, name.end(), isDigit)) break;
    name = name.substr(0, at);
    for (const std::string_view tail : {"_ptsz", "_ptds"}) {
      if (name.ends_with(tail)) name.remove_suffix(tail.size());
    }
  }
  return name;
}

std::string_view rangeName(std::string_view recorded) {
  const std::size_t at = std::min(recorded.find(", op_id = "), recorded.find(", seq = "));
  return at == std::string_view::npos || at == 0 ? recorded : recorded.substr(0, at);
}

MemoryWords::MemoryWords() {
  const char* const copies[] = {"",     "HTOD", "DTOH", "HTOA", "ATOH",     "ATOA",     "ATOD",
                                "DTOA", "DTOD", "HTOH", "PTOP", "UVM_HTOD", "UVM_DTOH", "UVM_DTOD"};
  const char* const memories[] = {"PAGEABLE", "PINNED",        "DEVICE",         "ARRAY",
                                  "MANAGED",  "DEVICE_STATIC", "MANAGED_STATIC", "UNKNOWN"};
  std::transform(std::begin(copies), std::end(copies), m_copyKinds.begin(), copyWord);
  std::transform(std::begin(memories), std::end(memories), m_memoryKinds.begin(), memoryWord);
}

void MemoryWords::setCopyKind(std::int64_t id, std::string_view enumName) {
  if (std::string word = copyWord(withoutPrefix(enumName, "CUDA_MEMCPY_KIND_"));
      !word.empty() && id >= 0 && id < std::int64_t{kKinds}) {
    m_copyKinds[static_cast<std::size_t>(id)] = std::move(word);
  }
}

void MemoryWords::setMemoryKind(std::int64_t id, std::string_view enumName) {
  const std::string_view word = withoutPrefix(enumName, "CUDA_MEMOPR_MEMORY_KIND_");
  if (!word.empty() && id >= 0 && id < std::int64_t{kKinds}) m_memoryKinds[static_cast<std::size_t>(id)] = memoryWord(word);
}

std::string MemoryWords::copy(std::optional<std::int64_t> copyKind, std::optional<std::int64_t> from,
                              std::optional<std::int64_t> to) const {
  std::string name = "Memcpy";
  std::string_view word = wordOf(m_copyKinds, copyKind);
  const bool unified = word.starts_with("Unified ");
  if (unified) word.remove_prefix(8);
  if (!word.empty()) name += ' ' + std::string(word);
  if (unified) return name + " (Unified)";
  const std::string_view source = wordOf(m_memoryKinds, from);
  const std::string_view target = wordOf(m_memoryKinds, to);
  if (source.empty() || target.empty()) return name;
  return name + " (" + std::string(source) + " -> " + std::string(target) + ")";
}

std::string MemoryWords::set(std::optional<std::int64_t> memoryKind) const {
  const std::string_view word = wordOf(m_memoryKinds, memoryKind);
  return word.empty() ? "Memset" : "Memset (" + std::string(word) + ")";
}

std::string_view syncName(std::optional<std::int64_t> syncType) {
  constexpr std::string_view names[] = {"", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
  return syncType && *syncType >= 1 && *syncType <= 4 ? names[*syncType] : std::string_view("Synchronization");
}

}  // namespace threewalls::trace::nsys

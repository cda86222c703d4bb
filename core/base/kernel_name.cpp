#include "base/format.h"

#include <algorithm>

namespace threewalls::base {
namespace {

constexpr std::string_view kEllipsis = "…";

/// Length of `text` in characters, not bytes.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Byte place of character number `index`.
std::size_t place(std::string_view text, std::size_t index) {
  std::size_t byte = 0;
  while (byte < text.size() && index > 0) {
    ++byte;
    while (byte < text.size() && (text[byte] & 0xC0) == 0x80) ++byte;
    --index;
  }
  return byte;
}

/// Drops the argument list and what stands in template brackets below the first level, keeping the informative heads.
std::string stripped(std::string_view name) {
  std::string out;
  int angle = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<') {
      if (angle == 1) out += "<>";
      else if (angle == 0) out += '<';
      ++angle;
    } else if (c == '>') {
      if (angle > 0) --angle;
      if (angle == 0) out += '>';
    } else if (c == '(' && angle == 0 && name.substr(i, 11) == "(anonymous ") {
      const std::size_t close = name.find(")::", i);
      if (close == std::string_view::npos) break;
      i = close + 2;
    } else if (c == '(' && angle == 0) {
      break;
    } else if (angle <= 1) {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string shortKernelName(std::string_view name, std::size_t width) {
  // A demangled template or function signature starts with its return type.
  if (name.starts_with("void ")) name.remove_prefix(5);
  std::string text = name.find('<') != std::string_view::npos || name.find("::") != std::string_view::npos ? stripped(name)
                                                                                                          : std::string(name);
  if (text.empty()) text = std::string(name);
  const std::size_t length = characters(text);
  if (length <= width || width < 5) return text;
  const std::size_t head = (width - 1) * 3 / 5;
  const std::size_t tail = width - 1 - head;
  return text.substr(0, place(text, head)) + std::string(kEllipsis) + text.substr(place(text, length - tail));
}

}  // namespace threewalls::base

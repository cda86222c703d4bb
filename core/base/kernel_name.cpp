#include "base/format.h"

#include <algorithm>
#include <array>
#include <cctype>

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
      if (angle == 1)
        out += "<>";
      else if (angle == 0)
        out += '<';
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

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Template arguments that say little about what a kernel does: numbers, plain types, the pointers it is given.
bool saysLittle(std::string_view argument) {
  constexpr std::array<std::string_view, 18> kPlain = {"",         "true",  "false", "float", "double",     "int",
                                                       "long",     "short", "char",  "bool",  "unsigned",   "void",
                                                       "BFloat16", "Half",  "const", "array", "bfloat16_t", "__nv_bfloat16"};
  const std::string_view word = argument.substr(0, argument.find_first_of("< *&"));
  return word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0 || word[0] == '-' ||
         std::find(kPlain.begin(), kPlain.end(), word) != kPlain.end();
}

/// Namespaces of the frameworks, which all kernels share.
bool sharedNamespace(std::string_view word) {
  constexpr std::array<std::string_view, 6> kShared = {"at", "native", "c10", "std", "binary_internal", "cuda"};
  return std::find(kShared.begin(), kShared.end(), word) != kShared.end();
}

/// Reads a name up to the "," or ">" that ends it, from `at` on: shared namespaces, parameter lists, lambdas and template
/// arguments that say little are left out. "at::native::f<4, at::native::g<float> >" reads "f<g>".
std::string essence(std::string_view name, std::size_t& at, int depth) {
  constexpr int kDeepest = 16;
  std::string out;
  int brackets = 0;  // round and curly ones
  int skipped = 0;   // angle brackets inside them, or nested too deeply
  for (; at < name.size(); ++at) {
    const char c = name[at];
    if (c == '(' || c == '{') {
      ++brackets;
    } else if (c == ')' || c == '}') {
      brackets = std::max(0, brackets - 1);
    } else if (brackets > 0) {
      continue;
    } else if (c == '<' && depth < kDeepest) {
      std::string arguments;
      do {
        ++at;
        const std::string argument = essence(name, at, depth + 1);
        if (!saysLittle(argument)) arguments += (arguments.empty() ? "" : ",") + argument;
      } while (at < name.size() && name[at] == ',');
      if (!arguments.empty()) out += "<" + arguments + ">";
    } else if (c == '<') {
      ++skipped;
    } else if (c == '>' && skipped > 0) {
      --skipped;
    } else if (depth > 0 && (c == '>' || (c == ',' && skipped == 0))) {
      break;
    } else if (skipped == 0 && c == ':' && at + 1 < name.size() && name[at + 1] == ':') {
      ++at;
      const std::string_view rest = name.substr(at + 1);
      if (rest.empty() || !isWordCharacter(rest[0]) || rest.starts_with("operator")) {
        while (at + 1 < name.size() && isWordCharacter(name[at + 1])) ++at;
      } else {
        const std::size_t last = out.rfind("::");
        const std::size_t word = last == std::string::npos ? 0 : last + 2;
        if (sharedNamespace(std::string_view(out).substr(word))) {
          out.resize(word);
        } else if (!out.empty()) {
          out += "::";
        }
      }
    } else if (skipped == 0 && !(c == ' ' && out.empty())) {
      out += c;
    }
  }
  while (out.ends_with(' ') || out.ends_with(" const")) out.resize(out.size() - (out.back() == ' ' ? 1 : 6));
  return out;
}

}  // namespace

std::string shortKernelName(std::string_view name, std::size_t width) {
  // A demangled template or function signature starts with its return type.
  if (name.starts_with("void ")) name.remove_prefix(5);
  std::string text =
      name.find('<') != std::string_view::npos || name.find("::") != std::string_view::npos ? stripped(name) : std::string(name);
  if (text.empty()) text = std::string(name);
  if (characters(text) > width && name.find('<') != std::string_view::npos) {
    std::size_t at = 0;
    const std::string shorter = essence(name, at, 0);
    if (!shorter.empty()) text = shorter;
  }
  const std::size_t length = characters(text);
  if (length <= width || width < 5) return text;
  const std::size_t head = (width - 1) * 3 / 5;
  const std::size_t tail = width - 1 - head;
  return text.substr(0, place(text, head)) + std::string(kEllipsis) + text.substr(place(text, length - tail));
}

}  // namespace threewalls::base

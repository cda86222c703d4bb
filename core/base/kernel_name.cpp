#include "base/format.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace threewalls::base {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::size_t kLooked = 4096;  ///< a name's head says enough, and hostile names have 64 KB
constexpr int kDepth = 2;              ///< levels of template arguments worth reading
constexpr std::size_t kArguments = 2;  ///< named arguments a level

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

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// What stands before the first template or argument list; "(anonymous namespace)" is not one.
std::string_view headOf(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' && text.substr(i).starts_with("(anonymous namespace)")) {
      i += 20;
    } else if (text[i] == '<' || text[i] == '(' || text[i] == '{') {
      return text.substr(0, i);
    }
  }
  return text;
}

/// "vectorized_elementwise_kernel" of "at::native::vectorized_elementwise_kernel".
std::string_view lastPart(std::string_view qualified) {
  qualified = trimmed(qualified);
  const std::size_t colons = qualified.rfind("::");
  if (colons != std::string_view::npos) qualified.remove_prefix(colons + 2);
  const std::size_t blank = qualified.rfind(' ');  // a return type, or a qualifier such as const
  return blank == std::string_view::npos ? qualified : qualified.substr(blank + 1);
}

/// Arguments of the template list that opens at text[0] == '<', cut at top-level commas.
std::vector<std::string_view> arguments(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t start = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (depth == 0 || (depth == 1 && c == ',')) {
      out.push_back(trimmed(text.substr(start, i - start)));
      start = i + 1;
    }
    if (depth == 0) return out;
  }
  if (start < text.size()) out.push_back(trimmed(text.substr(start)));
  return out;
}

/// Numbers, flags and containers say little about what a kernel does.
bool isNoise(std::string_view argument) {
  if (argument.empty() || !(std::isalpha(static_cast<unsigned char>(argument.front())) || argument.front() == '_')) return true;
  if (argument.starts_with("std::") || argument.starts_with("true") || argument.starts_with("false")) return true;
  const std::string_view head = lastPart(headOf(argument));
  return head.ends_with("OffsetCalculator") || head.ends_with("WithoutCast") || head == "char" || head == "int" ||
         head == "bool" || head == "unsigned" || head == "long";
}

std::string compact(std::string_view text, int depth) {
  const std::string_view head = headOf(text);
  std::string out(lastPart(head));
  const std::string_view rest = text.substr(head.size());
  if (depth == 0 || !rest.starts_with('<')) return out;
  std::string inner;
  std::size_t kept = 0;
  for (const std::string_view argument : arguments(rest)) {
    if (isNoise(argument)) continue;
    if (++kept > kArguments) break;
    inner += (inner.empty() ? "" : ", ") + compact(argument, depth - 1);
  }
  return inner.empty() ? out : out + "<" + inner + ">";
}

/// A name that was left mangled: its length-prefixed words, the kernel's first and then the types it was made for. Reading the
/// words takes linear time; full demangling can blow up on hostile names.
std::string compactMangled(std::string_view name) {
  std::vector<std::string_view> words;
  std::size_t kernelWords = 0;
  for (std::size_t i = 2; i < name.size();) {
    if (std::isdigit(static_cast<unsigned char>(name[i])) == 0) {
      if (name[i] == 'I' && kernelWords == 0) kernelWords = words.size();
      ++i;
      continue;
    }
    std::size_t length = 0;
    while (i < name.size() && length < kLooked && std::isdigit(static_cast<unsigned char>(name[i])) != 0) {
      length = length * 10 + static_cast<std::size_t>(name[i++] - '0');
    }
    const std::string_view word = name.substr(i, length);
    // A number that is a template value, not a length, is followed by E or another code.
    if (word.size() < length || length < 2 || !std::all_of(word.begin(), word.end(), isWord)) continue;
    words.push_back(word);
    i += length;
  }
  if (words.empty()) return std::string(name);
  if (kernelWords == 0) kernelWords = words.size();
  std::string out(words[kernelWords - 1]);
  std::string inner;
  std::size_t kept = 0;
  for (std::size_t i = kernelWords; i < words.size() && kept < kArguments; ++i) {
    if (words[i].size() < 6 || std::isupper(static_cast<unsigned char>(words[i].front())) == 0) continue;
    inner += (kept++ == 0 ? "" : ", ") + std::string(words[i]);
  }
  return inner.empty() ? out : out + "<" + inner + ">";
}

/// A demangled template or function signature; operators ("aten::mm"), copies ("Memcpy HtoD (Pinned -> Device)") and python
/// frames
/// ("train.py(12): forward") are not.
bool looksLikeSignature(std::string_view name) {
  const std::size_t at = name.find_first_of("<(");
  return at != std::string_view::npos && (at == 0 || isWord(name[at - 1]) || name[at - 1] == ':') &&
         !name.substr(0, at + 1).ends_with(".py(");
}

}  // namespace

std::string shortKernelName(std::string_view name, std::size_t width) {
  std::string_view text = trimmed(name.substr(0, kLooked));
  if (text.starts_with("void ")) text.remove_prefix(5);
  std::string out = text.starts_with("_Z")     ? compactMangled(text)
                    : looksLikeSignature(text) ? compact(text, kDepth)
                                               : std::string(text);
  if (out.empty()) out = std::string(text);
  const std::size_t length = characters(out);
  if (length <= width || width < 5) return out;
  const std::size_t head = (width - 1) / 2;
  const std::size_t tail = width - 1 - head;
  return out.substr(0, place(out, head)) + std::string(kEllipsis) + out.substr(place(out, length - tail));
}

}  // namespace threewalls::base

#include "trace/ncu/join_name.h"

#include <algorithm>
#include <cctype>

namespace threewalls::trace::ncu {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Place behind the parenthesis that closes the one at `open`; the end where none does.
std::size_t behindGroup(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return text.size();
}

std::size_t behindScope(std::string_view text, std::size_t at) {
  return text.substr(at).starts_with("::") ? at + 2 : at;
}

}  // namespace

std::string joinName(std::string_view name) {
  constexpr std::string_view kInstance = "(instance ";
  constexpr std::string_view kUnnamed = "<unnamed>";
  std::string out;
  const auto put = [&](std::string_view word) {
    if (!out.empty() && isWord(out.back())) out += ' ';
    out += word;
  };
  for (std::size_t at = 0; at < name.size();) {
    const char c = name[at];
    const std::string_view rest = name.substr(at);
    if (rest.starts_with(kInstance)) {  // Nsight Compute's "[lambda() (instance 1)]" is "{lambda()#1}" elsewhere
      out += '#';
      for (at += kInstance.size(); at < name.size() && isDigit(name[at]); ++at) out += name[at];
      at = std::min(name.size(), at + 1);
    } else if (c == '(') {
      at = behindScope(name, behindGroup(name, at));
    } else if (rest.starts_with(kUnnamed)) {
      at = behindScope(name, at + kUnnamed.size());
    } else if (isDigit(c)) {
      std::size_t end = at;
      while (end < name.size() && isWord(name[end])) ++end;
      std::string_view number = name.substr(at, end - at);
      while (number.size() > 1 && std::string_view("uUlL").find(number.back()) != std::string_view::npos) number.remove_suffix(1);
      put(number);
      at = end;
    } else if (isWord(c)) {
      std::size_t end = at;
      while (end < name.size() && isWord(name[end])) ++end;
      const std::string_view word = name.substr(at, end - at);
      at = behindScope(name, end);
      if (at != end || word == "const" || word == "void") continue;
      put(word == "true" ? "1" : word == "false" ? "0" : word);
    } else {
      if (c == '[') out += '{';
      if (c == ']') out += '}';
      if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ':' && c != '[' && c != ']') out += c;
      ++at;
    }
  }
  return out;
}

}  // namespace threewalls::trace::ncu

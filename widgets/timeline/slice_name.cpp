#include "timeline/slice_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace threewalls::timeline {
namespace {

/// Longer names are looked at only so far.
constexpr std::size_t kMostText = 4096;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
}

std::string demangled(std::string_view name) {
  std::string text(name.substr(0, kMostText));
  if (!text.starts_with("_Z")) return text;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status),
                                                          &std::free);
  return status == 0 && plain ? std::string(plain.get()).substr(0, kMostText) : text;
}

/// A template argument that says what a general kernel is used for.
bool says(std::string_view word) {
  for (const std::string_view generic :
       {"BinaryFunctor", "BUnaryFunctor", "AUnaryFunctor", "ReduceOp", "BinaryOpScalarTensorFunctor"}) {
    if (word == generic) return false;
  }
  if (word.starts_with("gpu_kernel_impl") || word.find("_kernel_for") != std::string_view::npos) return false;
  for (const std::string_view sign : {"Functor", "functor", "_kernel", "Gemm", "cutlass_", "Reduce", "CollectiveMma"}) {
    if (word.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

/// Names inside a mangled text that does not demangle: each stands behind its length.
std::vector<std::string_view> mangledWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 2; i < text.size();) {
    // A digit run behind "Li" and the like is a value, not a length.
    const bool value = text[i - 2] == 'L' && text[i - 1] >= 'a' && text[i - 1] <= 'z';
    std::size_t length = 0;
    const std::size_t digits = i;
    while (i < text.size() && isDigit(text[i]) && length < text.size())
      length = length * 10 + static_cast<std::size_t>(text[i++] - '0');
    if (i == digits) {
      ++i;
    } else if (!value && length > 1 && i + length <= text.size()) {
      words.push_back(text.substr(i, length));
      i += length;
    }
  }
  return words;
}

SliceName joined(std::string_view head, std::string_view purpose) {
  if (purpose.empty()) return {std::string(head), std::string(head)};
  return {std::string(purpose), std::string(purpose) + " · " + std::string(head)};
}

SliceName fromMangled(const std::string& text) {
  const auto words = mangledWords(text);
  // "namespace, function, then what its template arguments name".
  if (words.size() < 2) return {text, text};
  std::string_view purpose;
  for (std::size_t i = 2; i < words.size() && purpose.empty(); ++i) {
    if (says(words[i])) purpose = words[i];
  }
  return joined(words[1], purpose);
}

}  // namespace

SliceName sliceName(std::string_view name) {
  const std::string text = demangled(name);
  if (text.starts_with("_Z")) return fromMangled(text);
  if (text.find("::") == std::string::npos && text.find('<') == std::string::npos) return {text, text};
  // The last word outside all brackets names the kernel, the first telling one inside its template arguments what it does.
  std::string_view head;
  std::string_view purpose;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isLetter(c)) {
      std::size_t end = i;
      while (end < text.size() && isLetter(text[end])) ++end;
      const std::string_view word(text.data() + i, end - i);
      if (depth == 0) {
        head = word;
      } else if (purpose.empty() && word != head && says(word)) {
        purpose = word;
      }
      i = end - 1;
    } else if (c == '<') {
      ++depth;
    } else if (c == '>') {
      if (depth > 0) --depth;
    } else if (c == '(' && depth == 0) {
      constexpr std::string_view kAnonymous = "(anonymous namespace)";
      if (text.compare(i, kAnonymous.size(), kAnonymous) != 0) break;
      i += kAnonymous.size() - 1;
    }
  }
  if (head.empty()) return {text, text};
  return joined(head, purpose);
}

}  // namespace threewalls::timeline

#include "trace/nsys/nsys_environment.h"

#include "trace/valid_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace threewalls::trace::nsys {
namespace {

constexpr std::size_t kLongestValue = 4096;
constexpr std::size_t kMostVariables = 1024;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

bool isVariableName(std::string_view text) {
  return !text.empty() && text.size() < 256 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// One unbroken run of at least 24 characters that a token is made of, with letters and digits mixed: not a path, not a list.
bool looksRandom(std::string_view value) {
  std::size_t run = 0, digits = 0, letters = 0;
  for (const char raw : value) {
    const auto c = static_cast<unsigned char>(raw);
    if (std::isalnum(c) == 0 && c != '+' && c != '_' && c != '-' && c != '=') {
      run = digits = letters = 0;
      continue;
    }
    ++run;
    if (std::isdigit(c) != 0) ++digits;
    if (std::isalpha(c) != 0) ++letters;
    if (run >= 24 && digits >= 4 && letters >= 4) return true;
  }
  return false;
}

}  // namespace

bool matters(std::string_view variable) {
  if (!isVariableName(variable)) return false;
  constexpr std::array<std::string_view, 6> prefixes = {"NCCL_", "CUDA_", "NVTE_", "TORCH_", "PYTORCH_", "UB_"};
  const bool known = std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return variable.starts_with(p); });
  return known || contains(variable, "NVLINK") || contains(variable, "NUMA");
}

bool looksSecret(std::string_view variable, std::string_view value) {
  constexpr std::array<std::string_view, 9> names = {"TOKEN",   "SECRET",     "PASSW",   "CREDENTIAL", "APIKEY",
                                                     "API_KEY", "ACCESS_KEY", "PRIVATE", "COOKIE"};
  const std::string name = upper(variable);
  if (std::any_of(names.begin(), names.end(), [&](std::string_view part) { return contains(name, part); })) return true;
  if (name.ends_with("_KEY") || name.ends_with("_AUTH")) return true;
  constexpr std::array<std::string_view, 10> marks = {"sk-", "ghp_", "gho_", "github_pat_", "glpat-",
                                                      "hf_", "AKIA", "xox",  "eyJ",         "-----BEGIN"};
  if (std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return value.starts_with(mark); })) return true;
  const std::size_t scheme = value.find("://");
  if (scheme != std::string_view::npos && contains(value.substr(scheme), "@")) return true;
  return looksRandom(value);
}

void EnvironmentFilter::keep(std::string_view name, std::string_view value) {
  if (!matters(name) || m_kept.size() >= kMostVariables) return;
  m_kept[std::string(name)] = looksSecret(name, value) ? "(redacted)" : validText(value.substr(0, kLongestValue));
}

void EnvironmentFilter::add(std::string_view name, std::string_view value) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos || contains(upper(name.substr(0, colon)), "ENV")) keep(name.substr(colon + 1), value);
  if (value.starts_with('{') || value.starts_with('[')) {
    const auto json = nlohmann::json::parse(value, nullptr, false);
    const auto keepEntry = [&](const nlohmann::json& entry) {
      if (const auto* text = entry.get_ptr<const std::string*>(); text != nullptr && !text->starts_with('{')) add("", *text);
    };
    if (json.is_array()) {
      for (const auto& entry : json) keepEntry(entry);
    } else if (json.is_object()) {
      for (const auto& [key, entry] : json.items()) {
        if (entry.is_string()) keep(key, entry.get_ref<const std::string&>());
      }
    }
    return;
  }
  while (!value.empty()) {
    const std::size_t end = std::min(value.find_first_of(std::string_view("\n\0", 2)), value.size());
    const std::string_view line = value.substr(0, end);
    if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
      keep(line.substr(0, equals), line.substr(equals + 1));
    value.remove_prefix(std::min(end + 1, value.size()));
  }
}

}  // namespace threewalls::trace::nsys

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace threewalls::trace::nsys {

/// An export carries the whole environment of the profiled process, secrets included. This keeps the variables that matter to
/// performance (NCCL_*, CUDA_*, NVTE_*, TORCH_*, PYTORCH_*, UB_* and those about NVLink and NUMA) and nothing else.
class EnvironmentFilter {
 public:
  /// One row of a name-and-value table. Takes "NAME" with its value, "...ENV...:NAME" with its value (other prefixes are options
  /// of the recorder), and values that hold "NAME=VALUE" lines or a JSON object of them: releases differ.
  void add(std::string_view name, std::string_view value);
  /// By variable; a value that looks like a secret reads "(redacted)".
  const std::map<std::string, std::string>& kept() const { return m_kept; }

 private:
  void keep(std::string_view name, std::string_view value);
  std::map<std::string, std::string> m_kept;
};

/// A variable that says how a job performs.
bool matters(std::string_view variable);
/// A name that speaks of a secret, or a value with the look of a token, a key or a URL with a password.
bool looksSecret(std::string_view variable, std::string_view value);

}  // namespace threewalls::trace::nsys

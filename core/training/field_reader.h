#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace threewalls::training {

/// Reads members of one JSON object of a specification. The first thing that is wrong is kept as an error that names the field
/// (`shape.moe_layer_freq`); what is read after it is a fallback, so that a reader can read everything and ask once at the end.
/// A member that is absent or null is "not given". Several names are spellings of one field, the first that is given counts.
class FieldReader {
 public:
  using Names = std::initializer_list<std::string_view>;
  static constexpr std::int64_t kLargest = std::int64_t{1} << 40;

  /// `where` goes before the field's name in errors ("shape"). Not an object: an error.
  FieldReader(const nlohmann::json& object, std::string where);

  bool given(Names names) const { return find(names) != nullptr; }
  const nlohmann::json* find(Names names) const;

  /// A whole number within [smallest, largest]; a float without a fraction counts as one.
  std::optional<std::int64_t> integer(Names names, std::int64_t smallest, std::int64_t largest = kLargest);
  std::int64_t integerOr(Names names, std::int64_t fallback, std::int64_t smallest, std::int64_t largest = kLargest);
  std::int64_t requiredInteger(Names names, std::int64_t smallest, std::int64_t largest = kLargest);
  std::optional<double> number(Names names, double smallest, double largest = std::numeric_limits<double>::max());
  bool boolean(Names names, bool fallback);
  std::optional<std::string> text(Names names);

  /// Keeps "FIELD: message" as the error unless there is one already.
  void reject(std::string_view name, std::string message, std::string hint = {});
  const std::optional<base::Error>& error() const { return m_error; }

 private:
  const nlohmann::json* m_object;
  std::string m_where;
  std::optional<base::Error> m_error;
};

}  // namespace threewalls::training

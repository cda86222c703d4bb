#include "training/field_reader.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace threewalls::training {

FieldReader::FieldReader(const nlohmann::json& object, std::string where) : m_object(&object), m_where(std::move(where)) {
  if (!object.is_object()) reject("", "must be a JSON object");
}

const nlohmann::json* FieldReader::find(Names names) const {
  if (!m_object->is_object()) return nullptr;
  for (const std::string_view name : names) {
    const auto member = m_object->find(name);
    if (member != m_object->end() && !member->is_null()) return &*member;
  }
  return nullptr;
}

std::optional<double> FieldReader::number(Names names, double smallest, double largest) {
  const nlohmann::json* value = find(names);
  if (value == nullptr) return std::nullopt;
  const std::string_view name = *names.begin();
  if (!value->is_number()) {
    reject(name, "must be a number, not " + std::string(value->type_name()));
    return std::nullopt;
  }
  const double number = value->get<double>();
  if (!std::isfinite(number) || number < smallest || number > largest) {
    reject(name, value->dump() + " is outside what is possible");
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> FieldReader::integer(Names names, std::int64_t smallest, std::int64_t largest) {
  const nlohmann::json* value = find(names);
  if (value == nullptr) return std::nullopt;
  const std::string_view name = *names.begin();
  const double number = value->is_number() ? value->get<double>() : std::nan("");
  if (!std::isfinite(number) || number != std::floor(number)) {
    reject(name, "must be a whole number");
    return std::nullopt;
  }
  if (number < static_cast<double>(smallest) || number > static_cast<double>(largest)) {
    reject(name, "must be " + std::to_string(smallest) + " to " + std::to_string(largest) + ", but is " + value->dump());
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number);
}

std::int64_t FieldReader::integerOr(Names names, std::int64_t fallback, std::int64_t smallest, std::int64_t largest) {
  return integer(names, smallest, largest).value_or(fallback);
}

std::int64_t FieldReader::requiredInteger(Names names, std::int64_t smallest, std::int64_t largest) {
  if (!given(names)) reject(*names.begin(), "is missing");
  return integer(names, smallest, largest).value_or(smallest);
}

bool FieldReader::boolean(Names names, bool fallback) {
  const nlohmann::json* value = find(names);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) {
    reject(*names.begin(), "must be true or false");
    return fallback;
  }
  return value->get<bool>();
}

std::optional<std::string> FieldReader::text(Names names) {
  const nlohmann::json* value = find(names);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) {
    reject(*names.begin(), "must be text");
    return std::nullopt;
  }
  return value->get<std::string>();
}

void FieldReader::reject(std::string_view name, std::string message, std::string hint) {
  if (m_error) return;
  base::Error error;
  error.code = base::ErrorCode::InvalidArgument;
  error.message = m_where + (name.empty() ? "" : ".") + std::string(name) + ": " + std::move(message) + ".";
  error.hint = std::move(hint);
  m_error = std::move(error);
}

}  // namespace threewalls::training

#pragma once

#include "trace/event_category.h"

#include <string_view>

namespace threewalls::trace {

/// Tokens of one event, as they stand in the text. Empty ones are missing.
struct EventFields {
  enum Bit : unsigned { Name = 1, Cat = 2, Ph = 4, Ts = 8, Dur = 16, Pid = 32, Tid = 64, Id = 128, Args = 256 };
  unsigned seen = 0;
  char phase = '\0';
  Category category;
  const char* start = nullptr;  ///< of the event's own text
  std::string_view name;
  std::string_view cat;
  std::string_view ts;
  std::string_view dur;
  std::string_view pid;
  std::string_view tid;
  std::string_view id;
  std::string_view correlation;
  std::string_view labelName;
  std::string_view labelText;
  std::string_view sortIndex;
};

/// Content of a string token; a token of another type as it stands.
inline std::string_view unquoted(std::string_view token) {
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"') return token.substr(1, token.size() - 2);
  return token;
}

}  // namespace threewalls::trace

#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace threewalls::trace {

/// Why a file whose plain text begins with `head` is no trace that can be read: says what it seems to be and what to do.
base::Error notATrace(const std::string& path, std::string_view head);

/// Whether text that begins with '[' is a JSON list of objects or lists, and not a log whose lines begin with a bracket.
bool looksLikeJsonList(std::string_view head);

/// The same for a JSON document without events, by one of its top-level keys; empty for a list.
base::Error jsonWithoutEvents(const std::string& path, std::string_view key);

/// Whether a top-level key tells a JSON document of another kind, so that there is no need to read on for events.
bool tellsAnotherFormat(std::string_view key);

}  // namespace threewalls::trace

#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace threewalls::trace {

/// Appends `text` as a JSON string that every parser accepts: quotes, backslashes and control characters escaped, bytes that are
/// no UTF-8 as U+FFFD.
void appendJsonString(std::string& out, std::string_view text);

/// Appends `text` as a number when it is one that strict parsers accept and that fits a double, else as a string.
void appendNumberOrString(std::string& out, std::string_view text);

/// Appends a JSON value as files hold it, made strict: NaN, Infinity and other bare words become strings, raw control characters
/// and bad UTF-8 in strings are replaced, of members with one key the first is kept, a missing value becomes null.
void appendStrictJson(std::string& out, std::string_view raw);

/// Calls `visit(key, value)` for every member of an object: the key without quotes and escapes, the value as it stands. Goes on
/// as far as the text makes sense.
void forEachMember(std::string_view object, const std::function<void(const std::string& key, std::string_view value)>& visit);

}  // namespace threewalls::trace

#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace threewalls::base {

enum class ErrorCode { CannotRead, UnknownFormat, BadData, Unsupported, Cancelled, InvalidArgument, CannotWrite };

/// A failure that a user can read: what happened, where, and what to do next.
struct Error {
  ErrorCode code = ErrorCode::BadData;
  std::string message = {};                      ///< one sentence for people
  std::string file = {};                         ///< path as the user gave it; empty when no file is involved
  std::optional<std::uint64_t> byteOffset = {};  ///< into the plain (inflated) text
  std::optional<std::uint64_t> line = {};        ///< 1-based
  std::string hint = {};                         ///< what to do next; may be empty

  /// "file:line: message. hint", on one line.
  std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;

/// For `return fail(...)` from a function that returns a Result.
inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace threewalls::base

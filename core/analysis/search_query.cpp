#include "analysis/search_query.h"

#include <re2/re2.h>

#include <algorithm>

namespace threewalls::analysis {
namespace {

/// For the program and the states of one expression; RE2 falls back to a slower way of matching beyond it.
constexpr std::int64_t kExpressionBytes = 4 << 20;
/// Error texts quote RE2, which quotes the expression.
constexpr std::size_t kLongestReason = 160;

constexpr char folded(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

void foldInto(std::string& out, std::string_view text) {
  out.resize(text.size());
  std::transform(text.begin(), text.end(), out.begin(), folded);
}

base::Error invalid(std::string message, std::string hint) {
  return {.code = base::ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)};
}

std::string shortened(std::string text) {
  if (text.size() <= kLongestReason) return text;
  std::size_t end = kLongestReason;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
  return text.substr(0, end) + "…";
}

/// Calls `matches(name)` for every name until progress asks to stop.
template <class Matches>
base::Result<NameSet> ask(const trace::NameTable& names, const base::Progress& progress, const Matches& matches) {
  NameSet out(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (progress.stopRequested()) {
      return base::fail({.code = base::ErrorCode::Cancelled, .message = "The search was cancelled"});
    }
    const trace::NameId id{static_cast<std::uint32_t>(i)};
    if (matches(names[id])) out.insert(id);
  }
  return out;
}

}  // namespace

void NameSet::insert(trace::NameId name) {
  std::uint8_t& flag = m_flags[trace::index(name)];
  m_size += flag == 0 ? 1 : 0;
  flag = 1;
}

base::Result<NameSet> matchingNames(const trace::NameTable& names, const SearchQuery& query, const base::Progress& progress,
                                    std::chrono::milliseconds limit) {
  if (query.pattern.empty()) return NameSet(names.size());
  switch (query.kind) {
    case QueryKind::Name: return ask(names, progress, [&](std::string_view name) { return name == query.pattern; });
    case QueryKind::Text: {
      std::string wanted, name;
      foldInto(wanted, query.pattern);
      return ask(names, progress, [&](std::string_view original) {
        foldInto(name, original);
        return name.find(wanted) != std::string::npos;
      });
    }
    case QueryKind::Expression: break;
  }
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  options.set_max_mem(kExpressionBytes);
  const RE2 expression(query.pattern, options);
  if (!expression.ok()) {
    return base::fail(invalid("Not a regular expression: " + shortened(expression.error()),
                              "RE2 syntax is expected; a backslash before a sign takes it literally."));
  }
  const auto end = std::chrono::steady_clock::now() + limit;
  bool late = false;
  auto found = ask(names, progress, [&](std::string_view name) {
    late = late || std::chrono::steady_clock::now() > end;
    return !late && RE2::PartialMatch({name.data(), name.size()}, expression);
  });
  if (found && late) {
    return base::fail(
        invalid("The expression takes too long on the names of this trace", "Shorten it or search for plain text."));
  }
  return found;
}

}  // namespace threewalls::analysis

#include "trace/memory/call_site.h"

#include <algorithm>
#include <optional>

namespace threewalls::trace::memory {
namespace {

constexpr std::size_t kDeepestStack = 1024;  ///< frames looked at; real stacks have some 200

/// Frames that stand in every stack: they say how memory is allocated, not for what.
bool isMachinery(std::string_view name) {
  constexpr std::string_view prefixes[] = {
      "torch::unwind", "torch::CapturedTraceback", "torch::cuda::", "c10::", "at::cuda::", "at::detail::",
      "at::empty",     "at::native::empty",        "std::"};
  return std::any_of(std::begin(prefixes), std::end(prefixes), [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// "f" of "f(int)", with "(anonymous namespace)" left alone.
std::string_view withoutArguments(std::string_view name) {
  for (std::size_t at = name.find('('); at != std::string_view::npos; at = name.find('(', at + 1)) {
    if (at > 0 && !name.substr(at).starts_with("(anonymous namespace)")) return name.substr(0, at);
  }
  return name;
}

std::string_view word(const PickleData& data, PickleData::Ref frame, std::string_view key) {
  const auto member = data.member(frame, key);
  return member ? data.text(*member) : std::string_view();
}

Site site(const PickleData& data, PickleData::Ref frame) {
  const std::string_view file = word(data, frame, "filename");
  const auto line = data.member(frame, "line");
  return {withoutArguments(word(data, frame, "name")), file == "??" ? std::string_view() : file,
          line ? data.integer(*line).value_or(0) : 0};
}

}  // namespace

Site siteOf(const PickleData& data, PickleData::Ref frames) {
  std::optional<PickleData::Ref> library, node, native;
  std::size_t depth = 0;
  for (const PickleData::Ref frame : data.items(frames)) {
    if (++depth > kDeepestStack) break;
    const std::string_view file = word(data, frame, "filename");
    const std::string_view name = word(data, frame, "name");
    if (file.ends_with(".py")) {
      const bool installed =
          file.find("site-packages") != std::string_view::npos || file.find("dist-packages") != std::string_view::npos;
      if (!installed) return site(data, frame);
      if (!library) library = frame;
    } else if (!node && name.starts_with("torch::autograd::generated::") && name.find("::apply(") != std::string_view::npos) {
      node = frame;
    } else if (!native && !name.empty() && !isMachinery(name)) {
      native = frame;
    }
  }
  for (const auto& found : {library, node, native}) {
    if (found) return site(data, *found);
  }
  return {};
}

}  // namespace threewalls::trace::memory

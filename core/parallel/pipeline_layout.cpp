#include "parallel/pipeline_layout.h"

#include <algorithm>
#include <cctype>

namespace threewalls::parallel {
namespace {

constexpr std::size_t kLongest = 100'000;

bool digit(char c) {
  return c >= '0' && c <= '9';
}

/// Number at `at`, which moves behind it; at most kLongest + 1.
std::size_t number(std::string_view text, std::size_t& at) {
  std::size_t value = 0;
  while (at < text.size() && digit(text[at]))
    value = std::min(kLongest + 1, value * 10 + static_cast<std::size_t>(text[at++] - '0'));
  return value;
}

/// Appends `piece` `times` times; false when that grows too long.
bool repeat(std::string& out, std::string_view piece, std::size_t times) {
  if (piece.size() * times > kLongest - std::min(kLongest, out.size())) return false;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return true;
}

/// `(...)*n` unrolled, from left to right: a group runs to the next closing bracket and is not empty.
std::optional<std::string> unrollGroups(std::string_view text) {
  std::string out;
  std::size_t close = text.find(')');
  for (std::size_t at = 0; at < text.size();) {
    if (close < at) close = text.find(')', at);
    if (text[at] == '(' && close != std::string_view::npos && close > at + 1 && close + 2 < text.size() &&
        text[close + 1] == '*' && digit(text[close + 2])) {
      const std::string_view piece = text.substr(at + 1, close - at - 1);
      at = close + 2;
      if (!repeat(out, piece, number(text, at))) return std::nullopt;
    } else {
      out += text[at++];
      if (out.size() > kLongest) return std::nullopt;
    }
  }
  return out;
}

/// `x*n` unrolled, x any one character.
std::optional<std::string> unrollCharacters(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (at + 2 < text.size() && text[at + 1] == '*' && digit(text[at + 2])) {
      const std::string_view piece = text.substr(at, 1);
      at += 2;
      if (!repeat(out, piece, number(text, at))) return std::nullopt;
    } else {
      out += text[at++];
      if (out.size() > kLongest) return std::nullopt;
    }
  }
  return out;
}

std::optional<StageItem> item(char letter) {
  switch (letter) {
    case 'E': return StageItem::Embedding;
    case 't': return StageItem::Decoder;
    case 'm': return StageItem::Mtp;
    case 'L': return StageItem::Loss;
    default: return std::nullopt;
  }
}

/// A character as text for people: hostile bytes as hexadecimal.
std::string shown(char c) {
  if (std::isprint(static_cast<unsigned char>(c)) != 0) return std::string("'") + c + "'";
  constexpr char kHex[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("byte 0x") + kHex[byte / 16] + kHex[byte % 16];
}

void validate(const PipelineLayout& layout, const PipelineExpectation& expected, std::vector<Violation>& out) {
  Stage flat;
  for (const Stage& stage : layout.stages) flat.insert(flat.end(), stage.begin(), stage.end());
  const auto text = [](std::int64_t value) { return std::to_string(value); };
  if (expected.otherSplitGiven) {
    out.push_back({"PP-016", "A layout string is given together with uneven stages or accounting for embedding or loss.",
                   "Use one way to split."});
  }
  if (expected.vpp && *expected.vpp != layout.vpp()) {
    out.push_back(
        {"PP-010",
         "VPP " + text(*expected.vpp) + " is given, but the layout has " + text(layout.vpp()) + " virtual stages per rank.",
         "Drop VPP or write PP*VPP stages."});
  }
  if (flat.empty() || flat.front() != StageItem::Embedding || flat.back() != StageItem::Loss ||
      layout.count(StageItem::Embedding) != 1 || layout.count(StageItem::Loss) != 1) {
    out.push_back({"PP-013", "A layout starts with E and ends with L, each exactly once.", "Put one E first and one L last."});
  }
  if (layout.count(StageItem::Decoder) != expected.numLayers) {
    out.push_back(
        {"PP-011",
         text(layout.count(StageItem::Decoder)) + " decoder layers (t) for a model of " + text(expected.numLayers) + ".",
         "Recount the layout."});
  }
  if (layout.count(StageItem::Mtp) != expected.mtpNumLayers) {
    out.push_back({"PP-012",
                   text(layout.count(StageItem::Mtp)) + " MTP layers (m) for a model of " + text(expected.mtpNumLayers) + ".",
                   "Add or remove m."});
  }
  const auto firstMtp = std::find(flat.begin(), flat.end(), StageItem::Mtp);
  if (std::find(firstMtp, flat.end(), StageItem::Decoder) != flat.end()) {
    out.push_back({"PP-015", "A decoder layer comes after an MTP layer.", "Move m behind every t."});
  }
  std::int64_t stagesWithMtp = 0;
  bool early = false;
  for (std::size_t i = 0; i < layout.stages.size(); ++i) {
    if (std::count(layout.stages[i].begin(), layout.stages[i].end(), StageItem::Mtp) == 0) continue;
    ++stagesWithMtp;
    early = early || static_cast<std::int64_t>(i) / layout.pp != layout.vpp() - 1;
  }
  if (early)
    out.push_back(
        {"PP-015", "MTP layers are not in the last virtual stage of their rank.", "Move m to one of the last PP stages."});
  if (stagesWithMtp > 1) out.push_back({"PP-015", "MTP layers are spread over several stages.", "Put every m into one stage."});
}

}  // namespace

std::string_view toText(StageItem item) {
  switch (item) {
    case StageItem::Embedding: return "embedding";
    case StageItem::Decoder: return "decoder";
    case StageItem::Mtp: return "mtp";
    case StageItem::Loss: return "loss";
  }
  return "";
}

std::string_view toText(LayoutStep step) {
  switch (step) {
    case LayoutStep::Parse: return "parse";
    case LayoutStep::Construct: return "construct";
    case LayoutStep::Validate: return "validate";
  }
  return "";
}

std::int64_t PipelineLayout::count(StageItem item) const {
  std::int64_t all = 0;
  for (const Stage& stage : stages) all += std::count(stage.begin(), stage.end(), item);
  return all;
}

std::vector<std::vector<std::vector<std::int64_t>>> PipelineLayout::decoderLayerIds() const {
  std::vector<std::vector<std::vector<std::int64_t>>> ids(static_cast<std::size_t>(pp));
  std::int64_t next = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    std::vector<std::int64_t>& mine = ids[i % static_cast<std::size_t>(pp)].emplace_back();
    const auto decoders = std::count(stages[i].begin(), stages[i].end(), StageItem::Decoder);
    for (std::int64_t k = 0; k < decoders; ++k) mine.push_back(next++);
  }
  return ids;
}

bool PipelineLayout::mtpStandalone() const {
  for (std::int64_t rank = 0; rank + 1 < pp; ++rank) {
    const Stage& last = stage(rank, vpp() - 1);
    if (std::find(last.begin(), last.end(), StageItem::Mtp) != last.end()) return true;
  }
  return false;
}

PipelineCheck checkPipelineLayout(std::string_view text, const PipelineExpectation& expected) {
  PipelineCheck check;
  const auto refuse = [&](LayoutStep step, Violation violation) {
    check.refusedAt = step;
    check.violations.push_back(std::move(violation));
    return check;
  };
  std::string plain(text);
  plain.erase(std::remove(plain.begin(), plain.end(), ','), plain.end());
  std::optional<std::string> expanded = unrollGroups(plain);
  if (expanded) expanded = unrollCharacters(*expanded);
  if (!expanded)
    return refuse(LayoutStep::Parse,
                  {"PP-014", "The layout expands to more than 100,000 characters.", "Check the repeat counts."});

  PipelineLayout layout;
  layout.pp = std::max<std::int64_t>(1, expected.pp);
  layout.stages.emplace_back();
  for (const char letter : *expanded) {
    if (letter == '|') {
      layout.stages.emplace_back();
    } else if (const auto known = item(letter)) {
      layout.stages.back().push_back(*known);
    } else {
      return refuse(LayoutStep::Parse, {"PP-014", shown(letter) + " is no letter of a layout.",
                                        "Use E, t, m, L, | and commas, (...)*n around plain letters, and x*n."});
    }
  }
  const auto stages = static_cast<std::int64_t>(layout.stages.size());
  if (stages % layout.pp != 0) {
    return refuse(LayoutStep::Construct,
                  {"PP-009", std::to_string(stages) + " stages do not divide over PP = " + std::to_string(layout.pp) + ".",
                   "Correct the number of | separators."});
  }
  validate(layout, expected, check.violations);
  if (!check.violations.empty()) check.refusedAt = LayoutStep::Validate;
  check.layout = std::move(layout);
  return check;
}

}  // namespace threewalls::parallel

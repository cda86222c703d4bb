#include "analysis/kernel_class.h"
#include "base/facts.h"

#include <re2/re2.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>

namespace threewalls::analysis {
namespace {

using nlohmann::json;

tl::unexpected<base::Error> badTable(std::string file, std::string message) {
  base::Error error;
  error.file = std::move(file);
  error.message = std::move(message);
  error.hint = "Correct the rule table.";
  return base::fail(std::move(error));
}

/// Text of a member, or empty when it is missing or no text.
std::string textOf(const json& object, const char* key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

bool flagOf(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_boolean() && it->get<bool>();
}

const json* arrayOf(const json& object, const char* key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  return it != object.end() && it->is_array() ? &*it : nullptr;
}

std::optional<ColourClass> colourFromText(std::string_view text) {
  for (std::size_t i = 0; i < kColourClassCount; ++i) {
    if (toText(static_cast<ColourClass>(i)) == text) return static_cast<ColourClass>(i);
  }
  return std::nullopt;
}

KernelClass kernelClass(const json& category) {
  KernelClass out;
  out.id = textOf(category, "id");
  out.group = textOf(category, "group");
  out.label = textOf(category, "label");
  out.isCommunication = flagOf(category, "is_comm");
  out.isWait = flagOf(category, "is_wait");
  out.isMemory = out.group == "memory" && !out.isCommunication;
  out.isGemm = out.id == "gemm.dense" || out.id == "gemm.grouped";
  out.isAttention = out.id.starts_with("attn.");
  return out;
}

RE2::Options patternOptions() {
  RE2::Options options;
  options.set_log_errors(false);
  // Names may hold any bytes; as Latin-1 every byte is a character and none can upset the engine.
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_max_mem(8 << 20);
  options.set_longest_match(false);
  return options;
}

}  // namespace

struct ClassTable::Rules {
  struct Rule {
    std::unique_ptr<RE2> pattern;
    ClassId classId;
  };
  std::vector<Rule> rules;
};

ClassTable::ClassTable() = default;
ClassTable::~ClassTable() = default;

base::Result<std::shared_ptr<const ClassTable>> ClassTable::parse(std::string_view kernelsJson, std::string_view coloursJson) {
  const std::string kernelsFile = "kernels.json";
  const std::string coloursFile = "class_colours.json";
  const json kernels = json::parse(kernelsJson, nullptr, false);
  const json colours = json::parse(coloursJson, nullptr, false);
  if (kernels.is_discarded()) return badTable(kernelsFile, "This is not valid JSON.");
  if (colours.is_discarded()) return badTable(coloursFile, "This is not valid JSON.");
  const json* categories = arrayOf(kernels, "categories");
  const json* patterns = arrayOf(kernels, "kernel_patterns");
  if (categories == nullptr || patterns == nullptr) {
    return badTable(kernelsFile, "The lists \"categories\" and \"kernel_patterns\" are needed.");
  }
  if (categories->size() > std::numeric_limits<ClassId>::max())
    return badTable(kernelsFile, "There are more than 255 categories.");

  std::shared_ptr<ClassTable> table(new ClassTable);
  std::map<std::string, ClassId> ids;
  for (const json& category : *categories) {
    KernelClass made = kernelClass(category);
    if (made.id.empty() || !ids.emplace(made.id, static_cast<ClassId>(table->m_classes.size())).second) {
      return badTable(kernelsFile, "The category \"" + made.id + "\" has no id or stands there twice.");
    }
    table->m_classes.push_back(std::move(made));
  }

  const auto colourMap = colours.is_object() ? colours.find("colours") : colours.end();
  if (colourMap == colours.end() || !colourMap->is_object()) return badTable(coloursFile, "The object \"colours\" is needed.");
  for (const auto& [id, value] : colourMap->items()) {
    const auto known = ids.find(id);
    const auto colour = value.is_string() ? colourFromText(value.get_ref<const std::string&>()) : std::nullopt;
    if (known == ids.end()) return badTable(coloursFile, "There is no category \"" + id + "\".");
    if (!colour) return badTable(coloursFile, "The category \"" + id + "\" has a colour class that does not exist.");
    table->m_classes[known->second].colour = *colour;
  }

  const auto unmatched = kernels.find("unmatched");
  const auto fallback = ids.find(unmatched == kernels.end() ? std::string() : textOf(*unmatched, "category"));
  if (fallback == ids.end())
    return badTable(kernelsFile, "\"unmatched\" must name the category of kernels that no pattern matches.");
  table->m_unclassified = fallback->second;

  std::vector<const json*> ordered;
  for (const json& pattern : *patterns) ordered.push_back(&pattern);
  const auto order = [](const json* pattern) {
    const auto it = pattern->is_object() ? pattern->find("order") : pattern->end();
    return it != pattern->end() && it->is_number() ? it->get<double>() : std::numeric_limits<double>::max();
  };
  std::stable_sort(ordered.begin(), ordered.end(), [&](const json* x, const json* y) { return order(x) < order(y); });

  auto rules = std::make_unique<Rules>();
  for (const json* pattern : ordered) {
    const std::string expression = textOf(*pattern, "regex");
    const auto category = ids.find(textOf(*pattern, "category"));
    if (category == ids.end()) return badTable(kernelsFile, "The pattern \"" + expression + "\" names no known category.");
    auto compiled = std::make_unique<RE2>(expression, patternOptions());
    if (expression.empty() || !compiled->ok()) {
      return badTable(kernelsFile, "The pattern \"" + expression + "\" cannot be used: " + compiled->error() + ".");
    }
    rules->rules.push_back({std::move(compiled), category->second});
  }
  table->m_rules = std::move(rules);
  return table;
}

std::shared_ptr<const ClassTable> ClassTable::builtIn() {
  static const std::shared_ptr<const ClassTable> table = [] {
    auto parsed = parse(base::embeddedFact("kernels.json"), base::embeddedFact("class_colours.json"));
    if (!parsed) {
      // The table is part of the program and a test parses it: only a broken build gets here.
      std::fprintf(stderr, "threewalls: %s\n", parsed.error().text().c_str());
      std::abort();
    }
    return *parsed;
  }();
  return table;
}

ClassId ClassTable::classify(std::string_view name) const {
  const std::string normalised = normalisedKernelName(name);
  for (const Rules::Rule& rule : m_rules->rules) {
    if (RE2::PartialMatch(normalised, *rule.pattern)) return rule.classId;
  }
  return m_unclassified;
}

}  // namespace threewalls::analysis

#include "compare/claim.h"

#include "base/format.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace threewalls::compare {

using base::formatDuration;
using base::Nanoseconds;

std::string decimal(double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

std::string signedPercent(double ratio) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", std::abs(ratio) * 100);
  return (ratio < 0 ? "−" : "+") + std::string(text.data());
}

Claim claimFrom(const StepTime& time) {
  if (!time.ratioCi95) return Claim::TooFewSteps;
  const auto [low, high] = *time.ratioCi95;
  if (low <= 1.0 && high >= 1.0) return Claim::NoDifference;
  if (high < 1.0 - kClaimThreshold) return Claim::Faster;
  if (low > 1.0 + kClaimThreshold) return Claim::Slower;
  return Claim::BelowThreshold;
}

std::string interval(const StepTime& time) {
  return time.ratioCi95 ? decimal((*time.ratioCi95)[0]) + " to " + decimal((*time.ratioCi95)[1]) : std::string();
}

namespace {

/// "102.7 ms a step shorter than A's", "as long as A's".
std::string difference(const StepTime& time) {
  const Nanoseconds delta = time.medianB - time.medianA;
  if (delta.count() == 0) return "as long as A's";
  return formatDuration(Nanoseconds(std::abs(delta.count()))) + (delta.count() < 0 ? " shorter than A's" : " longer than A's");
}

}  // namespace

std::string headline(Claim claim, const StepTime& time) {
  const std::string medians = formatDuration(time.medianA) + " in A, " + formatDuration(time.medianB) + " in B";
  const std::string amount = formatDuration(Nanoseconds(std::abs((time.medianB - time.medianA).count())));
  switch (claim) {
    case Claim::Faster: return "B is " + amount + " a step faster (median " + medians + ").";
    case Claim::Slower: return "B is " + amount + " a step slower (median " + medians + ").";
    case Claim::BelowThreshold: return "The difference is smaller than 1 % (median step " + medians + ").";
    case Claim::NoDifference: return "No difference shown (median step " + medians + ").";
    case Claim::TooFewSteps:
      if (time.countA == 0 || time.countB == 0) return "Nothing can be compared: one side has no step to take a time from.";
      return "Too few steps to claim a difference; B's median step is " + difference(time) + " (" + medians + ").";
    case Claim::NotComparable:
      return "Not comparable; what follows are the figures of two different setups (median step " + medians + ").";
  }
  return {};
}

std::string_view toText(Claim claim) {
  switch (claim) {
    case Claim::Faster: return "faster";
    case Claim::Slower: return "slower";
    case Claim::BelowThreshold: return "below_threshold";
    case Claim::NoDifference: return "no_difference";
    case Claim::TooFewSteps: return "too_few_steps";
    case Claim::NotComparable: return "not_comparable";
  }
  return "not_comparable";
}

}  // namespace threewalls::compare

#pragma once

#include "compare/compare.h"

#include <string>

namespace threewalls::compare {

/// What the interval of the ratio allows to say.
Claim claimFrom(const StepTime& time);
/// One sentence for people.
std::string headline(Claim claim, const StepTime& time);
/// "0.2031 to 0.2108"; empty without an interval.
std::string interval(const StepTime& time);
/// Four significant digits.
std::string decimal(double value);
/// "+6.9 %".
std::string signedPercent(double ratio);

}  // namespace threewalls::compare

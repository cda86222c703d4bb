#pragma once

#include <array>

namespace threewalls::test {

/// CIE L*a*b* under D65.
struct Lab {
  double l = 0;
  double a = 0;
  double b = 0;
};

/// Eyes that a colour is looked at with: dichromats as simulated by Machado, Oliveira and Fernandes (2009), severity 1.
enum class Vision { Normal, Protan, Deutan, Tritan };
constexpr std::array<Vision, 4> kVisions = {Vision::Normal, Vision::Protan, Vision::Deutan, Vision::Tritan};

/// What an sRGB colour (0..1 each) looks like.
Lab perceived(std::array<double, 3> srgb, Vision vision);

/// CIEDE2000 distance by Sharma, Wu and Dalal (2005).
double colourDifference(const Lab& x, const Lab& y);

}  // namespace threewalls::test

#include "support/colour_difference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace threewalls::test {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr double kDegree = std::numbers::pi / 180;

Vector times(const Matrix& matrix, const Vector& vector) {
  Vector result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * vector[j];
  }
  return result;
}

/// Table 1 of Machado et al., severity 1, for linear RGB.
constexpr Matrix kProtan = {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan = {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan = {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
/// IEC 61966-2-1.
constexpr Matrix kXyz = {
    {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
constexpr Vector kWhite = {0.95047, 1.0, 1.08883};

double linear(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double labCurve(double t) {
  return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

double hue(double a, double b) {
  if (a == 0 && b == 0) return 0;
  const double degrees = std::atan2(b, a) / kDegree;
  return degrees < 0 ? degrees + 360 : degrees;
}

double pow7(double x) {
  return std::pow(x, 7);
}

}  // namespace

Lab perceived(Vector srgb, Vision vision) {
  Vector rgb = {linear(srgb[0]), linear(srgb[1]), linear(srgb[2])};
  if (vision == Vision::Protan) rgb = times(kProtan, rgb);
  if (vision == Vision::Deutan) rgb = times(kDeutan, rgb);
  if (vision == Vision::Tritan) rgb = times(kTritan, rgb);
  for (double& channel : rgb) channel = std::clamp(channel, 0.0, 1.0);
  const Vector xyz = times(kXyz, rgb);
  const double x = labCurve(xyz[0] / kWhite[0]), y = labCurve(xyz[1] / kWhite[1]), z = labCurve(xyz[2] / kWhite[2]);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double colourDifference(const Lab& x, const Lab& y) {
  const double meanChroma = (std::hypot(x.a, x.b) + std::hypot(y.a, y.b)) / 2;
  const double g = 0.5 * (1 - std::sqrt(pow7(meanChroma) / (pow7(meanChroma) + pow7(25))));
  const double a1 = (1 + g) * x.a, a2 = (1 + g) * y.a;
  const double c1 = std::hypot(a1, x.b), c2 = std::hypot(a2, y.b);
  const double h1 = hue(a1, x.b), h2 = hue(a2, y.b);

  const bool grey = c1 * c2 == 0;
  double turn = h2 - h1;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  if (grey) turn = 0;
  const double deltaL = y.l - x.l;
  const double deltaC = c2 - c1;
  const double deltaH = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2 * kDegree);

  const double meanL = (x.l + y.l) / 2;
  const double meanC = (c1 + c2) / 2;
  double meanH = h1 + h2;
  if (!grey) {
    if (std::abs(h1 - h2) > 180) meanH += meanH < 360 ? 360 : -360;
    meanH /= 2;
  }
  const double t = 1 - 0.17 * std::cos((meanH - 30) * kDegree) + 0.24 * std::cos(2 * meanH * kDegree) +
                   0.32 * std::cos((3 * meanH + 6) * kDegree) - 0.20 * std::cos((4 * meanH - 63) * kDegree);
  const double rotation = 30 * std::exp(-std::pow((meanH - 275) / 25, 2));
  const double rc = 2 * std::sqrt(pow7(meanC) / (pow7(meanC) + pow7(25)));
  const double l50 = (meanL - 50) * (meanL - 50);
  const double sl = 1 + 0.015 * l50 / std::sqrt(20 + l50);
  const double sc = 1 + 0.045 * meanC;
  const double sh = 1 + 0.015 * meanC * t;
  const double rt = -std::sin(2 * rotation * kDegree) * rc;
  const double l = deltaL / sl, c = deltaC / sc, h = deltaH / sh;
  return std::sqrt(l * l + c * c + h * h + rt * c * h);
}

}  // namespace threewalls::test

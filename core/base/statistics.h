#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace threewalls::base {

/// How definitions.md (A/B) bounds a median: a moving-block bootstrap, so that iterations that follow one another need not be
/// independent. The generator and its mapping are our own: the same numbers on every machine and compiler. Fewer than two blocks'
/// worth of values are cut into blocks of half their number, since one block alone would make an interval of no width.
constexpr std::size_t kBootstrapBlock = 5;
constexpr std::size_t kBootstrapResamples = 10'000;

/// Low and high end of a two-sided 95 % interval.
using Interval95 = std::array<double, 2>;

/// Middle value, or the mean of the two middle ones; 0 for no values.
double median(std::vector<double> values);

/// 0 for no values.
double mean(std::span<const double> values);

/// Percentile bootstrap interval of the median of a series in time order. A single value gives a point; none gives {0, 0}:
/// callers ask only with enough values. Series of over 20,000 values get fewer resamples (2e8 / size, at least 200).
Interval95 medianCi95(std::span<const double> series);

/// Percentile bootstrap interval of median(b) / median(a), both resampled independently. Values must be positive.
Interval95 medianRatioCi95(std::span<const double> a, std::span<const double> b);

/// Slope of `values` over `positions` (ascending) times the span of the positions, over the median of the values: the relative
/// change across the window. The slope is the median of all pairs' slopes (Theil-Sen), so that one slow iteration is no drift;
/// of more than 400 values, medians of neighbouring ones stand for them. 0 with fewer than three values.
double relativeDrift(std::span<const double> positions, std::span<const double> values);

}  // namespace threewalls::base

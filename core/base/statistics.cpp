#include "base/statistics.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace threewalls::base {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the standard library's distributions differ between implementations.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : m_state(seed) {}
  /// Uniform in [0, bound), bound below 2³².
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(((next() >> 32) * bound) >> 32); }

 private:
  std::uint64_t next() {
    std::uint64_t z = (m_state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t m_state;
};

constexpr std::uint64_t kSeed = 20'261'201;

double medianInPlace(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

/// Blocks of consecutive values from random places until the resample is as long as the series.
void resample(std::span<const double> series, Generator& generator, std::vector<double>& out) {
  const std::size_t block = std::max<std::size_t>(1, std::min(kBootstrapBlock, series.size() / 2));
  out.clear();
  while (out.size() < series.size()) {
    const std::size_t start = generator.below(series.size() - block + 1);
    const std::size_t take = std::min(block, series.size() - out.size());
    for (std::size_t i = 0; i < take; ++i) out.push_back(series[start + i]);
  }
}

std::size_t resamplesFor(std::size_t size) {
  constexpr std::size_t kValueBudget = 200'000'000;
  return std::clamp<std::size_t>(kValueBudget / std::max<std::size_t>(size, 1), 200, kBootstrapResamples);
}

Interval95 percentiles(std::vector<double>& statistics) {
  std::sort(statistics.begin(), statistics.end());
  const std::size_t tail = statistics.size() / 40;  // 2.5 % on either side
  return {statistics[tail], statistics[statistics.size() - 1 - tail]};
}

}  // namespace

double median(std::vector<double> values) {
  return medianInPlace(values);
}

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Interval95 medianCi95(std::span<const double> series) {
  if (series.empty()) return {0, 0};
  Generator generator(kSeed);
  std::vector<double> drawn;
  std::vector<double> medians(resamplesFor(series.size()));
  for (double& value : medians) {
    resample(series, generator, drawn);
    value = medianInPlace(drawn);
  }
  return percentiles(medians);
}

Interval95 medianRatioCi95(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {0, 0};
  Generator generator(kSeed);
  std::vector<double> drawn;
  std::vector<double> ratios(resamplesFor(a.size() + b.size()));
  for (double& value : ratios) {
    resample(a, generator, drawn);
    const double medianA = medianInPlace(drawn);
    resample(b, generator, drawn);
    value = medianInPlace(drawn) / medianA;
  }
  return percentiles(ratios);
}

double relativeDrift(std::span<const double> positions, std::span<const double> values) {
  constexpr std::size_t kMostPoints = 400;
  if (values.size() < 3 || positions.size() != values.size()) return 0;
  const std::size_t chunk = (values.size() + kMostPoints - 1) / kMostPoints;
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < values.size(); i += chunk) {
    const std::size_t take = std::min(chunk, values.size() - i);
    x.push_back(mean(positions.subspan(i, take)));
    const auto part = values.subspan(i, take);
    y.push_back(median({part.begin(), part.end()}));
  }
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[j] > x[i]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
    }
  }
  const double middle = median({values.begin(), values.end()});
  if (middle <= 0) return 0;
  return median(std::move(slopes)) * (positions.back() - positions.front()) / middle;
}

}  // namespace threewalls::base

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace threewalls::trace::ncu {

/// Nsight Compute writes numbers by the locale of who ran it: "1,234.50" or "1.234,50". One file has one style; it is told from
/// cells that can only be read one way.
class NumberStyle {
 public:
  /// Evidence from one cell; what is no number counts for nothing.
  void learn(std::string_view cell);
  /// The mark before the fraction: '.' unless the evidence says ','.
  char decimalMark() const { return m_comma > m_point ? ',' : '.'; }
  /// Both styles were seen: some numbers will be wrong.
  bool contradictory() const { return m_comma > 0 && m_point > 0; }
  /// None for "n/a", "no data", "(!) nan", an empty cell or anything else that is no finite number.
  std::optional<double> parse(std::string_view cell) const;

 private:
  int m_point = 0;
  int m_comma = 0;
};

/// A unit as a factor to seconds, bytes, hertz or plain counts: 1e-6 and "s" for "usecond", 1e9 and "byte/s" for "Gbyte/second".
struct Unit {
  double factor = 1;
  std::string base;
};
/// Spellings of all releases; what is not known stands for itself.
Unit unitOf(std::string_view text);

}  // namespace threewalls::trace::ncu

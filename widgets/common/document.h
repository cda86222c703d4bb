#pragma once

#include "analysis/analysis.h"
#include "compare/compare.h"

#include <QObject>
#include <QString>

#include <array>
#include <memory>
#include <optional>

namespace threewalls::common {

/// The two sides of every comparison.
enum class Side : std::uint8_t { A, B };
constexpr std::array<Side, 2> kSides = {Side::A, Side::B};

/// One opened trace with its analysis, and its training log when there is one.
struct Run {
  QString name;  ///< shown to people: file name without its suffixes
  std::shared_ptr<const analysis::Analysis> analysis;
  std::shared_ptr<const run::TrainingLog> log;  ///< of the unprofiled run; null when none was found
  /// The run against itself: its median step and kernel times per step, for the views of a run that is open alone.
  std::shared_ptr<const compare::Comparison> alone;
};

/// What is open: the one owner of the runs on side A and B and of their comparison. Views listen and never compute.
class Document : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  const std::optional<Run>& run(Side side) const { return m_runs[static_cast<std::size_t>(side)]; }
  /// The comparison of A and B; null unless both are open.
  const std::shared_ptr<const compare::Comparison>& comparison() const { return m_comparison; }
  QString title() const { return m_title; }

  /// Replaces both sides at once, with the comparison made on a worker (null unless both sides are there).
  void setRuns(std::optional<Run> a, std::optional<Run> b, std::shared_ptr<const compare::Comparison> comparison, QString title);

 signals:
  void runsChanged();

 private:
  std::array<std::optional<Run>, 2> m_runs;
  std::shared_ptr<const compare::Comparison> m_comparison;
  QString m_title;
};

}  // namespace threewalls::common

#include "common/document.h"

#include <utility>

namespace threewalls::common {

void Document::setRuns(std::optional<Run> a, std::optional<Run> b, std::shared_ptr<const compare::Comparison> comparison,
                       QString title) {
  m_runs = {std::move(a), std::move(b)};
  m_comparison = std::move(comparison);
  m_title = std::move(title);
  emit runsChanged();
}

}  // namespace threewalls::common

#pragma once

#include "common/card.h"
#include "common/document.h"

namespace threewalls::profile {

/// The step time of what is open, where it comes from, and what may be said about it.
class HeadlineCard : public common::Card {
  Q_OBJECT
 public:
  explicit HeadlineCard(QWidget* parent = nullptr);
  void show(const common::Document& document);
  /// Stacks the two halves when there is no room for them side by side.
  void setNarrow(bool narrow);

 private:
  QBoxLayout* m_halves;
  QLabel* m_caption;
  QLabel* m_figure;
  QLabel* m_source;
  QFrame* m_rule;
  QVBoxLayout* m_claims;
};

}  // namespace threewalls::profile

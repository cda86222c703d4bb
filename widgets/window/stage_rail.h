#pragma once

#include "common/document.h"

#include <QWidget>

class QLabel;

namespace threewalls::window {

/// The six stages at the left. Only those that exist can be chosen; the others say their place in the order of work.
class StageRail : public QWidget {
 public:
  explicit StageRail(const common::Document* document, QWidget* parent = nullptr);

 private:
  void refresh();

  const common::Document* m_document;
  QLabel* m_profileState;
};

}  // namespace threewalls::window

#pragma once

#include "common/document.h"
#include "common/selection.h"

#include <QTableView>

namespace threewalls::profile {

class KernelTableModel;

/// A table of kernels, sorted and filtered by what stands between it and `source`. Figures get the width they need and the name
/// what is left, but never less than can be read. Enter on a row does what a click does.
class KernelTable : public QTableView {
 public:
  explicit KernelTable(const KernelTableModel* source, QWidget* parent = nullptr);

  /// From now on the row of the selected slice's kernel is the current one; none for what is no kernel. Both must outlive this.
  void follow(const common::Document& document, const common::Selection& selection);
  /// For a new model or width. Class and shares are left out where there is no room for them.
  void fitColumns();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  int neededWidth(int section) const;

  const KernelTableModel* m_source;
};

}  // namespace threewalls::profile

#pragma once

#include "common/document.h"
#include "common/selection.h"
#include "common/theme.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace threewalls::profile {

class KernelFilter;
class KernelTable;
class KernelTableModel;

/// Every kernel of the steady steps in a table that sorts, filters and copies.
class KernelsPage : public QWidget {
  Q_OBJECT
 public:
  KernelsPage(common::Document* document, common::Selection* selection, QWidget* parent = nullptr);

  void setTheme(const common::Theme& theme);
  /// Puts the keyboard into the filter field.
  void focusFilter();
  /// What the table shows now, as text on the clipboard.
  void copyCsv();
  void copyMarkdown();

 signals:
  /// A row was clicked, or Enter pressed on it.
  void kernelChosen(threewalls::common::Side side, threewalls::trace::NameId name);

 private:
  void refresh();
  void countRows();
  void choose(const QModelIndex& index);

  common::Document* m_document;
  KernelTableModel* m_model;
  KernelFilter* m_filter;
  QLineEdit* m_text;
  QComboBox* m_class;
  QLabel* m_count;
  KernelTable* m_table;
  QLabel* m_none;
};

}  // namespace threewalls::profile

#pragma once

#include "common/document.h"
#include "common/theme.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <memory>
#include <optional>

namespace threewalls::profile {

/// Kernel times per steady step of what is open: of A against B, or of the one run that is open. Strings are made for the cells
/// that are looked at.
class KernelTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Class, CallsA, CallsB, TimeA, TimeB, Delta, ShareA, ShareB };
  static constexpr int kSortRole = Qt::UserRole + 1;
  static constexpr int kClassIdRole = Qt::UserRole + 2;
  static constexpr int kFullNameRole = Qt::UserRole + 3;

  using QAbstractTableModel::QAbstractTableModel;

  void show(const common::Document& document);
  void setTheme(const common::Theme& theme);

  /// What a model column of this table stands for: the columns of a side that is not open are left out.
  Column column(int section) const { return m_columns[static_cast<std::size_t>(section)]; }
  std::optional<int> section(Column column) const;
  const compare::KernelDelta& kernel(int row) const { return m_comparison->kernels[static_cast<std::size_t>(row)]; }
  /// The name in the trace of a side; none when that side never ran the kernel or is not open.
  std::optional<trace::NameId> name(int row, common::Side side) const;
  /// The row of a name of a side's trace; none for one that the table does not have.
  std::optional<int> rowOf(common::Side side, trace::NameId name) const;
  /// Ids and labels of the classes that occur, most time first.
  std::vector<std::pair<QString, QString>> classes() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QVariant figure(const compare::KernelDelta& kernel, Column column) const;
  QString display(const compare::KernelDelta& kernel, Column column) const;
  QString label(const std::string& classId) const;
  QColor colour(const std::string& classId) const;
  const analysis::KernelClass* kernelClass(const std::string& classId) const;

  std::shared_ptr<const compare::Comparison> m_comparison;
  std::array<bool, 2> m_open{};
  std::vector<Column> m_columns;
  common::Theme m_theme;
};

/// The rows of a KernelTableModel whose full name holds a text and whose class is the chosen one.
class KernelFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit KernelFilter(QObject* parent = nullptr);
  /// A literal text, any case; an empty one lets everything through.
  void setText(const QString& text);
  /// Of kernels.json; an empty one lets everything through.
  void setClassId(const QString& classId);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QString m_text;
  QString m_classId;
};

}  // namespace threewalls::profile

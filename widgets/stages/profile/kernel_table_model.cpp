#include "profile/kernel_table_model.h"

#include "base/format.h"
#include "common/table_text.h"
#include "common/text.h"

#include <QPixmap>

#include <algorithm>
#include <cmath>
#include <map>

namespace threewalls::profile {
namespace {

using common::Side;
using Column = KernelTableModel::Column;

constexpr std::size_t kNameWidth = 110;

QString sided(const char* text, const char* side, bool both) {
  return both ? QLatin1String(text) + QLatin1Char(' ') + QLatin1String(side) : QString::fromLatin1(text);
}

/// Calls per step: whole numbers mostly, one decimal where steps differ.
QString callsText(double calls) {
  const double whole = std::round(calls);
  if (std::abs(calls - whole) < 0.05) return QString::fromStdString(base::formatCount(static_cast<std::uint64_t>(whole)));
  return QString::number(calls, 'f', 1);
}

/// "Gated activation" of "Gated activation (SwiGLU/GeGLU) and bias": what a column has room for.
QString shortClass(const QString& label) {
  qsizetype end = label.size();
  for (const char* separator : {" / ", " (", ", "}) {
    const qsizetype found = label.indexOf(QLatin1String(separator));
    if (found > 0) end = std::min(end, found);
  }
  return label.left(end);
}

}  // namespace

void KernelTableModel::show(const common::Document& document) {
  beginResetModel();
  m_open = {document.run(Side::A).has_value(), document.run(Side::B).has_value()};
  const bool both = m_open[0] && m_open[1];
  m_comparison = document.comparison();
  if (m_comparison == nullptr && !both && (m_open[0] || m_open[1]))
    m_comparison = document.run(m_open[0] ? Side::A : Side::B)->alone;
  if (m_comparison == nullptr)
    m_columns.clear();
  else if (both)
    m_columns = {Name, Class, CallsA, CallsB, TimeA, TimeB, Delta, ShareA, ShareB};
  else if (m_open[0])
    m_columns = {Name, Class, CallsA, TimeA, ShareA};
  else
    m_columns = {Name, Class, CallsB, TimeB, ShareB};
  endResetModel();
}

void KernelTableModel::setTheme(const common::Theme& theme) {
  m_theme = theme;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DecorationRole});
}

std::optional<int> KernelTableModel::section(Column column) const {
  const auto found = std::find(m_columns.begin(), m_columns.end(), column);
  if (found == m_columns.end()) return std::nullopt;
  return static_cast<int>(found - m_columns.begin());
}

std::optional<trace::NameId> KernelTableModel::name(int row, Side side) const {
  if (!m_open[static_cast<std::size_t>(side)]) return std::nullopt;
  return side == Side::A ? kernel(row).aName : kernel(row).bName;
}

std::optional<int> KernelTableModel::rowOf(Side side, trace::NameId name) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (this->name(row, side) == name) return row;
  }
  return std::nullopt;
}

std::vector<std::pair<QString, QString>> KernelTableModel::classes() const {
  std::map<std::string, std::int64_t> times;
  if (m_comparison != nullptr) {
    for (const compare::KernelDelta& kernel : m_comparison->kernels) times[kernel.classId] += kernel.a.count() + kernel.b.count();
  }
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [id, time] : times) order.emplace_back(-time, id);
  std::sort(order.begin(), order.end());
  std::vector<std::pair<QString, QString>> result;
  for (const auto& [time, id] : order) result.emplace_back(common::toText(id), label(id));
  return result;
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || m_comparison == nullptr ? 0 : static_cast<int>(m_comparison->kernels.size());
}

int KernelTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

const analysis::KernelClass* KernelTableModel::kernelClass(const std::string& classId) const {
  for (const analysis::KernelClass& candidate : m_comparison->a->classes.table().classes()) {
    if (candidate.id == classId) return &candidate;
  }
  return nullptr;
}

QString KernelTableModel::label(const std::string& classId) const {
  const analysis::KernelClass* found = kernelClass(classId);
  return common::toText(found != nullptr ? found->label : classId);
}

QColor KernelTableModel::colour(const std::string& classId) const {
  const analysis::KernelClass* found = kernelClass(classId);
  return m_theme.of(found != nullptr ? found->colour : analysis::ColourClass::Other);
}

QVariant KernelTableModel::figure(const compare::KernelDelta& kernel, Column column) const {
  const auto share = [](base::Nanoseconds time, base::Nanoseconds step) {
    return step.count() == 0 ? 0.0 : static_cast<double>(time.count()) / static_cast<double>(step.count());
  };
  switch (column) {
    case CallsA: return kernel.aCount;
    case CallsB: return kernel.bCount;
    case TimeA: return static_cast<qlonglong>(kernel.a.count());
    case TimeB: return static_cast<qlonglong>(kernel.b.count());
    case Delta: return static_cast<qlonglong>(kernel.delta().count());
    case ShareA: return share(kernel.a, m_comparison->waterfall.meanA);
    case ShareB: return share(kernel.b, m_comparison->waterfall.meanB);
    case Name:
    case Class: break;
  }
  return {};
}

QString KernelTableModel::display(const compare::KernelDelta& kernel, Column column) const {
  switch (column) {
    case Name: return common::toText(base::shortKernelName(kernel.name, kNameWidth));
    case Class: return shortClass(label(kernel.classId));
    case CallsA:
    case CallsB: return callsText(figure(kernel, column).toDouble());
    case TimeA: return common::duration(kernel.a);
    case TimeB: return common::duration(kernel.b);
    case Delta: return common::signedDuration(kernel.delta());
    case ShareA:
    case ShareB: return QString::fromStdString(base::formatPercent(figure(kernel, column).toDouble()));
  }
  return {};
}

QVariant KernelTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const compare::KernelDelta& row = kernel(index.row());
  const Column what = column(index.column());
  switch (role) {
    case Qt::DisplayRole: return display(row, what);
    case Qt::ToolTipRole:
      if (what == Name || what == Class)
        return common::literalToolTip(common::toText(row.name) + QLatin1Char('\n') + label(row.classId));
      if (what == TimeA) return common::exactNanoseconds(row.a);
      if (what == TimeB) return common::exactNanoseconds(row.b);
      if (what == Delta) return common::exactNanoseconds(row.delta());
      return {};
    case Qt::AccessibleTextRole: return what == Name ? common::toText(row.name) : display(row, what);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::AlignVCenter | (what == Name || what == Class ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::DecorationRole: {
      if (what != Class) return {};
      QPixmap swatch(10, 10);
      swatch.fill(colour(row.classId));
      return swatch;
    }
    case kSortRole:
      if (what == Name) return common::toText(row.name);
      return what == Class ? QVariant(label(row.classId)) : figure(row, what);
    case common::kExportRole:
      if (what == Name) return common::toText(row.name);
      return what == Class ? QVariant(common::toText(row.classId)) : figure(row, what);
    case kClassIdRole: return common::toText(row.classId);
    case kFullNameRole: return common::toText(row.name);
    default: return {};
  }
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const Column what = column(section);
  const bool both = m_open[0] && m_open[1];
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::AlignVCenter | (what == Name || what == Class ? Qt::AlignLeft : Qt::AlignRight));
  if (role == common::kExportRole) {
    static constexpr const char* kFields[] = {"name",           "class",         "a_calls_per_step",  "b_calls_per_step",
                                              "a_ns_per_step",  "b_ns_per_step", "delta_ns_per_step", "a_ratio_of_step",
                                              "b_ratio_of_step"};
    return QString::fromLatin1(kFields[what]);
  }
  if (role == Qt::ToolTipRole) {
    switch (what) {
      case CallsA:
      case CallsB: return tr("Calls a step, mean over the steady steps");
      case TimeA:
      case TimeB: return tr("Summed kernel time a step, mean over the steady steps");
      case Delta: return tr("Time a step in B less time a step in A");
      case ShareA:
      case ShareB:
        return tr("Summed kernel time over the mean step; kernels side by side on several streams can exceed 100 % together");
      default: return {};
    }
  }
  if (role != Qt::DisplayRole) return {};
  switch (what) {
    case Name: return tr("Kernel");
    case Class: return tr("Class");
    case CallsA: return sided("Calls", "A", both);
    case CallsB: return sided("Calls", "B", both);
    case TimeA: return sided(both ? "Time" : "Time a step", "A", both);
    case TimeB: return sided(both ? "Time" : "Time a step", "B", both);
    case Delta: return QStringLiteral("B − A");
    case ShareA: return sided(both ? "Share" : "Share of step", "A", both);
    case ShareB: return sided(both ? "Share" : "Share of step", "B", both);
  }
  return {};
}

KernelFilter::KernelFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(KernelTableModel::kSortRole);
  setSortCaseSensitivity(Qt::CaseInsensitive);
}

void KernelFilter::setText(const QString& text) {
  m_text = text;
  invalidateFilter();
}

void KernelFilter::setClassId(const QString& classId) {
  m_classId = classId;
  invalidateFilter();
}

bool KernelFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  if (!m_classId.isEmpty() && index.data(KernelTableModel::kClassIdRole).toString() != m_classId) return false;
  return m_text.isEmpty() || index.data(KernelTableModel::kFullNameRole).toString().contains(m_text, Qt::CaseInsensitive);
}

}  // namespace threewalls::profile

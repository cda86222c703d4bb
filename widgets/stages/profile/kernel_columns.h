#pragma once

class QTableView;

namespace threewalls::profile {

class KernelTableModel;

/// Dresses a table of kernels: rows, header and a delegate that stands digits below each other.
void dressKernelTable(QTableView* table);

/// Gives figures the width they need and the name what is left, but never less than can be read: then the table scrolls.
/// `model` is the one behind the table's filter. Narrow tables leave out class and shares when `compact` is set.
void fitKernelColumns(QTableView* table, const KernelTableModel& model, bool compact);

}  // namespace threewalls::profile

#pragma once

#include "common/document.h"
#include "common/selection.h"
#include "common/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace threewalls::profile {

/// One step of one device of one side.
struct LedgerRow {
  common::Side side = common::Side::A;
  QString label;  ///< "step 61", with the device in front when there are several
  const analysis::Step* step = nullptr;
  int device = -1;
};

/// All steps of what is open, side A first. The rows point into the document's runs.
std::vector<LedgerRow> ledgerRows(const common::Document& document);
/// The step that holds the selected range, else the one in which the selected slice starts; none where neither lies in a step.
std::optional<std::size_t> rowOf(const std::vector<LedgerRow>& rows, const common::Document& document,
                                 const common::Selection& selection);

/// One bar per step, cut into the parts of its ledger, all to one scale. A click or Enter chooses a step. Paints only the rows
/// that are seen, so that thousands of steps cost nothing.
class LedgerBars : public QWidget {
  Q_OBJECT
 public:
  explicit LedgerBars(QWidget* parent = nullptr);

  void setRows(std::vector<LedgerRow> rows);
  void setTheme(const common::Theme& theme);
  const std::vector<LedgerRow>& rows() const { return m_rows; }
  /// Marks the row of what is selected elsewhere.
  void setSelected(std::optional<std::size_t> row);
  std::optional<std::size_t> selected() const { return m_selected; }
  /// The coloured bar of a row.
  QRectF barRect(std::size_t row) const;
  int rowHeight() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void chosen(const threewalls::profile::LedgerRow& row);
  /// The keyboard moved to this row, which a scroll area should show.
  void movedTo(const QRect& row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRect rowRect(std::size_t row) const;
  std::optional<std::size_t> rowAt(const QPoint& position) const;
  void setCurrent(std::optional<std::size_t> row);
  void paintRow(QPainter& painter, std::size_t row) const;

  std::vector<LedgerRow> m_rows;
  common::Theme m_theme;
  std::optional<std::size_t> m_current;
  std::optional<std::size_t> m_selected;
  base::Nanoseconds m_longest{1};
  int m_labelWidth = 0;
  int m_valueWidth = 0;
};

}  // namespace threewalls::profile

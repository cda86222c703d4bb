#pragma once

#include "base/units.h"
#include "common/document.h"
#include "trace/event.h"

#include <QObject>

#include <optional>

namespace threewalls::common {

struct SelectedSlice {
  Side side = Side::A;
  trace::EventRef event;
  bool operator==(const SelectedSlice&) const = default;
};

/// A stretch of one side's own clock.
struct SelectedRange {
  Side side = Side::A;
  base::Interval range;
  bool operator==(const SelectedRange&) const = default;
};

/// The one selection that all views share: at most one slice and one range. A table row, a ledger bar, a wall reason and a click
/// on the timeline all set it; `shown` asks the timeline to bring it into view.
class Selection : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  const std::optional<SelectedSlice>& slice() const { return m_slice; }
  const std::optional<SelectedRange>& range() const { return m_range; }

  void setSlice(std::optional<SelectedSlice> slice);
  void setRange(std::optional<SelectedRange> range);
  void clear();
  /// Selects and asks the timeline to bring it into view.
  void show(const SelectedSlice& slice);
  void show(const SelectedRange& range);

 signals:
  void changed();
  void sliceShown(const SelectedSlice& slice);
  void rangeShown(const SelectedRange& range);

 private:
  std::optional<SelectedSlice> m_slice;
  std::optional<SelectedRange> m_range;
};

}  // namespace threewalls::common

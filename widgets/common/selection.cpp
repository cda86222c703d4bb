#include "common/selection.h"

namespace threewalls::common {

void Selection::setSlice(std::optional<SelectedSlice> slice) {
  if (m_slice == slice) return;
  m_slice = slice;
  emit changed();
}

void Selection::setRange(std::optional<SelectedRange> range) {
  if (m_range == range) return;
  m_range = range;
  emit changed();
}

void Selection::clear() {
  if (!m_slice && !m_range) return;
  m_slice.reset();
  m_range.reset();
  emit changed();
}

void Selection::show(const SelectedSlice& slice) {
  setSlice(slice);
  emit sliceShown(slice);
}

void Selection::show(const SelectedRange& range) {
  setRange(range);
  emit rangeShown(range);
}

}  // namespace threewalls::common

#include "timeline/marks.h"

#include <algorithm>

namespace threewalls::timeline {

using common::SelectedRange;
using common::SelectedSlice;
using common::Side;

/// One mark before and after a change: of an addition nothing stood before, of a removal nothing stands after.
class Marks::Change : public QUndoCommand {
 public:
  Change(Marks* marks, QString key, std::optional<Mark> before, std::optional<Mark> after)
      : m_marks(marks), m_key(std::move(key)), m_before(std::move(before)), m_after(std::move(after)) {}
  void redo() override { m_marks->replace(m_key, m_before, m_after); }
  void undo() override { m_marks->replace(m_key, m_after, m_before); }

 private:
  Marks* m_marks;
  QString m_key;
  std::optional<Mark> m_before;
  std::optional<Mark> m_after;
};

Marks::Marks(const common::Document& document) : m_document(document) {
  connect(&document, &common::Document::runsChanged, this, &Marks::reload);
  reload();
}

void Marks::keepIn(const QString& folder) {
  m_store = MarkStore(folder);
  m_marks.clear();
  m_history.clear();
  reload();
}

QString Marks::keyOf(Side side) const {
  const auto& run = m_document.run(side);
  if (!run || !run->analysis) return {};
  const trace::Trace& trace = *run->analysis->trace;
  if (!trace.info().contentHash.empty()) return QString::fromStdString(trace.info().contentHash);
  // Made up, not read from a file: itself and no other.
  return QStringLiteral("trace at %1").arg(reinterpret_cast<quintptr>(&trace));
}

void Marks::reload() {
  std::map<QString, std::vector<Mark>> now;
  std::vector<base::Error> errors;
  for (const Side side : common::kSides) {
    const QString key = keyOf(side);
    if (key.isEmpty() || now.contains(key)) continue;
    if (const auto kept = m_marks.find(key); kept != m_marks.end()) {
      now[key] = std::move(kept->second);
      m_marks.erase(kept);
      continue;
    }
    MarkStore::Loaded loaded = m_store.load(key);
    const trace::Trace& trace = *m_document.run(side)->analysis->trace;
    std::multimap<base::Nanoseconds, Mark> byStart;
    for (Mark& mark : loaded.marks) {
      mark.id = ++m_lastId;
      mark.event = findSlice(trace, mark);
      byStart.emplace(mark.interval.start, std::move(mark));
    }
    for (auto& [start, mark] : byStart) now[key].push_back(std::move(mark));
    now.try_emplace(key);
    if (loaded.error) errors.push_back(*loaded.error);
  }
  // What was done to a trace that has been closed cannot be undone where nobody sees it.
  if (!m_marks.empty()) m_history.clear();
  m_marks = std::move(now);
  emit changed();
  for (const base::Error& error : errors) emit failed(error);
}

const std::vector<Mark>& Marks::of(Side side) const {
  static const std::vector<Mark> none;
  const auto found = m_marks.find(keyOf(side));
  return found == m_marks.end() ? none : found->second;
}

const Mark* Marks::find(const MarkOfSide& mark) const {
  const auto& marks = of(mark.side);
  const auto found = std::find_if(marks.begin(), marks.end(), [&](const Mark& candidate) { return candidate.id == mark.id; });
  return found == marks.end() ? nullptr : &*found;
}

std::optional<MarkOfSide> Marks::selected(const common::Selection& selection) const {
  const auto& slice = selection.slice();
  const auto& range = selection.range();
  if (!slice && !range) return std::nullopt;
  const Side side = slice ? slice->side : range->side;
  for (const Mark& mark : of(side)) {
    // A slice that is not in the trace any more is shown as its range.
    const bool same = slice ? mark.event && *mark.event == slice->event : !mark.event && mark.interval == range->range;
    if (same) return MarkOfSide{side, mark.id};
  }
  return std::nullopt;
}

std::optional<std::pair<Side, Mark>> Marks::made(const common::Selection& selection) const {
  if (const auto& slice = selection.slice()) {
    const auto& run = m_document.run(slice->side);
    if (!run || !run->analysis) return std::nullopt;
    return std::pair(slice->side, markOf(*run->analysis->trace, slice->event));
  }
  const auto& range = selection.range();
  if (!range || !m_document.run(range->side) || range->range.empty()) return std::nullopt;
  Mark mark;
  mark.interval = range->range;
  return std::pair(range->side, mark);
}

void Marks::add(Side side, Mark mark) {
  mark.id = ++m_lastId;
  mark.note = noteText(mark.note);
  m_history.push(new Change(this, keyOf(side), std::nullopt, std::move(mark)));
}

void Marks::remove(const MarkOfSide& mark) {
  if (const Mark* found = find(mark)) m_history.push(new Change(this, keyOf(mark.side), *found, std::nullopt));
}

void Marks::setNote(const MarkOfSide& mark, const QString& note) {
  const Mark* found = find(mark);
  if (found == nullptr) return;
  Mark after = *found;
  after.note = noteText(note);
  after.temporary = false;
  if (after != *found) m_history.push(new Change(this, keyOf(mark.side), *found, after));
}

void Marks::replace(const QString& key, const std::optional<Mark>& before, const std::optional<Mark>& after) {
  const auto kept = m_marks.find(key);
  if (kept == m_marks.end()) return;
  auto& marks = kept->second;
  if (before) std::erase_if(marks, [&](const Mark& mark) { return mark.id == before->id; });
  if (after) {
    const auto place = std::upper_bound(marks.begin(), marks.end(), after->interval.start,
                                        [](base::Nanoseconds time, const Mark& mark) { return time < mark.interval.start; });
    marks.insert(place, *after);
  }
  emit changed();
  if ((!before || before->temporary) && (!after || after->temporary)) return;
  for (const Side side : common::kSides) {
    if (keyOf(side) != key) continue;
    const auto saved = m_store.save(key, m_document.run(side)->analysis->trace->info().file, marks);
    if (!saved) emit failed(saved.error());
    return;
  }
}

void showMark(common::Selection& selection, Side side, const Mark& mark) {
  if (mark.event) return selection.show(SelectedSlice{side, *mark.event});
  selection.setSlice(std::nullopt);
  selection.show(SelectedRange{side, mark.interval});
}

}  // namespace threewalls::timeline

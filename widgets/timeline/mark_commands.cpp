#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"
#include "timeline/mark_editor.h"
#include "timeline/marks.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"

#include <algorithm>

namespace threewalls::timeline {

using common::Side;

namespace {

/// "A · 116.1 µs · nvjet_…"
QString whatIsMarked(Side side, const Mark& mark) {
  QString what = QStringLiteral("%1 · %2").arg(common::letter(side), common::duration(mark.interval.length()));
  if (mark.slice) what += QStringLiteral(" · ") + common::toText(base::shortKernelName(mark.name.toStdString(), 60));
  return what;
}

}  // namespace

void TimelinePage::connectMarks() {
  m_marks->setParent(this);
  m_view->showMarks(*m_marks);
  connect(m_marks, &Marks::failed, this, &TimelinePage::failed);
  connect(m_view, &TimelineView::markNoteWanted, this, &TimelinePage::editMark);
  connect(m_document, &common::Document::runsChanged, m_markEditor, &MarkEditor::leave);
  connect(m_markEditor, &MarkEditor::kept, this, [this](const QString& note) {
    if (!m_edited) return;
    const auto [side, mark] = *std::exchange(m_edited, std::nullopt);
    if (mark.id != 0) {
      m_marks->setNote({side, mark.id}, note);
    } else {
      Mark noted = mark;
      noted.note = note;
      m_marks->add(side, noted);
    }
  });
}

void TimelinePage::keepMarksIn(const QString& folder) {
  m_marks->keepIn(folder);
}

/// The mark of what is selected, or a new one of it.
void TimelinePage::editMark() {
  emit wanted();
  auto edited = m_marks->made(*m_selection);
  if (!edited) return;
  if (const auto there = m_marks->selected(*m_selection)) edited->second = *m_marks->find(*there);
  if (m_view->selectionRect().isEmpty()) {
    if (const auto& slice = m_selection->slice()) {
      m_view->reveal(*slice);
    } else {
      m_view->reveal(*m_selection->range());
    }
  }
  m_edited = edited;
  m_markEditor->open(m_view->selectionRect(), whatIsMarked(edited->first, edited->second), edited->second.note);
}

void TimelinePage::toggleTemporaryMark() {
  emit wanted();
  if (const auto there = m_marks->selected(*m_selection)) {
    if (m_marks->find(*there)->temporary) m_marks->remove(*there);
    return;
  }
  if (auto made = m_marks->made(*m_selection)) {
    made->second.temporary = true;
    m_marks->add(made->first, made->second);
  }
}

void TimelinePage::goToMark(int direction) {
  emit wanted();
  struct Stop {
    double time;
    MarkOfSide mark;
  };
  std::vector<Stop> stops;
  for (const Side side : common::kSides) {
    for (const Mark& mark : m_marks->of(side))
      stops.push_back({m_state.alignment().toAligned(side, mark.interval.start), {side, mark.id}});
  }
  if (stops.empty()) return;
  std::stable_sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.time < b.time; });
  const auto count = static_cast<std::ptrdiff_t>(stops.size());
  const auto selected = m_marks->selected(*m_selection);
  const auto at = std::find_if(stops.begin(), stops.end(), [&](const Stop& stop) { return stop.mark == selected; });
  std::ptrdiff_t next = 0;
  if (at != stops.end()) {
    next = at - stops.begin() + direction;
  } else {
    // From the left edge of what is shown.
    const auto shown =
        std::find_if(stops.begin(), stops.end(), [this](const Stop& stop) { return stop.time >= m_state.range().start; });
    next = shown - stops.begin() - (direction < 0 ? 1 : 0);
  }
  const Stop& stop = stops[static_cast<std::size_t>((next + count) % count)];
  showMark(*m_selection, stop.mark.side, Mark(*m_marks->find(stop.mark)));
}

void TimelinePage::addMarkCommands(common::CommandRegistry* commands) {
  const QString marks = tr("Marks");
  const auto any = [this] { return m_marks->count() > 0; };
  const auto marked = [this] { return m_marks->selected(*m_selection).has_value(); };
  const auto markable = [this] { return m_marks->made(*m_selection).has_value(); };
  commands->add({"marks.mark",
                 marks,
                 tr("Mark the slice or range with a note, or edit its note…"),
                 {QKeySequence("M")},
                 [this] { editMark(); },
                 markable,
                 m_view});
  commands->add({"marks.temporary",
                 marks,
                 tr("Mark it until the program ends, or take that mark away"),
                 {QKeySequence("Shift+M")},
                 [this] { toggleTemporaryMark(); },
                 [this, markable] {
                   const auto there = m_marks->selected(*m_selection);
                   return there ? m_marks->find(*there)->temporary : markable();
                 },
                 m_view});
  commands->add({"marks.remove",
                 marks,
                 tr("Remove the selected mark"),
                 {QKeySequence(Qt::Key_Delete)},
                 [this] {
                   if (const auto there = m_marks->selected(*m_selection)) m_marks->remove(*there);
                 },
                 marked,
                 m_view});
  commands->add({"marks.next", marks, tr("Next mark"), {QKeySequence("J")}, [this] { goToMark(1); }, any, this});
  commands->add({"marks.previous", marks, tr("Previous mark"), {QKeySequence("Shift+J")}, [this] { goToMark(-1); }, any, this});
  QUndoStack* history = m_marks->history();
  commands->add({"marks.undo",
                 marks,
                 tr("Undo the last change of marks"),
                 {QKeySequence("Ctrl+Z")},
                 [history] { history->undo(); },
                 [history] { return history->canUndo(); },
                 this});
  commands->add({"marks.redo",
                 marks,
                 tr("Redo the change of marks"),
                 {QKeySequence("Ctrl+Shift+Z")},
                 [history] { history->redo(); },
                 [history] { return history->canRedo(); },
                 this});
  connect(m_marks, &Marks::changed, commands, &common::CommandRegistry::refresh);
  connect(history, &QUndoStack::indexChanged, commands, &common::CommandRegistry::refresh);
}

}  // namespace threewalls::timeline

#pragma once

#include "common/document.h"
#include "common/selection.h"
#include "timeline/mark_store.h"

#include <QObject>
#include <QUndoStack>

#include <map>
#include <optional>
#include <vector>

namespace threewalls::timeline {

struct MarkOfSide {
  common::Side side = common::Side::A;
  std::uint64_t id = 0;
  bool operator==(const MarkOfSide&) const = default;
};

/// The marks of the open traces. They belong to the trace, whichever side it is on: a trace that is open as A and as B shows them
/// on both. Every change can be undone while its trace is open and is saved at once.
class Marks : public QObject {
  Q_OBJECT
 public:
  explicit Marks(const common::Document& document);

  /// From now on marks are read from and saved into this folder; without one nothing is read or written.
  void keepIn(const QString& folder);

  /// By start.
  const std::vector<Mark>& of(common::Side side) const;
  const Mark* find(const MarkOfSide& mark) const;
  std::size_t count() const { return of(common::Side::A).size() + of(common::Side::B).size(); }
  /// The mark of just the selected slice, or of just the selected range when no slice is.
  std::optional<MarkOfSide> selected(const common::Selection& selection) const;

  /// What a mark of the selected slice would be, else of the selected range; none when neither is selected.
  std::optional<std::pair<common::Side, Mark>> made(const common::Selection& selection) const;
  void add(common::Side side, Mark mark);
  void remove(const MarkOfSide& mark);
  /// A temporary mark becomes one that is kept.
  void setNote(const MarkOfSide& mark, const QString& note);
  QUndoStack* history() { return &m_history; }

 signals:
  void changed();
  /// Marks could not be read or saved.
  void failed(const threewalls::base::Error& error);

 private:
  class Change;
  QString keyOf(common::Side side) const;
  void reload();
  void replace(const QString& key, const std::optional<Mark>& before, const std::optional<Mark>& after);

  const common::Document& m_document;
  MarkStore m_store;
  std::map<QString, std::vector<Mark>> m_marks;  ///< by content hash of the open traces
  std::uint64_t m_lastId = 0;
  QUndoStack m_history;
};

/// Selects what was marked and asks the timeline to bring it into view.
void showMark(common::Selection& selection, common::Side side, const Mark& mark);

}  // namespace threewalls::timeline

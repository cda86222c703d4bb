#pragma once

#include "timeline/view_state.h"

#include <QTimer>

#include <vector>

namespace threewalls::timeline {

/// Where the timeline has looked, to go back and forward as in a browser. What is looked at for kSettle is one place, so a zoom
/// or a drag of many small changes is one; going back and then elsewhere drops what was ahead.
class ViewHistory : public QObject {
  Q_OBJECT
 public:
  static constexpr int kSettle = 300;        // ms
  static constexpr std::size_t kMost = 200;  // places; the oldest is dropped

  explicit ViewHistory(ViewState& state, QObject* parent = nullptr);

  /// Forgets all but what is shown now: other runs have other times.
  void clear();
  bool canGoBack() const;
  bool canGoForward() const { return !isElsewhere() && m_at + 1 < m_places.size(); }
  void back();
  void forward();

 private:
  bool isElsewhere() const { return !m_places[m_at].showsTheSame(m_state.place()); }
  void settle();
  void go(std::size_t to);

  ViewState& m_state;
  std::vector<Place> m_places;
  std::size_t m_at = 0;
  QTimer m_settling;
};

}  // namespace threewalls::timeline

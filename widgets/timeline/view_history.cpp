#include "timeline/view_history.h"

namespace threewalls::timeline {

ViewHistory::ViewHistory(ViewState& state, QObject* parent) : QObject(parent), m_state(state), m_places{state.place()} {
  m_settling.setSingleShot(true);
  m_settling.setInterval(kSettle);
  connect(&m_settling, &QTimer::timeout, this, &ViewHistory::settle);
  connect(&state, &ViewState::changed, this, [this] {
    if (isElsewhere()) m_settling.start();
  });
}

void ViewHistory::clear() {
  m_settling.stop();
  m_places = {m_state.place()};
  m_at = 0;
}

bool ViewHistory::canGoBack() const {
  return m_at > 0 || isElsewhere();
}

void ViewHistory::settle() {
  m_settling.stop();
  if (!isElsewhere()) return;
  m_places.resize(m_at + 1);
  m_places.push_back(m_state.place());
  if (m_places.size() > kMost) m_places.erase(m_places.begin());
  m_at = m_places.size() - 1;
}

void ViewHistory::go(std::size_t to) {
  m_at = to;
  m_state.show(m_places[to]);
  m_settling.stop();
}

void ViewHistory::back() {
  settle();  // what is shown now may be returned to, however short it was looked at
  if (m_at > 0) go(m_at - 1);
}

void ViewHistory::forward() {
  if (canGoForward()) go(m_at + 1);
}

}  // namespace threewalls::timeline

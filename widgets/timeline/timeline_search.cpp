#include "timeline/event_search.h"
#include "timeline/hit_list.h"
#include "timeline/range_panel.h"
#include "timeline/search_bar.h"
#include "timeline/timeline_page.h"
#include "timeline/unmatched_list.h"

#include <QKeyEvent>
#include <QPushButton>

namespace threewalls::timeline {

void TimelinePage::addSearchCommands(common::CommandRegistry* commands) {
  const QString search = tr("Search");
  const auto any = [this] { return m_search->count() > 0; };
  commands->add({"search.open",
                 search,
                 tr("Search the names of events"),
                 {QKeySequence("/"), QKeySequence("Ctrl+F")},
                 [this] { m_searchBar->open(); },
                 {},
                 this});
  commands->add({"search.next", search, tr("Next hit"), {QKeySequence("N")}, [this] { m_search->go(1); }, any, this});
  commands->add(
      {"search.previous", search, tr("Previous hit"), {QKeySequence("Shift+N")}, [this] { m_search->go(-1); }, any, this});
  commands->add({"search.list", search, tr("Show or hide the list of hits"), {}, [this] { toggleList(m_hitList); }, {}, this});
  commands->add({"search.hideRest",
                 search,
                 tr("Hide what is no hit, or show it again"),
                 {},
                 [this] { m_search->setHidingRest(!m_search->hidingRest()); },
                 any,
                 this});
  commands->add({"search.end",
                 search,
                 tr("End the search"),
                 {},
                 [this] { m_searchBar->close(); },
                 [this] { return m_search->active(); },
                 this});
  connect(m_search, &EventSearch::changed, commands, &common::CommandRegistry::refresh);
}

QWidget* TimelinePage::buildLists() {
  m_lists->addTab(m_hitList, tr("Hits"));
  m_lists->addTab(m_unmatchedList, tr("Only in A or B"));
  m_lists->setDocumentMode(true);
  auto* back = new QPushButton(tr("Back to the range"));
  back->setProperty("kind", QStringLiteral("small"));
  connect(back, &QPushButton::clicked, this, [this] { showLists(false); });
  m_lists->setCornerWidget(back);
  m_listCard->body()->addWidget(m_lists);
  m_listCard->hide();
  return m_listCard;
}

void TimelinePage::toggleList(QWidget* list) {
  const bool shown = m_listCard->isVisible() && m_lists->currentWidget() == list;
  m_lists->setCurrentWidget(list);
  showLists(!shown);
}

void TimelinePage::showLists(bool shown) {
  m_listCard->setVisible(shown);
  m_range->setVisible(!shown);
}

void TimelinePage::endSearch() {
  if (m_searchBar->isVisible()) m_searchBar->close();
}

/// Esc in a list or a panel: there it clears the search alone.
void TimelinePage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && m_searchBar->isVisible()) return m_searchBar->close();
  QWidget::keyPressEvent(event);
}

}  // namespace threewalls::timeline

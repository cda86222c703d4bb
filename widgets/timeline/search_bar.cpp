#include "timeline/search_bar.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>

namespace threewalls::timeline {
namespace {

using analysis::QueryKind;
using common::Side;

QString counted(std::size_t number) {
  return QString::fromStdString(base::formatCount(number));
}

}  // namespace

SearchBar::SearchBar(const common::Document& document, const common::Selection& selection, EventSearch* search)
    : m_document(document),
      m_selection(selection),
      m_search(search),
      m_field(new QLineEdit),
      m_expression(new QToolButton),
      m_count(common::plainLabel({}, common::TextRole::Muted)),
      m_previous(new QPushButton(tr("◀ Previous"))),
      m_next(new QPushButton(tr("Next ▶"))),
      m_hide(new QPushButton(tr("Hide the rest"))),
      m_error(common::plainLabel({}, common::TextRole::Bad)) {
  m_field->setPlaceholderText(tr("Search the names of all events"));
  m_field->setAccessibleName(tr("Search the names of all events"));
  m_field->setClearButtonEnabled(true);
  m_field->setMinimumWidth(220);
  m_field->installEventFilter(this);
  m_expression->setText(QStringLiteral(".*"));
  m_expression->setCheckable(true);
  m_expression->setToolTip(tr("Regular expression (RE2), in any case"));
  m_expression->setAccessibleName(tr("Take it as a regular expression"));
  m_count->setWordWrap(false);
  m_hide->setCheckable(true);
  m_hide->setToolTip(tr("Dims everything that is no hit"));
  auto* list = new QPushButton(tr("List"));
  list->setToolTip(tr("Shows or hides the list of hits"));
  auto* close = new QPushButton(QStringLiteral("✕"));
  close->setProperty("kind", QStringLiteral("flat"));
  close->setAccessibleName(tr("End the search"));
  m_error->hide();

  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(m_field, 1);
  row->addWidget(m_expression);
  row->addWidget(m_count);
  for (QPushButton* button : {m_previous, m_next, list, m_hide, close}) row->addWidget(button);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(4);
  rows->addLayout(row);
  rows->addWidget(m_error);
  hide();

  connect(m_field, &QLineEdit::textEdited, this, &SearchBar::searchTyped);
  connect(m_expression, &QToolButton::toggled, this, &SearchBar::searchTyped);
  connect(m_previous, &QPushButton::clicked, m_search, [this] { m_search->go(-1); });
  connect(m_next, &QPushButton::clicked, m_search, [this] { m_search->go(1); });
  connect(m_hide, &QPushButton::clicked, m_search, &EventSearch::setHidingRest);
  connect(list, &QPushButton::clicked, this, &SearchBar::listWanted);
  connect(close, &QPushButton::clicked, this, &SearchBar::close);
  connect(m_search, &EventSearch::changed, this, &SearchBar::refresh);
  connect(&selection, &common::Selection::changed, this, &SearchBar::refresh);
}

void SearchBar::open() {
  show();
  m_field->setFocus(Qt::ShortcutFocusReason);
  m_field->selectAll();
}

void SearchBar::close() {
  const bool leaving = isAncestorOf(QApplication::focusWidget());
  m_search->clear();
  m_field->clear();
  hide();
  if (leaving) emit left();
}

void SearchBar::searchTyped() {
  m_search->search({m_field->text().toStdString(), m_expression->isChecked() ? QueryKind::Expression : QueryKind::Text});
}

bool SearchBar::eventFilter(QObject* object, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(object, event);
  const auto& key = static_cast<const QKeyEvent&>(*event);
  switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: m_search->go(key.modifiers() & Qt::ShiftModifier ? -1 : 1); return true;
    case Qt::Key_Escape:
      // The search stays, for N; without one there is nothing to stay for.
      if (m_search->active()) {
        emit left();
      } else {
        close();
      }
      return true;
    default: return QWidget::eventFilter(object, event);
  }
}

/// "3 of 1,204", and which of them are whose when both sides are open.
QString SearchBar::countText() const {
  if (!m_search->active() || m_search->error()) return {};
  if (m_search->running()) return tr("searching…");
  if (m_search->count() == 0) return tr("no hit");
  const auto place = m_search->selectedPlace();
  QStringList parts;
  std::size_t before = 0;
  for (const Side side : common::kSides) {
    const auto* hits = m_search->hits(side);
    if (hits == nullptr) continue;
    const bool here = place && m_selection.slice()->side == side;
    QString part = here ? tr("%1 of %2").arg(counted(*place - before + 1), counted(hits->size())) : counted(hits->size());
    if (m_document.run(Side::A) && m_document.run(Side::B)) part = common::letter(side) + QStringLiteral(": ") + part;
    parts << part;
    before += hits->size();
  }
  return m_search->count() == 1 && !place ? tr("%1 hit").arg(parts.join(QStringLiteral(" · ")))
                                          : tr("%1 hits").arg(parts.join(QStringLiteral(" · ")));
}

void SearchBar::refresh() {
  const analysis::SearchQuery& query = m_search->query();
  if (m_search->active()) show();
  if (query.kind == QueryKind::Name && m_search->active()) {
    const QString name = common::toText(query.pattern);
    if (m_field->text() != name) m_field->setText(name);
    m_field->setCursorPosition(0);
    const QSignalBlocker quiet(m_expression);
    m_expression->setChecked(false);
  } else if (!m_search->active() && !m_field->hasFocus()) {
    m_field->clear();
  }
  m_field->setToolTip(query.kind == QueryKind::Name && m_search->active()
                          ? common::literalToolTip(tr("Exactly this kernel: ") + m_field->text())
                          : QString());
  m_count->setText(countText());
  const bool any = m_search->count() > 0;
  for (QPushButton* button : {m_previous, m_next}) button->setEnabled(any);
  m_hide->setEnabled(any || m_search->hidingRest());
  m_hide->setChecked(m_search->hidingRest());
  m_hide->setText(m_search->hidingRest() ? tr("Rest is hidden") : tr("Hide the rest"));
  m_error->setVisible(m_search->error().has_value());
  if (m_search->error()) m_error->setText(common::toText(m_search->error()->text()));
}

}  // namespace threewalls::timeline

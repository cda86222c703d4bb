#include "timeline/timeline_page.h"

#include "common/card.h"
#include "common/message_card.h"
#include "common/text.h"
#include "timeline/alignment_words.h"
#include "timeline/class_legend.h"
#include "timeline/details_panel.h"
#include "timeline/event_search.h"
#include "timeline/gap_finder.h"
#include "timeline/hit_list.h"
#include "timeline/mark_editor.h"
#include "timeline/partner_links.h"
#include "timeline/picture_text.h"
#include "timeline/range_panel.h"
#include "timeline/search_bar.h"
#include "timeline/timeline_view.h"
#include "timeline/unmatched_list.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

namespace threewalls::timeline {

using common::Side;

namespace {

/// Heights to start with: the cards show the whole ledger without scrolling where the window is tall enough.
constexpr int kViewHeight = 520;
constexpr int kCardsHeight = 286;
/// Room for the alignment in two lines.
constexpr int kAlignmentLetters = 46;
constexpr int kToolbarMargins = 60;

}  // namespace

TimelinePage::TimelinePage(common::Document* document, common::Selection* selection, common::JobService* jobs, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_selection(selection),
      m_partners(new PartnerLinks(*document, jobs)),
      m_view(new TimelineView(*document, *selection, m_state)),
      m_marks(new Marks(*document)),
      m_markEditor(new MarkEditor(m_view)),
      m_search(new EventSearch(*document, *selection, m_state, jobs)),
      m_searchBar(new SearchBar(*document, *selection, m_search)),
      m_listCard(new common::Card),
      m_lists(new QTabWidget),
      m_hitList(new HitList(*document, *selection, m_search)),
      m_unmatchedList(new UnmatchedList(*document, *selection, *m_partners, m_state)),
      m_gaps(new GapFinder(*document, *selection, m_state, jobs)),
      m_range(new RangePanel(*document, *selection, m_state, jobs)),
      m_details(new DetailsPanel(*document, *selection, jobs)),
      m_alignment(common::plainLabel({}, common::TextRole::Muted)),
      m_steps(new QComboBox),
      m_modes(new QComboBox),
      m_legend(new ClassLegend) {
  auto* choices = new QHBoxLayout;
  choices->setSpacing(10);
  m_steps->setAccessibleName(tr("Step that is aligned and shown"));
  m_steps->setFocusPolicy(Qt::TabFocus);
  m_alignment->setMinimumWidth(fontMetrics().averageCharWidth() * kAlignmentLetters);
  buildModes();
  choices->addWidget(m_steps);
  choices->addWidget(m_modes);
  choices->addWidget(m_alignment, 1);
  m_toolbar = new QBoxLayout(QBoxLayout::LeftToRight);
  m_toolbar->setSpacing(10);
  m_toolbar->addLayout(choices, 1);
  m_toolbar->addWidget(m_legend);

  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(12, 10, 12, 12);
  column->setSpacing(8);
  column->addLayout(m_toolbar);
  column->addWidget(m_searchBar);
  auto* cards = new QWidget;
  auto* row = new QHBoxLayout(cards);
  row->setContentsMargins(0, 6, 0, 0);
  row->setSpacing(12);
  row->addWidget(m_range, 11);
  row->addWidget(buildLists(), 11);
  row->addWidget(m_details, 9);
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->addWidget(m_view);
  splitter->addWidget(cards);
  splitter->setChildrenCollapsible(false);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 1);
  splitter->setHandleWidth(5);
  splitter->setSizes({kViewHeight, kCardsHeight});
  splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: transparent; }"));
  column->addWidget(splitter, 1);

  m_stack = new QStackedLayout(this);
  m_stack->addWidget(new common::EmptyState(
      tr("The timeline shows what the GPU did, and when"),
      tr("Drop one PyTorch profiler trace here (.json or .json.gz), or two to compare them as A and B. Ctrl+O opens files; "
         "the File menu has a sample recording."),
      {}));
  m_stack->addWidget(content);

  connect(m_steps, &QComboBox::activated, &m_state, [this](int index) { m_state.showStep(static_cast<std::size_t>(index)); });
  connect(m_view, &TimelineView::detailsRequested, m_details, &DetailsPanel::focusDetails);
  connect(m_view, &TimelineView::wanted, this, &TimelinePage::wanted);
  connect(m_view, &TimelineView::nothingToClear, this, &TimelinePage::endSearch);
  connect(document, &common::Document::runsChanged, this, &TimelinePage::showRuns);
  connect(&m_state, &ViewState::changed, this, &TimelinePage::showAlignment);
  m_search->setParent(this);
  m_gaps->setParent(this);
  m_partners->setParent(this);
  connect(m_gaps, &GapFinder::noticed, this, &TimelinePage::noticed);
  m_view->showSearch(*m_search);
  connectMarks();
  m_view->showPartners(*m_partners);
  m_details->showPartners(*m_partners, m_state);
  connect(m_searchBar, &SearchBar::left, m_view, [this] { m_view->setFocus(); });
  connect(m_searchBar, &SearchBar::listWanted, this, [this] { toggleList(m_hitList); });
  showRuns();
}

// The view refers to m_state: it goes first.
TimelinePage::~TimelinePage() {
  delete m_view;
}

/// The legend goes below the choices where both do not fit beside each other.
void TimelinePage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int choices = m_steps->sizeHint().width() + m_modes->sizeHint().width() + m_alignment->minimumWidth();
  const bool narrow = width() < choices + m_legend->minimumSizeHint().width() + kToolbarMargins;
  m_toolbar->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  m_toolbar->setSpacing(narrow ? 4 : 10);
}

void TimelinePage::setTheme(const common::Theme& theme) {
  m_view->setTheme(theme);
  m_range->setTheme(theme);
  m_legend->setTheme(theme);
}

PictureWords TimelinePage::pictureWords() const {
  QString alignment = m_alignment->text();
  if (m_partners->outlining() && m_partners->found() != nullptr) alignment += tr(", dashed outlines: slices without a partner");
  return {m_document->title(), alignment,
          pictureText(*m_document, m_state, *m_search, *m_selection, alignment, m_view->rowsOutsidePicture())};
}

void TimelinePage::showRuns() {
  m_history.clear();
  m_stack->setCurrentIndex(m_document->run(Side::A) || m_document->run(Side::B) ? 1 : 0);
  m_steps->clear();
  for (const StepPair& pair : m_state.alignment().steps()) m_steps->addItem(tr("Step %1").arg(pair.label));
  m_steps->setVisible(m_steps->count() > 0);
  refreshModes();
  showAlignment();
}

void TimelinePage::showAlignment() {
  const Alignment& alignment = m_state.alignment();
  if (alignment.anchor()) m_steps->setCurrentIndex(static_cast<int>(*alignment.anchor()));
  const QString text = alignmentText(m_state);
  if (text != m_alignment->text()) m_alignment->setText(text);
}

}  // namespace threewalls::timeline

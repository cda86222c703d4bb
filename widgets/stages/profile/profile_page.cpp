#include "profile/profile_page.h"

#include "profile/kernels_page.h"
#include "profile/overview_page.h"
#include "timeline/alignment_words.h"
#include "timeline/event_search.h"
#include "timeline/timeline_page.h"
#include "timeline/timeline_view.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTabBar>

namespace threewalls::profile {

ProfilePage::ProfilePage(common::Document* document, common::Selection* selection, common::JobService* jobs,
                         common::CommandRegistry* commands, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tabs(new QTabBar),
      m_pages(new QStackedWidget),
      m_timeline(new timeline::TimelinePage(document, selection, jobs, m_pages)),
      m_overview(new OverviewPage(document, selection)),
      m_kernels(new KernelsPage(document, selection)) {
  setProperty("kind", QStringLiteral("page"));
  setAttribute(Qt::WA_StyledBackground);
  for (const QString& name : {tr("Timeline"), tr("Overview"), tr("Kernels")}) m_tabs->addTab(name);
  m_tabs->setExpanding(false);
  m_tabs->setUsesScrollButtons(false);  // they come up for a moment when the bold tab changes
  m_tabs->setAccessibleName(tr("Views of the Profile stage"));
  m_pages->addWidget(m_timeline);
  m_pages->addWidget(m_overview);
  m_pages->addWidget(m_kernels);
  auto* rule = new QFrame;
  rule->setProperty("kind", QStringLiteral("rule"));
  rule->setFixedHeight(1);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* tabs = new QHBoxLayout;
  tabs->setContentsMargins(14, 2, 14, 0);
  tabs->addWidget(m_tabs);
  tabs->addStretch();
  layout->addLayout(tabs);
  layout->addWidget(rule);
  layout->addWidget(m_pages, 1);
  m_timeline->setFocusProxy(m_timeline->view());

  connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
    m_pages->setCurrentIndex(tab);
    // Single keys act on what is looked at.
    if (!m_tabs->hasFocus()) focusView();
    emit viewChanged();
  });
  const auto showKernel = [this](common::Side side, trace::NameId name) {
    m_timeline->search()->searchKernel(side, name);
    setView(Timeline);
  };
  connect(m_overview, &OverviewPage::timelineWanted, this, [this] { setView(Timeline); });
  connect(m_overview, &OverviewPage::kernelsWanted, this, [this] { setView(Kernels); });
  connect(m_overview, &OverviewPage::kernelChosen, this, showKernel);
  connect(m_kernels, &KernelsPage::kernelChosen, this, showKernel);
  connect(m_timeline, &timeline::TimelinePage::wanted, this, [this] { setView(Timeline); });
  connect(m_timeline->state(), &timeline::ViewState::alignmentChanged, this, &ProfilePage::alignmentChanged);
  addCommands(commands);
  m_timeline->addCommands(commands);
}

void ProfilePage::addCommands(common::CommandRegistry* commands) {
  const QString view = tr("View");
  commands->add({"view.timeline", view, tr("Timeline"), {QKeySequence("Ctrl+1")}, [this] { setView(Timeline); }, {}, nullptr});
  commands->add({"view.overview", view, tr("Overview"), {QKeySequence("Ctrl+2")}, [this] { setView(Overview); }, {}, nullptr});
  commands->add({"view.kernels", view, tr("Kernels"), {QKeySequence("Ctrl+3")}, [this] { setView(Kernels); }, {}, nullptr});
  const QString kernels = tr("Kernels");
  commands->add({"kernels.filter",
                 kernels,
                 tr("Filter kernels"),
                 {QKeySequence("Ctrl+F")},
                 [this] {
                   setView(Kernels);
                   m_kernels->focusFilter();
                 },
                 {},
                 m_kernels});
  commands->add({"kernels.csv", kernels, tr("Copy kernels as CSV"), {}, [this] { m_kernels->copyCsv(); }, {}, nullptr});
  commands->add(
      {"kernels.markdown", kernels, tr("Copy kernels as Markdown"), {}, [this] { m_kernels->copyMarkdown(); }, {}, nullptr});
}

QString ProfilePage::alignmentText() const {
  if (!m_document->run(common::Side::A) || !m_document->run(common::Side::B)) return {};
  return timeline::alignmentBasis(m_timeline->state()->alignment());
}

void ProfilePage::setTheme(const common::Theme& theme) {
  m_timeline->setTheme(theme);
  m_overview->setTheme(theme);
  m_kernels->setTheme(theme);
}

ProfilePage::View ProfilePage::view() const {
  return static_cast<View>(m_tabs->currentIndex());
}
void ProfilePage::setView(View view) {
  m_tabs->setCurrentIndex(view);
}

void ProfilePage::focusView() {
  m_pages->currentWidget()->setFocus();
}

}  // namespace threewalls::profile

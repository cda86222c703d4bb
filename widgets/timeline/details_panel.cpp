#include "timeline/details_panel.h"

#include "analysis/transfer.h"
#include "base/format.h"
#include "common/badge.h"
#include "common/text.h"
#include "timeline/partner_links.h"
#include "timeline/slice_facts.h"
#include "timeline/view_state.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QLabel>
#include <QScrollArea>

namespace threewalls::timeline {
namespace {

using common::SelectedSlice;

/// Longer arguments are cut here: nobody reads them in a panel.
constexpr std::size_t kMostArguments = 256 * 1024;

QString count(std::uint64_t value) {
  return QString::fromStdString(base::formatCount(value));
}

QString shortName(std::string_view name) {
  return common::toText(base::shortKernelName(name, 40));
}

/// "248.2 GB/s", decimal as data sheets have it.
QString rate(double bytesPerSecond) {
  const bool slow = bytesPerSecond < 1e9;
  return QStringLiteral("%1 %2").arg(QString::number(bytesPerSecond / (slow ? 1e6 : 1e9), 'g', 4),
                                     slow ? QStringLiteral("MB/s") : QStringLiteral("GB/s"));
}

QString indented(const std::string& json) {
  const QByteArray bytes(json.data(), static_cast<qsizetype>(std::min(json.size(), kMostArguments)));
  const QJsonDocument document = QJsonDocument::fromJson(bytes);
  return document.isNull() ? QString::fromUtf8(bytes) : QString::fromUtf8(document.toJson(QJsonDocument::Indented)).trimmed();
}

}  // namespace

DetailsPanel::DetailsPanel(const common::Document& document, common::Selection& selection, common::JobService* jobs)
    : Card(tr("Selected slice")),
      m_document(document),
      m_selection(selection),
      m_jobs(jobs),
      m_hint(common::plainLabel(tr("Click a slice to see its times, its class, what launched it and its arguments."),
                                common::TextRole::Muted)),
      m_title(common::plainLabel({})),
      m_grid(new QWidget),
      m_rows(new QGridLayout(m_grid)),
      m_stack(new QStackedWidget),
      m_text(new QPlainTextEdit),
      m_showArguments(new QPushButton(tr("Arguments"))),
      m_copy(new QPushButton(tr("Copy"))) {
  m_title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_title->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_rows->setContentsMargins(0, 0, 0, 0);
  m_rows->setHorizontalSpacing(14);
  m_rows->setVerticalSpacing(5);
  m_rows->setColumnStretch(1, 1);

  auto* facts = new QWidget;
  auto* column = new QVBoxLayout(facts);
  column->setContentsMargins(0, 0, 4, 0);
  column->addWidget(m_title);
  column->addWidget(m_grid);
  column->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setStyleSheet(QStringLiteral("QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }"));
  scroll->setWidget(facts);

  m_text->setReadOnly(true);
  m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  m_text->setWordWrapMode(QTextOption::WrapAnywhere);
  m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_text->setAccessibleName(tr("The event as it stands in the file"));
  m_stack->addWidget(scroll);
  m_stack->addWidget(m_text);

  m_showArguments->setCheckable(true);
  m_showArguments->setToolTip(tr("The event as it stands in the file"));
  m_copy->setToolTip(tr("Copy all of this as plain text"));
  for (QPushButton* button : {m_showArguments, m_copy}) {
    heading()->addWidget(button);
  }
  m_hint->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  body()->addWidget(m_hint);
  body()->addWidget(m_stack, 1);

  connect(m_showArguments, &QPushButton::toggled, this, [this](bool on) {
    if (on) showArguments();
    m_stack->setCurrentIndex(on ? 1 : 0);
  });
  connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
  connect(&selection, &common::Selection::changed, this, &DetailsPanel::refresh);
  connect(&document, &common::Document::runsChanged, this, &DetailsPanel::refresh);
  refresh();
}

DetailsPanel::~DetailsPanel() {
  if (m_job) m_job->cancel();
}

void DetailsPanel::focusDetails() {
  m_showArguments->isChecked() ? m_text->setFocus() : m_title->setFocus();
}

QString DetailsPanel::text() const {
  QStringList lines{m_name};
  for (const Fact& fact : allFacts()) lines << fact.name + QStringLiteral(": ") + fact.value;
  if (m_shown) {
    const auto& run = m_document.run(m_shown->side);
    if (const auto json = run->analysis->trace->rawJson(m_shown->event)) lines << indented(*json);
  }
  return lines.join(QLatin1Char('\n'));
}

void DetailsPanel::showPartners(const PartnerLinks& links, const ViewState& state) {
  m_partners = &links;
  m_state = &state;
  connect(&links, &PartnerLinks::changed, this, [this] {
    if (m_shown) showFacts();
  });
  connect(&state, &ViewState::alignmentChanged, this, [this] {
    if (m_shown) showFacts();
  });
}

std::vector<DetailsPanel::Fact> DetailsPanel::allFacts() const {
  std::vector<Fact> facts = m_facts;
  if (m_partners == nullptr || !m_shown) return facts;
  for (const PartnerFact& fact : partnerFacts(m_document, *m_partners, *m_shown, m_state->reference()))
    facts.push_back({fact.name, fact.value, fact.toolTip, tr("Go to the partner"), fact.link});
  return facts;
}

void DetailsPanel::refresh() {
  const auto& slice = m_selection.slice();
  const bool shown = slice && m_document.run(slice->side) && m_document.run(slice->side)->analysis;
  m_hint->setVisible(!shown);
  m_stack->setVisible(shown);
  m_showArguments->setVisible(shown);
  m_copy->setVisible(shown);
  if (!shown) {
    if (m_job) m_job->cancel();
    m_shown.reset();
    m_facts.clear();
    m_name.clear();
    setSubtitle({});
    return;
  }
  if (m_shown == slice) return;
  m_shown = slice;
  m_facts = factsOfSlice(*slice);
  countSameName(*slice);
  showFacts();
  if (m_showArguments->isChecked()) showArguments();
}

std::vector<DetailsPanel::Fact> DetailsPanel::factsOfSlice(const SelectedSlice& slice) const {
  const analysis::Analysis& analysis = *m_document.run(slice.side)->analysis;
  const trace::Trace& trace = *analysis.trace;
  const SliceFacts basic = factsOf(analysis, slice.event);
  std::vector<Fact> facts;
  facts.push_back({tr("start · duration"), basic.start + QStringLiteral(" · ") + basic.duration,
                   tr("start %1, end %2, duration %3 on the clock of the file")
                       .arg(common::exactNanoseconds(basic.interval.start), common::exactNanoseconds(basic.interval.end),
                            common::exactNanoseconds(basic.interval.length()))});
  facts.push_back({tr("lane"), common::letter(slice.side) + QStringLiteral(" · ") + basic.lane});
  const trace::EventKind kind = trace.kind(slice.event);
  QString rule;
  if (trace::isGpuEvent(kind)) {
    const auto& table = analysis.classes.classOf(trace.subLane(slice.event).name(slice.event.index));
    rule = tr("by rule %1 of the kernel table").arg(common::toText(table.id));
  }
  facts.push_back({tr("class"), basic.what, rule});
  if (const auto launch = launchFact(slice)) facts.push_back(*launch);
  if (const auto transfer = analysis::transferOf(trace, slice.event)) {
    QString value = QString::fromStdString(base::formatBytes(transfer->bytes));
    if (transfer->bytesPerSecond) value += QStringLiteral(" · ") + rate(*transfer->bytesPerSecond);
    facts.push_back({tr("bytes · rate"), tr("%1 · from %2").arg(value, common::toText(transfer->source)),
                     tr("bytes as the event says, divided by its duration")});
  }
  const std::uint8_t flags = trace.subLane(slice.event).flags(slice.event.index);
  if (flags & trace::event_flag::kStray) facts.push_back({tr("note"), tr("its duration is not believable: a stray")});
  if (flags & trace::event_flag::kRepaired) facts.push_back({tr("note"), tr("its start or duration was repaired on import")});
  return facts;
}

void DetailsPanel::countSameName(const SelectedSlice& slice) {
  m_sameName = m_facts.size();
  m_facts.push_back({tr("same name"), tr("being counted")});
  m_job = m_jobs->submit<analysis::SameName>(
      tr("Counting events of the same name"),
      [trace = m_document.run(slice.side)->analysis->trace, event = slice.event](const base::Progress& progress) {
        return analysis::sameName(*trace, event, progress);
      },
      [panel = QPointer<DetailsPanel>(this), slice](base::Result<analysis::SameName> same) {
        if (panel != nullptr && same && panel->m_shown == slice) panel->showSameName(*same);
      },
      QStringLiteral("timeline.sameName"));
}

void DetailsPanel::showSameName(const analysis::SameName& same) {
  Fact& fact = m_facts[m_sameName];
  fact.value = same.count == 1 ? tr("the only one in the trace")
                               : tr("%1 × · median %2 · this is #%3 by length")
                                     .arg(count(same.count), common::duration(same.median), count(same.rank));
  fact.toolTip =
      tr("in the whole trace, shortest %1, longest %2").arg(common::duration(same.shortest), common::duration(same.longest));
  showFacts();
}

std::optional<DetailsPanel::Fact> DetailsPanel::launchFact(const SelectedSlice& slice) const {
  const trace::Trace& trace = *m_document.run(slice.side)->analysis->trace;
  const trace::EventKind kind = trace.kind(slice.event);
  const base::Interval own = trace.interval(slice.event);
  if (trace::isGpuEvent(kind)) {
    const auto call = trace.launchOf(slice.event);
    if (!call) return Fact{tr("launched by"), tr("not recorded")};
    const base::Nanoseconds before = own.start - trace.interval(*call).start;
    const QString when =
        before.count() >= 0 ? tr("%1 before").arg(common::duration(before)) : tr("%1 after").arg(common::duration(-before));
    return Fact{tr("launched by"),
                shortName(trace.name(*call)) + QStringLiteral(", ") + when,
                {},
                tr("Go to the call"),
                SelectedSlice{slice.side, *call}};
  }
  if (!trace::isLaunchCall(kind)) return std::nullopt;
  const auto launched = trace.launchedBy(slice.event);
  if (launched.empty()) return std::nullopt;
  QString value = shortName(trace.name(launched.front())) +
                  tr(", %1 later").arg(common::duration(trace.interval(launched.front()).start - own.start));
  if (launched.size() > 1) value += tr(" and %1 more").arg(count(launched.size() - 1));
  return Fact{tr("launches"), value, {}, tr("Go to the first one"), SelectedSlice{slice.side, launched.front()}};
}

void DetailsPanel::showFacts() {
  m_name = common::toText(m_document.run(m_shown->side)->analysis->trace->name(m_shown->event));
  // Long names have no blanks to wrap at: offer places that copying leaves out again through text().
  QString wrapped;
  for (const QChar character : m_name) {
    wrapped += character;
    if (QStringLiteral("_:,<(&").contains(character)) wrapped += QChar(0x200B);
  }
  m_title->setText(wrapped);
  m_title->setAccessibleName(m_name);
  common::clearLayout(m_rows);
  int row = 0;
  for (const Fact& fact : allFacts()) {
    auto* name = common::plainLabel(fact.name, common::TextRole::Muted);
    name->setWordWrap(false);
    m_rows->addWidget(name, row, 0, Qt::AlignTop | Qt::AlignLeft);
    auto* value = common::plainLabel(fact.value);
    value->setAlignment(Qt::AlignRight | Qt::AlignTop);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rows->addWidget(value, row, 1);
    if (fact.link) {
      auto* button = new QPushButton(QStringLiteral("↗"));
      button->setProperty("kind", QStringLiteral("link"));
      button->setToolTip(fact.linkText);
      button->setAccessibleName(fact.linkText);
      // Queued: showing another slice replaces this button.
      connect(
          button, &QPushButton::clicked, &m_selection, [this, link = *fact.link] { m_selection.show(link); },
          Qt::QueuedConnection);
      m_rows->addWidget(button, row, 2, Qt::AlignTop | Qt::AlignRight);
    }
    if (!fact.toolTip.isEmpty()) value->setToolTip(common::literalToolTip(fact.toolTip));
    ++row;
  }
}

void DetailsPanel::showArguments() {
  if (!m_shown) return;
  const auto json = m_document.run(m_shown->side)->analysis->trace->rawJson(m_shown->event);
  m_text->setPlainText(json ? indented(*json) : common::toText(json.error().text()));
}

}  // namespace threewalls::timeline
